// A table whose headers are buttons: by mouse or keyboard, they sort.

import { html } from "./dom.js";

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: object) => string|number} value what is sorted by
 * @property {(row: object) => string|Node} [show] what is seen; the value if it is left out
 * @property {(row: object) => string} [hint] the exact number, for whoever points at the cell
 * @property {string} [look] classes of its cells: "name", "number"
 */

export class Table {
  /**
   * @param {HTMLElement} place
   * @param {{label: string, columns: Column[], sortedBy: number, empty: string}} form
   */
  constructor(place, { label, columns, sortedBy, empty }) {
    this.columns = columns;
    this.empty = empty;
    this.sortedBy = sortedBy;
    this.isDescending = columns[sortedBy].look === "number";
    this.rows = [];
    this.heads = columns.map((column, index) => this.head(column, index));
    this.body = html("tbody");
    place.replaceChildren(html("table", { "aria-label": label },
      html("thead", {}, html("tr", {}, ...this.heads)), this.body));
    this.draw();
  }

  head(column, index) {
    const button = html("button", { type: "button" }, column.title);
    button.addEventListener("click", () => this.sortBy(index));
    return html("th", { scope: "col", class: column.look ?? "" }, button);
  }

  sortBy(index) {
    this.isDescending = index === this.sortedBy ? !this.isDescending : this.columns[index].look === "number";
    this.sortedBy = index;
    this.draw();
  }

  /** @param {object[]} rows */
  update(rows) {
    this.rows = rows;
    this.draw();
  }

  draw() {
    const { value } = this.columns[this.sortedBy];
    const sign = this.isDescending ? -1 : 1;
    const compare = (a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b)));
    const sorted = [...this.rows].sort((a, b) => sign * compare(value(a), value(b)));
    this.heads.forEach((head, index) => {
      const order = this.isDescending ? "descending" : "ascending";
      head.setAttribute("aria-sort", index === this.sortedBy ? order : "none");
    });
    this.body.replaceChildren(...(sorted.length > 0 ? sorted.map((row) => this.line(row)) : [this.emptyLine()]));
  }

  line(row) {
    return html("tr", {}, ...this.columns.map((column) => {
      const hint = column.hint ? column.hint(row) : "";
      return html("td", { class: column.look ?? "", ...(hint === "" ? {} : { title: hint }) },
        column.show ? column.show(row) : String(column.value(row)));
    }));
  }

  emptyLine() {
    return html("tr", {}, html("td", { class: "dim", colspan: this.columns.length }, this.empty));
  }
}
