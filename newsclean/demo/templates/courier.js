"use strict";
const root = document.getElementById("root");
const element = (tag, attributes, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
};
const link = (href, text) => element("a", {href}, text);
const teaser = (one) => element("div", {class: "teaser"},
  element("h3", {}, link(one.href, one.title)), element("p", {}, one.text));
const frame = (...inside) => root.replaceChildren(
  element("header", {}, element("nav", {}, link("/", document.body.dataset.name),
    ...JSON.parse(document.body.dataset.sections).map(([name, path]) => link(path, name)))),
  element("main", {}, ...inside),
  element("footer", {}, element("p", {},
    "Printed nowhere. Write to the Courier, 1 Lighthouse Steps, Skerry.")));
const article = (data) => {
  const body = element("div", {class: "text"});
  body.innerHTML = data.html;
  document.title = data.title;
  frame(element("article", {},
    element("h1", {}, data.title),
    element("p", {class: "byline"}, "By " + data.authors.join(" and "), " ",
      element("time", {datetime: data.date}, new Date(data.date).toUTCString())),
    body),
    element("aside", {}, element("h2", {}, "More from the Courier"),
      ...data.related.map(teaser)));
};
const list = (data) => {
  frame(element("h1", {}, data.title), ...data.teasers.map(teaser));
  if (data.next) {
    const next = link(data.next, "Next page");
    next.rel = "next";
    root.querySelector("main").append(next);
  }
};
const query = new URLSearchParams({
  path: location.pathname, page: new URLSearchParams(location.search).get("page") || "1"});
fetch("/search/suggestions").catch(() => {});
fetch("/api/page?" + query)
  .then((response) => response.json())
  .then((data) => {
    if (!data) frame("There is nothing here.");
    else if (data.html) article(data);
    else list(data);
  });
