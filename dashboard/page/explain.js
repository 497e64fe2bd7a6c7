// The box that asks what would become of a miss.

import { byId, html } from "./dom.js";
import { bytes, span } from "./format.js";

function list(facts) {
  return html("dl", {}, ...facts.flatMap(([name, value, look]) => [
    html("dt", { class: "dim" }, name), html("dd", { class: look ?? "" }, value)]));
}

function story(told) {
  const nextUse = told.seconds_to_next_use;
  return list([
    ["block", `${told.block_index} of ${told.path}, ${bytes(told.block_bytes)}`],
    ["lives on", told.node],
    ["cached", `${bytes(told.cached_bytes)} of ${bytes(told.block_bytes)}`],
    ["bucket", `${told.bucket}, priority ${told.priority.toFixed(2)} by ${told.policy}`],
    ["next use", nextUse === undefined ? "not known" : `in ${span(nextUse)}`],
    ["decision", told.admit ? "a miss would be admitted" : "a miss would be refused", told.admit ? "good" : "bad"],
    ["why", told.words],
    ["otherwise", told.remedy],
  ]);
}

async function ask(form) {
  const answer = await fetch(`api/explain?${new URLSearchParams(new FormData(form))}`);
  const told = await answer.json();
  return answer.ok ? story(told) : html("p", { class: "fault" }, told.error);
}

export function listenToExplain() {
  const form = byId("explain");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const place = byId("explanation");
    place.replaceChildren("asking …");
    try {
      place.replaceChildren(await ask(form));
    } catch (fault) {
      place.replaceChildren(html("p", { class: "fault" }, `no answer: ${fault.message}`));
    }
  });
}
