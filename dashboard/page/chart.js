// Lines over time, and sparklines.

import { html, svg } from "./dom.js";
import { clock } from "./format.js";

const LEFT = 70;
const BOTTOM = 18;
const TOP = 6;

/** A round number at or above this one, so that the grid's labels are short. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value) ?? value;
}

/** The lines' highest and lowest value, with 0 between them. */
function extent(series, limit) {
  const values = series.flatMap((one) => one.points.map((point) => point[1]));
  const high = Math.max(0, limit ?? 0, ...values);
  const low = Math.min(0, ...values);
  return { high: high > 0 ? roundUp(high) : low < 0 ? 0 : 1, low: low < 0 ? -roundUp(-low) : 0 };
}

/** A path through points; it is broken where more than `gapMs` lie between two. */
function path(points, x, y, gapMs) {
  let words = "";
  points.forEach(([at, value], i) => {
    const begins = i === 0 || at - points[i - 1][0] > gapMs;
    words += `${begins ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return words;
}

function legend(series, show) {
  return html("ul", { class: "legend" }, ...series.map((one) => html("li", {},
    svg("svg", { width: 18, height: 8 }, svg("line", { class: `series ${one.look}`, x2: 16, y1: 4, y2: 4 })),
    ` ${one.name}: ${one.points.length > 0 ? show(one.points.at(-1)[1]) : "–"}`)));
}

/**
 * Draws lines into a place of the page.
 * @param {HTMLElement} place
 * @param {{label: string, series: {name: string, look: string, points: [number, number][]}[], limit?: number,
 *   fromMs: number, toMs: number, gapMs: number, height: number, show: (value: number) => string}} chart
 */
export function drawChart(place, chart) {
  const width = Math.max(200, place.clientWidth);
  const { high, low } = extent(chart.series, chart.limit);
  const x = (at) => LEFT + ((at - chart.fromMs) / (chart.toMs - chart.fromMs)) * (width - LEFT - 8);
  const y = (value) => TOP + ((high - value) / (high - low)) * (chart.height - BOTTOM - TOP);
  const drawing = svg("svg", { width, height: chart.height, role: "img", "aria-label": chart.label });
  for (const value of low < 0 ? [low, 0, high] : [0, high / 2, high]) {
    drawing.append(svg("line", { class: "grid", x1: LEFT, x2: width - 8, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, chart.show(value)));
  }
  for (const share of [0, 0.5, 1]) {
    const at = chart.fromMs + share * (chart.toMs - chart.fromMs);
    const anchor = ["start", "middle", "end"][share * 2];
    drawing.append(svg("text", { x: x(at), y: chart.height - 4, "text-anchor": anchor }, clock(at)));
  }
  for (const one of chart.series) {
    drawing.append(svg("path", { class: `series ${one.look}`, d: path(one.points, x, y, chart.gapMs) }));
  }
  if (chart.limit) {
    drawing.append(svg("line", { class: "limit", x1: LEFT, x2: width - 8, y1: y(chart.limit), y2: y(chart.limit) }));
  }
  place.replaceChildren(legend(chart.series, chart.show), drawing);
}

/** A line as small as a word. */
export function sparkline(values) {
  const [width, height] = [90, 18];
  const high = Math.max(1, ...values);
  const points = values.map((value, i) =>
    `${((i / Math.max(1, values.length - 1)) * width).toFixed(1)},${(height - 1 - (value / high) * (height - 2)).toFixed(1)}`);
  return svg("svg", { width, height, "aria-hidden": "true" },
    svg("polyline", { class: "series first", points: points.join(" ") }));
}
