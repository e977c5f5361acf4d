"use strict";
// The noise map: select a block and show why it was kept or removed. The page in the frame runs no
// scripts: all listeners belong to this document.
(() => {
  const blocks = JSON.parse(document.getElementById("blocks-data").textContent);
  const frame = document.getElementById("page-frame");
  const details = document.getElementById("details");
  const reason = document.getElementById("reason");
  const part = (name) => document.getElementById(`reason-${name}`);
  // The width for which pages are made, and the smallest scale at which they can be read.
  const PAGE_WIDTH = 960;
  const LEAST_SCALE = 0.56;
  let selected = [];
  let origin = null;

  const marked = () => {
    const inside = frame.contentDocument;
    return inside ? [...inside.querySelectorAll("[data-newsclean-block]")] : [];
  };
  const numberOf = (element) => Number(element.getAttribute("data-newsclean-block"));
  const elementsOf = (number) => marked().filter((element) => numberOf(element) === number);

  function bar(label, value, most) {
    const item = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = label;
    const chart = document.createElement("span");
    chart.className = "bar";
    chart.setAttribute("aria-hidden", "true");
    const filled = document.createElement("i");
    filled.className = value > 0 ? "for" : "against";
    filled.style.width = `${(50 * Math.abs(value)) / most}%`;
    chart.append(filled);
    const number = document.createElement("span");
    number.className = "value";
    number.textContent = `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(1)}`;
    item.append(name, chart, number);
    return item;
  }

  function show(number, from) {
    const block = blocks[number];
    if (!block) return;
    origin = from || null;
    for (const element of selected) element.classList.remove("newsclean-selected");
    selected = elementsOf(number);
    for (const element of selected) element.classList.add("newsclean-selected");
    document.getElementById("hint").hidden = true;
    reason.hidden = false;
    details.classList.add("open");
    document.body.classList.add("has-details");
    if (getComputedStyle(details).position === "fixed" && selected.length) {
      selected[0].scrollIntoView({ block: "start" }); // above the sheet that now covers half of the window
    }
    part("swatch").className = `swatch ${block.kind}`;
    part("kind").textContent = block.title;
    part("words").textContent = `${block.words} word${block.words === 1 ? "" : "s"}`;
    part("text").textContent = block.text;
    part("sentence").textContent = block.sentence;
    const most = Math.max(1, ...block.moves.map((move) => Math.abs(move[1])));
    part("bars").replaceChildren(...block.moves.map((move) => bar(move[0], move[1], most)));
    part("bars").hidden = !block.moves.length;
    for (const button of document.querySelectorAll(".blocks [aria-current]")) {
      button.removeAttribute("aria-current");
    }
    for (const entry of document.querySelectorAll(`.blocks button[data-block="${number}"]`)) {
      entry.setAttribute("aria-current", "true");
    }
    document.dispatchEvent(new CustomEvent("newsclean:block", { detail: { number, block } }));
  }

  function close() {
    for (const element of selected) element.classList.remove("newsclean-selected");
    selected = [];
    reason.hidden = true;
    document.getElementById("hint").hidden = false;
    details.classList.remove("open");
    document.body.classList.remove("has-details");
    if (origin) origin.focus();
  }

  function move(from, step) {
    const all = marked();
    const next = all[all.indexOf(from) + step];
    if (!next) return;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  // A frame narrower than the page was made for shows it scaled down, as phones do.
  function fit() {
    const inside = frame.contentDocument;
    const width = frame.clientWidth;
    if (inside && inside.documentElement && width) {
      inside.documentElement.style.zoom = width < PAGE_WIDTH ? Math.max(width / PAGE_WIDTH, LEAST_SCALE) : "";
    }
  }

  // Scroll the frame to a block, and not the window around it.
  function reveal(element, block) {
    const top = window.scrollY;
    element.scrollIntoView({ block });
    window.scrollTo(0, top);
  }

  // Highlight the article, or what was removed.
  function view(name) {
    const inside = frame.contentDocument;
    if (inside && inside.documentElement) inside.documentElement.dataset.newscleanView = name;
    for (const button of document.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === name));
    }
    for (const section of document.querySelectorAll("[data-part]")) {
      section.hidden = section.dataset.part !== name;
    }
  }

  function listen() {
    const inside = frame.contentDocument;
    const all = marked();
    if (!inside || !all.length || inside.documentElement.dataset.newscleanReady) return;
    inside.documentElement.dataset.newscleanReady = "yes";
    const first = all.find((element) => element.dataset.newscleanKind === "article") || all[0];
    first.tabIndex = 0;
    fit();
    const ofKind = (kind) => all.find((element) => element.dataset.newscleanKind === kind);
    view(ofKind("article") ? "article" : "removed");
    const start = ofKind("headline") || ofKind("article");
    if (start) reveal(start, "start");
    const blockAt = (target) => target.closest && target.closest("[data-newsclean-block]");
    inside.addEventListener("click", (event) => {
      const element = blockAt(event.target);
      if (!element) return;
      event.preventDefault();
      show(numberOf(element), element);
    });
    inside.addEventListener("keydown", (event) => {
      const element = blockAt(event.target);
      if (!element) return;
      if (event.key === "Enter" || event.key === " ") show(numberOf(element), element);
      else if (event.key === "ArrowDown" || event.key === "ArrowRight") move(element, 1);
      else if (event.key === "ArrowUp" || event.key === "ArrowLeft") move(element, -1);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
    });
    document.documentElement.dataset.mapReady = "yes";
  }

  document.addEventListener("click", (event) => {
    const chosen = event.target.closest("button[data-view]");
    if (chosen) view(chosen.dataset.view);
    const button = event.target.closest("button[data-block]");
    if (!button) return;
    const number = Number(button.dataset.block);
    show(number, button);
    const [element] = elementsOf(number);
    if (element) reveal(element, "center");
  });
  part("close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !reason.hidden) close();
  });
  // Print the whole page, not only the part in view.
  window.addEventListener("beforeprint", () => {
    const inside = frame.contentDocument;
    if (inside) frame.style.height = `${inside.documentElement.scrollHeight}px`;
  });
  window.addEventListener("afterprint", () => { frame.style.height = ""; });
  window.addEventListener("resize", fit);
  frame.addEventListener("load", listen);
  listen();
})();
