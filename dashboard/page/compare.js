// The arms of a comparison side by side: shares, since the arms are not asked for the same.

import { byId, html } from "./dom.js";
import { percent, rate, span, written } from "./format.js";

const ROWS = [
  ["policy", (arm) => arm.policy],
  ["nodes", (arm) => arm.nodes.join(", ")],
  ["for", (arm) => span(arm.activity.seconds) + (arm.since_restart ? " (since a restart)" : "")],
  ["asked for", (arm) => rate(arm.activity.requested_bytes, arm.activity.seconds)],
  ["absorbed", (arm) => percent(arm.activity.absorbed_bytes, arm.activity.requested_bytes)],
  ["hits", (arm) => percent(arm.activity.hits, arm.activity.requests)],
  ["refused", (arm) => percent(arm.activity.refusals, arm.activity.requests)],
  ["flash written", (arm) => percent(written(arm.activity), arm.activity.requested_bytes)],
];

export function showComparison(state) {
  const arms = Object.entries(state.arms);
  byId("comparison").hidden = arms.length === 0;
  byId("arms").replaceChildren(html("table", { "aria-label": "Arms" },
    html("thead", {}, html("tr", {}, html("th", {}, ""),
      ...arms.map(([name]) => html("th", { scope: "col" }, `arm ${name}`)))),
    html("tbody", {}, ...ROWS.map(([title, show]) => html("tr", {},
      html("th", { scope: "row" }, title), ...arms.map(([, arm]) => html("td", {}, show(arm))))))));
}
