// Numbers as people read them; the units are those of shiftctl.

/** "12.3 MB": decimal units, as write limits and disks are rated. */
export function bytes(value) {
  let scaled = value;
  let unit = "B";
  for (const larger of ["kB", "MB", "GB", "TB", "PB"]) {
    if (Math.abs(scaled) < 1000) {
      break;
    }
    scaled /= 1000;
    unit = larger;
  }
  return `${scaled.toFixed(unit === "B" ? 0 : 1)} ${unit}`;
}

/** "12.3 MB/s"; "–" over no time. */
export function rate(value, seconds) {
  return seconds > 0 ? `${bytes(value / seconds)}/s` : "–";
}

/** "82.1 %"; "–" of nothing. */
export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–";
}

/** "3.2 h", "40 s". */
export function span(seconds) {
  const units = [[365.25 * 86400, "years"], [86400, "days"], [3600, "h"], [60, "min"]];
  for (const [length, name] of units) {
    if (seconds >= 2 * length) {
      return `${(seconds / length).toFixed(1)} ${name}`;
    }
  }
  return `${Math.round(seconds)} s`;
}

/** "13:05:20", in the time of whoever looks. */
export function clock(ms) {
  return new Date(ms).toLocaleTimeString([], { hour12: false });
}

/** Bytes that were written to flash, for whatever reason. */
export function written(activity) {
  return activity.written_admitted_bytes + activity.written_reinserted_bytes + activity.written_metadata_bytes;
}
