"""What newsclean itself runs in a page that it shows."""

#: Whether the page has loaded, and how often it has changed since the first call.
STATE = """() => {
  const key = Symbol.for("newsclean.changes");
  if (!(key in window)) {
    const count = {changes: 0};
    Object.defineProperty(window, key, {value: count});
    new MutationObserver((records) => { count.changes += records.length; }).observe(
      document, {subtree: true, childList: true, characterData: true});
  }
  return [document.readyState === "complete", window[key].changes];
}"""

#: The document as HTML, None if that has more characters than `max`. An open shadow root is put in
#: the place of what its host contains: HTML cannot show it otherwise, and a reader sees it there.
OUTER_HTML = """(max) => {
  const flatten = (root) => {
    for (const host of [...root.querySelectorAll("*")]) {
      const shadow = host.shadowRoot;
      if (!shadow) continue;
      flatten(shadow);
      for (const slot of shadow.querySelectorAll("slot")) {
        const assigned = slot.assignedNodes();
        slot.replaceWith(...(assigned.length ? assigned : slot.childNodes));
      }
      host.replaceChildren(...shadow.childNodes);
    }
  };
  flatten(document);
  const html = document.documentElement.outerHTML;
  if (html.length > max) return null;
  return document.doctype ? "<!DOCTYPE html>\\n" + html : html;
}"""
