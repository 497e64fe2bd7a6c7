// Elements are made here and nowhere else. Text is always set as text: names come from clients and may hold anything.

/**
 * @param {Element} made
 * @param {Object<string, string|number>} attributes
 * @param {(Node|string)[]} children
 */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** An HTML element; strings among the children become text. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** @returns {HTMLElement} what index.html has under this id */
export function byId(id) {
  return document.getElementById(id);
}
