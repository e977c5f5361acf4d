"use strict";
// Label blocks, preview the changes on other pages, accept or remove a correction.
(() => {
  if (/^#token=/.test(location.hash)) {
    history.replaceState(null, "", location.pathname + location.search);
  }

  function element(tag, text, properties) {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    return Object.assign(made, properties || {});
  }

  async function post(path, values) {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(values),
    });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error || "the request failed");
    return found;
  }

  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  const site = document.querySelector("[data-site-path]");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-take-back]");
    if (!button) return;
    button.disabled = true;
    try {
      await post(`${site.dataset.sitePath}/take-back`, { ids: button.dataset.takeBack.split(",") });
      location.assign(location.pathname);
    } catch (error) {
      document.getElementById("message").textContent = error.message;
      button.disabled = false;
    }
  });

  const teach = document.getElementById("teach");
  if (!teach) return;
  const room = document.getElementById("reason-more");
  const labels = { include: new Set(), exclude: new Set(), fields: {} };
  const asValues = () => ({
    include: [...labels.include],
    exclude: [...labels.exclude],
    fields: labels.fields,
  });

  function forget() {
    labels.include.clear();
    labels.exclude.clear();
    labels.fields = {};
  }

  function changeList(page) {
    const list = element("ul", "", { className: "changes" });
    for (const change of page.changes) {
      const item = element("li", "", { className: change.is_added ? "added" : "removed" });
      item.append(
        element("span", change.is_added ? "+ added: " : "− removed: ", { className: "sign" }),
        change.text,
      );
      list.append(item);
    }
    if (page.more) list.append(element("li", `and ${page.more} more`));
    for (const [field, [before, after]] of Object.entries(page.fields)) {
      list.append(element("li", `${field}: “${before || "none"}” → “${after || "none"}”`));
    }
    return list;
  }

  function pageItem(page) {
    const item = element("li");
    const more = element("details", "", { open: page.is_this });
    const summary = element("summary");
    const counts = page.before === page.after && !page.added
      ? "" : `${page.before} → ${page.after} words`;
    summary.append(
      element("span", page.is_this ? "This page" : page.title, { className: "page-title" }),
      element("span", ` ${counts}`, { className: "count" }),
    );
    more.append(summary, changeList(page));
    if (!page.is_this) {
      more.append(element("a", "Open this page", { href: page.path }));
    }
    item.append(more);
    return item;
  }

  function showPreview(found) {
    const box = element("div", "", { className: "preview" });
    const others = found.pages.filter((page) => !page.is_this).length;
    const heading = found.is_empty || !found.pages.length
      ? "Nothing would change"
      : `This would change this page and ${plural(others, "other page")} of the site`;
    box.append(element("h3", heading, { tabIndex: -1 }));
    if (found.unchanged) {
      box.append(element("p", `${plural(found.unchanged, "kept page")} would stay the same.`, {
        className: "soft",
      }));
    }
    for (const text of found.without_effect) {
      box.append(element("p", `No effect on “${text}”: most blocks in the same place of the template are right, and a correction applies to the place, not to the text.`, {
        className: "problem",
      }));
    }
    for (const title of found.also) {
      box.append(element("p", `The method is more confident on another page. To cover this place on all pages, “${title}” is labelled in the same way.`, {
        className: "soft",
      }));
    }
    for (const conflict of found.conflicts) {
      box.append(element("p", `Conflict: correction ${conflict.id} of ${conflict.date}, from the page ${conflict.page}, says the opposite.`, {
        className: "problem",
      }));
    }
    const actions = element("p", "", { className: "actions" });
    if (!found.is_empty) {
      const accept = element("button", "Accept", { type: "button", className: "first" });
      accept.id = "accept";
      accept.addEventListener("click", () => acceptShown(found.shown, accept));
      actions.append(accept);
    }
    const cancel = element("button", "Cancel", { type: "button" });
    cancel.id = "cancel";
    cancel.addEventListener("click", () => {
      forget();
      document.getElementById("reason-close").click();
    });
    actions.append(cancel);
    const list = element("ul", "", { className: "preview-pages" });
    list.append(...found.pages.map(pageItem));
    box.append(actions, list);
    // Make room for the preview.
    document.getElementById("reason-bars").hidden = true;
    document.getElementById("reason-close").parentElement.hidden = true;
    room.replaceChildren(box);
    box.firstChild.focus();
  }

  function problem(error) {
    room.replaceChildren(element("p", error.message, { className: "problem", role: "alert" }));
  }

  async function tryLabels() {
    room.replaceChildren(element("p", "Checking the other pages …", { className: "soft" }));
    try {
      showPreview(await post(teach.dataset.try, asValues()));
    } catch (error) {
      problem(error);
    }
  }

  async function acceptShown(shown, button) {
    button.disabled = true;
    try {
      const found = await post(teach.dataset.accept, { ...asValues(), shown });
      location.assign(`${teach.dataset.page}?accepted=${found.ids.map(encodeURIComponent).join(",")}`);
    } catch (error) {
      problem(error);
    }
  }

  function button(text, work, className) {
    const made = element("button", text, { type: "button", className: className || "" });
    made.addEventListener("click", work);
    return made;
  }

  document.addEventListener("newsclean:block", (event) => {
    const { number, block } = event.detail;
    const isText = block.kind === "article";
    const actions = element("p", "", { className: "actions" });
    const main = isText
      ? button("This does not belong to the article", () => {
          labels.include.delete(number);
          labels.exclude.add(number);
          tryLabels();
        }, "first")
      : button("This belongs to the article", () => {
          labels.exclude.delete(number);
          labels.include.add(number);
          tryLabels();
        }, "first");
    actions.append(main);
    const fields = element("p", "", { className: "actions fields" });
    fields.append(element("span", "This is the ", { className: "soft" }));
    for (const field of ["headline", "byline", "date"]) {
      fields.append(button(field, () => {
        labels.fields[field] = number;
        tryLabels();
      }));
    }
    document.getElementById("reason-close").parentElement.hidden = false;
    room.replaceChildren(actions, fields);
    const said = labels.include.size + labels.exclude.size + Object.keys(labels.fields).length;
    if (said) {
      room.append(element("p", `${plural(said, "label")} on this page not accepted yet. The next label is added to them.`, {
        className: "soft",
      }));
    }
  });
})();
