// Nodes: whether they answer, what they do, and which share of the ring is theirs.

import { byId, html, svg } from "./dom.js";
import { bytes, percent, rate, span, written } from "./format.js";
import { Table } from "./table.js";

const BAR = { width: 60, height: 12 };

function remarks(node, nowMs) {
  if (!node.answers) {
    const heard = node.heard_ms > 0 ? `last heard ${span((nowMs - node.heard_ms) / 1000)} ago` : "never heard";
    return html("span", { class: "bad", title: node.fault }, `does not answer, ${heard}`);
  }
  const { status } = node;
  const words = [];
  if (status.devices_in_use < status.devices) {
    words.push(`${status.devices - status.devices_in_use} of ${status.devices} devices out of use`);
  }
  if (status.follows_gms && !status.gms_answers) {
    words.push("GMS does not answer it");
  }
  if (status.arm) {
    words.push(`arm ${status.arm}`);
  }
  if (node.state && node.state !== "active") {
    words.push(node.state);
  }
  return words.length > 0 ? words.join(", ") : html("span", { class: "good" }, "answers");
}

/** The share against that of an equal ring, which is the mark in the middle. */
function shareBar(node, count) {
  const done = Math.min(1, (node.share * count) / 2);
  return svg("svg", { ...BAR, "aria-hidden": "true" },
    svg("rect", { class: "bar", ...BAR }),
    svg("rect", { class: "bar done", width: BAR.width * done, height: BAR.height }),
    svg("line", { class: "limit", x1: BAR.width / 2, x2: BAR.width / 2, y1: 0, y2: BAR.height }));
}

function threshold(status) {
  if (status.policy === "planned") {
    return status.horizon_seconds === undefined ? "no horizon" : `horizon ${span(status.horizon_seconds)}`;
  }
  const hasOne = status.policy !== "admit-all" && status.admit_threshold !== undefined;
  return hasOne ? status.admit_threshold.toFixed(2) : "–";
}

/** A column of what the node itself told; nothing if it never did. */
function told(title, value, show, hint) {
  return {
    title,
    look: "number",
    value: (node) => (node.status ? value(node.status) : -1),
    show: (node) => (node.status ? show(node.status) : "–"),
    hint: (node) => (node.status && hint ? hint(node.status) : ""),
  };
}

export class Nodes {
  constructor() {
    this.nowMs = 0;
    this.count = 0;
    this.table = new Table(byId("nodes"), {
      label: "Nodes",
      sortedBy: 0,
      empty: "the ring has no member yet; shiftctl ring add takes one in",
      columns: [
        { title: "node", look: "name", value: (node) => node.id },
        { title: "state", value: (node) => Number(node.answers), show: (node) => remarks(node, this.nowMs) },
        { title: "policy", value: (node) => node.status?.policy ?? "–" },
        { title: "of the ring", look: "number", value: (node) => node.share, show: (node) => percent(node.share, 1) },
        { title: "balance", value: (node) => node.share, show: (node) => shareBar(node, this.count) },
        told("absorbed now", (status) => status.last_minute.absorbed_bytes,
          (status) => rate(status.last_minute.absorbed_bytes, status.last_minute.seconds)),
        told("absorbed", (status) => status.since_start.absorbed_bytes,
          (status) => bytes(status.since_start.absorbed_bytes),
          (status) => `${status.since_start.absorbed_bytes} bytes since its start`),
        told("hits", (status) => status.last_hour.hits / Math.max(1, status.last_hour.requests),
          (status) => percent(status.last_hour.hits, status.last_hour.requests)),
        told("written now", (status) => written(status.last_minute),
          (status) => rate(written(status.last_minute), status.last_minute.seconds)),
        told("threshold", (status) => status.admit_threshold ?? 0, threshold),
        told("cache", (status) => status.used_bytes / Math.max(1, status.capacity_bytes),
          (status) => `${bytes(status.used_bytes)} of ${bytes(status.capacity_bytes)}`),
      ],
    });
  }

  show(state) {
    this.nowMs = state.now_ms;
    this.count = state.nodes.length;
    this.table.update(state.nodes);
  }
}
