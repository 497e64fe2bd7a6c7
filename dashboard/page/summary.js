// The tier in a line of numbers, and the charts of its last hour.

import { drawChart } from "./chart.js";
import { byId, html } from "./dom.js";
import { bytes, percent, rate, span, written } from "./format.js";

function tile(id, title, value, hint) {
  return html("div", { class: "tile", id, title: hint }, html("span", {}, title), html("b", {}, value));
}

function rateTile(id, title, value, seconds) {
  return tile(id, title, rate(value, seconds), `${value} bytes in ${seconds.toFixed(1)} s`);
}

export function showSummary(state) {
  const { last_minute: minute, last_hour: hour } = state.sums;
  const looked = hour.dram_hits + hour.flash_hits + hour.segment_misses;
  const limit = state.sums.write_limit_bytes_per_second;
  byId("summary").replaceChildren(
    rateTile("absorbed-now", "absorbed IO, last minute", minute.absorbed_bytes, minute.seconds),
    rateTile("absorbed-hour", "absorbed IO, last hour", hour.absorbed_bytes, hour.seconds),
    tile("absorbed-share", "absorbed of what was asked for", percent(hour.absorbed_bytes, hour.requested_bytes),
      `${hour.absorbed_bytes} of ${hour.requested_bytes} bytes in the last hour`),
    rateTile("fetched-now", "backing reads, last minute", minute.fetched_bytes, minute.seconds),
    tile("hits", "segments found, last hour", percent(hour.dram_hits + hour.flash_hits, looked),
      `${hour.dram_hits} in memory, ${hour.flash_hits} on flash, ${hour.segment_misses} not`),
    tile("writes", `flash writes, limit ${limit > 0 ? rate(limit, 1) : "none"}`,
      rate(written(minute), minute.seconds), `${written(minute)} bytes in the last minute`));
}

/** The thresholds, or the horizon where that is what the policy goes by. */
function thresholdChart(history) {
  const lines = (field) => history.filter((step) => step[field] !== null).map((step) => [step.at_ms, ...step[field]]);
  const thresholds = lines("admit_threshold");
  const horizons = lines("horizon_seconds");
  const isHorizon = thresholds.length === 0 && horizons.length > 0;
  const chosen = isHorizon ? horizons : thresholds;
  const name = isHorizon ? "horizon" : "admit threshold";
  return {
    label: `The ${name} over time`,
    show: isHorizon ? span : (value) => value.toFixed(2),
    series: [
      { name: `${name}, lowest node`, look: "third", points: chosen.map(([at, low]) => [at, low]) },
      { name: "highest node", look: "second", points: chosen.map(([at, , high]) => [at, high]) },
    ],
  };
}

export function showCharts(state, history, minutes) {
  const toMs = state.now_ms;
  const fromMs = toMs - minutes * 60000;
  const shown = history.filter((step) => step.at_ms >= fromMs);
  const perSecond = (amount) => shown.map((step) => [step.at_ms, (amount(step) * 1000) / state.step_ms]);
  const frame = { fromMs, toMs, gapMs: 3 * state.step_ms, show: (value) => `${bytes(value)}/s` };
  drawChart(byId("io-chart"), { ...frame, height: 262, label: "Absorbed IO and backing reads over time", series: [
    { name: "absorbed", look: "first", points: perSecond((step) => step.served_bytes - step.fetched_bytes) },
    { name: "backing reads", look: "second", points: perSecond((step) => step.fetched_bytes) },
    { name: "asked for", look: "third", points: perSecond((step) => step.requested_bytes) },
  ] });
  drawChart(byId("write-chart"), { ...frame, height: 140, label: "Flash writes over time",
    limit: state.sums.write_limit_bytes_per_second,
    series: [{ name: "written", look: "first", points: perSecond((step) => step.written_bytes) }] });
  drawChart(byId("threshold-chart"), { ...frame, height: 100, ...thresholdChart(shown) });
}
