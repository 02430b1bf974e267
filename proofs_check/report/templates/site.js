// Search as you type, filters and sorting of the list of claims; the state stands behind # in the address.
"use strict";
(() => {
  const index = JSON.parse(document.getElementById("index").textContent);
  const form = document.getElementById("filters");
  const body = document.querySelector("#claims tbody");
  const rows = [...body.rows];
  const fields = [...form.elements].filter((field) => field.name);
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const texts = index.map((claim) => plain(Object.values(claim).flat(2).join(" ")));
  const buttons = rows.map((row) => row.querySelector(".fold"));
  const folds = new Set(index.filter((_, place) => buttons[place]).map((claim) => claim.family));
  const open = new Set();
  const sorting = { key: "", descending: false };

  function read() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) field.value = wanted.get(field.name) || "";
    const [key, down] = (wanted.get("sort") || "").split(",");
    Object.assign(sorting, { key, descending: down === "down" });
  }

  function write() {
    const wanted = new URLSearchParams();
    for (const field of fields) if (field.value) wanted.set(field.name, field.value);
    if (sorting.key) wanted.set("sort", sorting.key + (sorting.descending ? ",down" : ""));
    history.replaceState(null, "", wanted.size ? "#" + wanted : location.pathname);
  }

  function fits(claim, text, words) {
    return words.every((word) => text.includes(word)) && fields.every((field) => {
      if (field.name === "q" || !field.value) return true;
      const own = claim[field.name];
      return Array.isArray(own) ? own.includes(field.value) : own === field.value;
    });
  }

  function show() {
    const words = plain(form.elements.q.value).split(/\s+/).filter(Boolean);
    const everything = !words.length && fields.every((field) => !field.value);
    let shown = 0;
    index.forEach((claim, place) => {
      const fit = fits(claim, texts[place], words);
      const first = buttons[place];
      rows[place].hidden = !fit || (everything && !first && folds.has(claim.family) && !open.has(claim.family));
      if (first) first.hidden = !everything;
      shown += fit;
    });
    document.getElementById("shown").textContent =
      `${shown} of ${index.length} claims` + (shown ? "" : ": take a filter away, or search for another word");
    const source = form.elements.source.value;
    for (const option of form.elements.section.options)
      option.hidden = Boolean(source && option.dataset.source && !option.dataset.source.split(" ").includes(source));
  }

  function sort() {
    const { key, descending } = sorting;
    const order = index.map((_, place) => place);
    const compare = new Intl.Collator("en", { numeric: true }).compare;
    if (key) order.sort((a, b) => compare(index[a][key], index[b][key]) * (descending ? -1 : 1) || a - b);
    body.append(...order.map((place) => rows[place]));
    for (const button of document.querySelectorAll("[data-sort]"))
      button.closest("th").setAttribute("aria-sort",
        button.dataset.sort !== key ? "none" : descending ? "descending" : "ascending");
  }

  buttons.forEach((button, place) => button?.addEventListener("click", () => {
    const { family } = index[place];
    if (!open.delete(family)) open.add(family);
    button.setAttribute("aria-expanded", open.has(family));
    show();
  }));
  form.addEventListener("input", () => { show(); write(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { sorting.key = ""; sort(); show(); write(); }));
  for (const button of document.querySelectorAll("[data-sort]"))
    button.addEventListener("click", () => {
      const key = button.dataset.sort;
      sorting.descending = sorting.key === key && !sorting.descending;
      sorting.key = key;
      sort();
      write();
    });
  addEventListener("hashchange", () => { read(); sort(); show(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      form.elements.q.focus();
    }
  });
  read();
  sort();
  show();
})();
