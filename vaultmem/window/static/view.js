// What a page does beside being read: it follows changes, answers while one types, and moves a day.
// Every page works without this file; what it puts in comes from the server, escaped there.

const news = document.getElementById("news");
let wanted = 0; // the newest page asked for: an older answer that comes late is not shown
let asking = null; // and its question: the server need not work on one that nobody waits for

function say(text) {
  news.textContent = "";
  window.setTimeout(() => { news.textContent = text; }, 50);
}

async function show(address, { only = null, quiet = false } = {}) {
  const mine = ++wanted;
  asking?.abort();
  asking = new AbortController();
  const text = await fetch(address, { signal: asking.signal }).then((reply) => reply.text()).catch(() => null);
  if (text === null || mine !== wanted) return false;
  const page = new DOMParser().parseFromString(text, "text/html");
  let changed = false;
  for (const fresh of page.querySelectorAll("[data-live]")) {
    const name = fresh.dataset.live;
    if (only !== null && name !== only) continue;
    const old = document.querySelector(`[data-live="${name}"]`);
    if (old === null || old.innerHTML === fresh.innerHTML) continue;
    const open = [...old.querySelectorAll("details")].map((each) => each.open);
    const held = old.contains(document.activeElement) ? place(old, document.activeElement) : -1;
    old.replaceChildren(...fresh.childNodes);
    [...old.querySelectorAll("details")].forEach((each, at) => { each.open = open[at] ?? each.open; });
    if (held >= 0) stops(old)[held]?.focus({ preventScroll: true });
    changed = true;
  }
  // A form that was not touched bears the version of the note that is shown now.
  for (const field of page.querySelectorAll("form[data-keep] input[name=seen]")) {
    const form = document.querySelector("form[data-keep]");
    if (form !== null && !isTouched()) renew(page);
    break;
  }
  if (changed && !quiet) say(document.querySelector("[data-say]")?.textContent.trim() ?? "The page is new.");
  return true;
}

const stops = (within) => [...within.querySelectorAll("a, button, input, summary")];
const place = (within, element) => stops(within).indexOf(element);
const kept = () => [...document.querySelectorAll("form[data-keep]")];
const isTouched = () => kept().some((form) => [...form.elements].some((each) => each.type !== "hidden" && each.value !== each.defaultValue) || form.contains(document.activeElement));

function renew(page) {
  const fresh = [...page.querySelectorAll("form[data-keep]")];
  kept().forEach((form, at) => { if (fresh[at] !== undefined) form.replaceChildren(...fresh[at].childNodes); });
}

// Changes: one question that the server leaves open until something was saved or decided.

let number = document.body.dataset.number;
let pending = null;

async function follow() {
  for (;;) {
    if (document.hidden) { await new Promise((wake) => document.addEventListener("visibilitychange", wake, { once: true })); continue; }
    pending = new AbortController();
    const reply = await fetch(`/changes?since=${number}`, { signal: pending.signal }).catch(() => null);
    if (reply === null || !reply.ok) {
      if (reply === null && pending.signal.aborted) continue;
      say("The window is closed: `vaultmem view` was stopped.");
      return;
    }
    const latest = await reply.text().catch(() => number);
    if (latest !== number) {
      number = latest;
      await show(location.href);
      document.body.dataset.shown = number;
    }
  }
}
document.addEventListener("visibilitychange", () => { if (document.hidden) pending?.abort(); });

// Forms that answer while one types or drags.

function address(form) {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") asked.append(name, value);
  return `${new URL(form.action).pathname}?${asked}`;
}

for (const form of document.querySelectorAll("form[data-typed]")) {
  let timer = 0;
  const answer = async () => {
    const where = address(form);
    history.replaceState(null, "", where); // first: a change that comes meanwhile asks for this page
    await show(where, { only: form.dataset.typed });
  };
  form.addEventListener("input", () => { window.clearTimeout(timer); timer = window.setTimeout(answer, Number(form.dataset.pause ?? 90)); });
  form.addEventListener("submit", (event) => { event.preventDefault(); window.clearTimeout(timer); answer(); });
}

// A slider beside a date: a day each.

const DAY = 86400000;
for (const slider of document.querySelectorAll("input[type=range][data-for]")) {
  const date = document.getElementById(slider.dataset.for);
  const last = Date.parse(slider.dataset.last);
  const days = Number(slider.max);
  const read = () => { slider.value = date.value === "" ? days : days - (last - Date.parse(date.value)) / DAY; tell(); };
  const tell = () => slider.setAttribute("aria-valuetext", date.value === "" ? "today" : date.value);
  slider.addEventListener("input", () => {
    const back = days - Number(slider.value);
    date.value = back === 0 ? "" : new Date(last - back * DAY).toISOString().slice(0, 10);
    tell();
  });
  date.addEventListener("input", read);
  slider.closest("[hidden]")?.removeAttribute("hidden");
  read();
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select") !== null && event.target.closest !== undefined;
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    (document.getElementById("q") ?? document.getElementById("find")).focus();
  }
});

follow();
