// Buckets by traffic, with what becomes of their misses.

import { sparkline } from "./chart.js";
import { byId } from "./dom.js";
import { bytes, percent } from "./format.js";
import { Table } from "./table.js";

const POINTS = 60;

const absorbed = (bucket) => bucket.served_bytes - bucket.fetched_bytes;
const exact = (amount) => (bucket) => `${amount(bucket)} bytes`;

export class Buckets {
  constructor() {
    /** What each bucket was served between two states, the oldest first. */
    this.trails = new Map();
    this.before = new Map();
    this.table = new Table(byId("buckets"), {
      label: "Buckets",
      sortedBy: 2,
      empty: "no bucket was read yet",
      columns: [
        { title: "bucket", look: "name", value: (bucket) => bucket.name, hint: (bucket) => bucket.name },
        { title: "served lately", value: (bucket) => this.trails.get(bucket.name)?.at(-1) ?? 0,
          show: (bucket) => sparkline(this.trails.get(bucket.name) ?? []) },
        { title: "served", look: "number", value: (bucket) => bucket.served_bytes,
          show: (bucket) => bytes(bucket.served_bytes), hint: exact((bucket) => bucket.served_bytes) },
        { title: "absorbed", look: "number", value: absorbed, show: (bucket) => bytes(absorbed(bucket)),
          hint: exact(absorbed) },
        { title: "requests", look: "number", value: (bucket) => bucket.requests },
        { title: "hits", look: "number", value: (bucket) => bucket.hits / Math.max(1, bucket.requests),
          show: (bucket) => percent(bucket.hits, bucket.requests) },
        { title: "refused", look: "number", value: (bucket) => bucket.refusals / Math.max(1, bucket.requests),
          show: (bucket) => percent(bucket.refusals, bucket.requests) },
        { title: "priority", look: "number", value: (bucket) => bucket.priority,
          show: (bucket) => bucket.priority.toFixed(2) },
        { title: "decision", value: (bucket) => bucket.decision },
      ],
    });
  }

  show(state) {
    if (!state.detailed) {
      return; // the nodes are asked for it from now on
    }
    const trails = new Map();
    for (const bucket of state.buckets) {
      const served = bucket.served_bytes - (this.before.get(bucket.name) ?? bucket.served_bytes);
      const trail = [...(this.trails.get(bucket.name) ?? []), Math.max(0, served)];
      trails.set(bucket.name, trail.slice(-POINTS));
    }
    this.trails = trails;
    this.before = new Map(state.buckets.map((bucket) => [bucket.name, bucket.served_bytes]));
    this.table.update(state.buckets);
  }
}
