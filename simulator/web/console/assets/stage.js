// Keeps the stage as the server has it, lights one message at a time, and listens to keys.
import { DONE_MS_MAX, ask, sayLost, takeTime } from "./bar.js";

const stage = document.querySelector("#stage");
const keys = document.querySelector("#keys");
let lit = 0;
let known = 0;

const asked = new Set();
const messages = () => [...stage.querySelectorAll(".message")];
// Messages count from the first of the lesson, also those that are left out.
const leftOut = () => Number(stage.querySelector("[data-left-out]")?.dataset.leftOut || 0);
const count = () => leftOut() + messages().length;
const isMore = () => lit < count();
const litOne = () => messages()[lit - 1 - leftOut()];
// Who only looks on has no key to go on with, and so sees all there is.
const steers = () => Boolean(stage.querySelector("[data-more]"));

function light() {
  const last = litOne();
  const before = leftOut();
  messages().forEach((each, place) => {
    each.parentElement.hidden = place + before >= lit;
    each.classList.toggle("lit", each === last);
  });
  if (last) last.scrollIntoView({ block: "nearest" });
  // One button goes on, as the space bar does: to the next message, then to the next step.
  const more = stage.querySelector("[data-more]");
  if (more) more.hidden = !isMore();
  const step = stage.querySelector('.stage-head [data-key=" "]');
  if (step) step.form.hidden = isMore();
}

function goOn() {
  lit = Math.min(count(), Math.max(lit, leftOut()) + 1);
}

function next() {
  goOn();
  light();
}

function show(html) {
  const before = leftOut();
  const open = new Set(messages().map((each, place) => (each.open ? place + before : -1)));
  stage.innerHTML = takeTime(html);
  const now = count();
  if (now < known) lit = now;
  if (!steers()) lit = now;
  else if (lit === known && now > known) goOn();
  known = now;
  const after = leftOut();
  messages().forEach((each, place) => { each.open = open.has(place + after); });
  light();
}

async function follow() {
  for (;;) {
    const page = stage.querySelector("[data-version]");
    const address = new URL(stage.dataset.now, location.href);
    address.searchParams.set("after", page ? page.dataset.version : "");
    try {
      const answer = await ask(address);
      if (!answer.ok) { stage.dataset.lost ? location.assign(stage.dataset.lost) : location.reload(); return; }
      const html = await answer.text();
      sayLost(false);
      const focused = document.activeElement;
      const busy = focused && (focused.tagName === "SELECT" || focused.name === "title");
      const same = page && html.includes(`data-version="${page.dataset.version}"`);
      if (!same && !busy) show(html);
      if (busy) await new Promise((done) => setTimeout(done, 300));
    } catch {
      sayLost(true);
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

async function post(form, button) {
  const action = form.getAttribute("action");
  // A key that is pressed again while its step is played asks for nothing more.
  if (asked.has(action)) return;
  const sent = new URLSearchParams(new FormData(form, button));
  asked.add(action);
  try {
    await ask(action, { method: "POST", body: sent }, DONE_MS_MAX);
  } catch {
    sayLost(true);
  } finally {
    asked.delete(action);
  }
}

function press(key) {
  const button = stage.querySelector(`.held [data-key="${key}"]`) || stage.querySelector(`[data-key="${key}"]`);
  if (button) post(button.form, button);
}

function pause() {
  const form = stage.querySelector("[data-stops]");
  if (!form) return;
  const sent = new URLSearchParams({ form_token: form.elements.form_token.value });
  const ticks = [...form.querySelectorAll("input[type=checkbox]")];
  if (!ticks.some((each) => each.checked)) ticks.forEach((each) => sent.set(each.name, "1"));
  // The server ticks them: what is pressed next counts on it.
  ask(form.getAttribute("action"), { method: "POST", body: sent }, DONE_MS_MAX).catch(() => sayLost(true));
}

const DEEDS = {
  " ": () => (isMore() ? next() : press(" ")),
  ArrowLeft: () => press("ArrowLeft"),
  m: () => { const each = litOne(); if (each) each.open = !each.open; },
  r: () => press("r"),
  p: pause,
  c: () => { const field = stage.querySelector('[data-focus="c"]'); if (field) field.focus(); },
  f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  "?": () => (keys.open ? keys.close() : keys.showModal()),
};

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
  const pressing = event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName);
  const deed = DEEDS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey || !deed) return;
  event.preventDefault();
  deed();
});

stage.addEventListener("click", (event) => {
  if (event.target.closest("[data-more]")) next();
});

stage.addEventListener("submit", (event) => {
  if ("away" in event.target.dataset) return;
  event.preventDefault();
  if (isMore()) { lit = count(); light(); }
  post(event.target, event.submitter);
});

known = count();
lit = known;
light();
follow();
