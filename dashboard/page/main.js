// The page: what each answer changes, and what is said when there is none.

import { Buckets } from "./buckets.js";
import { showComparison } from "./compare.js";
import { byId } from "./dom.js";
import { listenToExplain } from "./explain.js";
import { Feed } from "./feed.js";
import { clock, span } from "./format.js";
import { Jobs } from "./jobs.js";
import { Nodes } from "./nodes.js";
import { showCharts, showSummary } from "./summary.js";

const buckets = new Buckets();
const jobs = new Jobs();
const nodes = new Nodes();
/** The server's name in messages; learnt with the first answer. */
let server = "the server";
let redraw = () => {};

function say(words, isFault) {
  const place = byId("connection");
  place.textContent = words;
  place.className = isFault ? "fault" : "";
}

function showConnection(state) {
  const { nodes: known, nodes_answering: answering } = state.sums;
  const tier = state.kind === "node" ? `node ${state.nodes[0]?.id ?? ""}` : `${answering} of ${known} nodes answer`;
  say(state.fault ? `${tier}; the GMS's database: ${state.fault}` : `${tier}, ${clock(state.now_ms)}`,
    state.fault !== "" || answering < known);
}

const feed = new Feed(
  (state, history) => {
    server = state.kind === "node" ? "The node" : "The GMS";
    showConnection(state);
    showSummary(state);
    buckets.show(state);
    jobs.show(state);
    nodes.show(state);
    showComparison(state);
    redraw = () => showCharts(state, history, Number(byId("window").value));
    redraw();
  },
  (why, lastMs) => {
    const seen = lastMs > 0 ? `last seen ${span((Date.now() - lastMs) / 1000)} ago` : "never seen";
    say(`${server} does not answer, ${seen} (${why})`, true);
  },
);

byId("window").addEventListener("change", () => redraw());
window.addEventListener("resize", () => redraw());
listenToExplain();
feed.ask();
