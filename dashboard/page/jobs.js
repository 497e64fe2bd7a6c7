// Jobs, announced or not, and how far they have come through their partitions.

import { byId, svg } from "./dom.js";
import { bytes, percent } from "./format.js";
import { Table } from "./table.js";

const BAR = { width: 160, height: 12 };

const traffic = (job, field) => job.traffic?.[field] ?? 0;
const absorbed = (job) => traffic(job, "served_bytes") - traffic(job, "fetched_bytes");
const share = (job) => (job.partitions > 0 ? job.finished_partitions / job.partitions : -1);

/** A cell for each stretch of partitions, as full as the stretch is finished. */
function progressBar(job) {
  if (!job.partitions) {
    return "–";
  }
  const words = `${job.finished_partitions} of ${job.partitions} partitions finished`;
  const width = BAR.width / job.stretches.length;
  return svg("svg", { ...BAR, role: "img", "aria-label": words },
    ...job.stretches.flatMap((done, i) => [
      svg("rect", { class: "bar", x: i * width, width: Math.max(1, width - 1), height: BAR.height }),
      svg("rect", { class: "bar done", x: i * width, width: Math.max(1, width - 1) * done, height: BAR.height }),
    ]));
}

export class Jobs {
  constructor() {
    this.table = new Table(byId("jobs"), {
      label: "Jobs",
      sortedBy: 1,
      empty: "no job announced itself, and none was served",
      columns: [
        { title: "job", look: "name", value: (job) => job.id || "(none said)", hint: (job) => job.id },
        { title: "state", value: (job) => job.state || "not announced" },
        { title: "owner", look: "name", value: (job) => job.owner || "–" },
        { title: "table", look: "name", value: (job) => job.table || "–" },
        { title: "partitions", look: "number", value: share,
          show: (job) => (job.partitions ? `${job.finished_partitions} of ${job.partitions}` : "–") },
        { title: "progress", value: share, show: progressBar },
        { title: "served", look: "number", value: (job) => traffic(job, "served_bytes"),
          show: (job) => bytes(traffic(job, "served_bytes")), hint: (job) => `${traffic(job, "served_bytes")} bytes` },
        { title: "absorbed", look: "number", value: absorbed, show: (job) => bytes(absorbed(job)),
          hint: (job) => `${absorbed(job)} bytes` },
        { title: "hits", look: "number", value: (job) => traffic(job, "hits") / Math.max(1, traffic(job, "requests")),
          show: (job) => percent(traffic(job, "hits"), traffic(job, "requests")) },
      ],
    });
  }

  show(state) {
    if (state.detailed) {
      this.table.update(state.jobs);
    }
  }
}
