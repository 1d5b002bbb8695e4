// Shows what the parties see, while that part of the page is open; a frame is left alone until it shows another page.
import { ask } from "./bar.js";

const parties = document.querySelector("#parties");
const log = parties.querySelector("[data-log]");
const EACH_MS = 1000;
// The frame that a person acts in. One whose page goes on to another origin loses the focus by itself.
let used = null;

async function follow() {
  while (parties.open) {
    const text = await ask(parties.dataset.now).then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
    if (text !== null) show(text);
    await new Promise((done) => setTimeout(done, EACH_MS));
  }
}

function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html").querySelector("[data-shop]");
  for (const place of parties.querySelectorAll("[data-place]")) {
    const address = page.dataset[place.dataset.place];
    const shown = place.firstElementChild;
    const isOther = address && (!shown || shown.getAttribute("src") !== address);
    if (isOther) place.replaceChildren(frame(place.dataset, address));
    // What a person did in it stays to be read until they go on elsewhere; what the lesson did does not.
    if (!address && shown && used !== shown) place.replaceChildren();
    place.previousElementSibling.hidden = place.childElementCount > 0;
  }
  if (log.dataset.html !== page.innerHTML) {
    log.dataset.html = page.innerHTML;
    log.innerHTML = page.innerHTML;
  }
}

function frame({ place, title }, address) {
  const made = document.createElement("iframe");
  Object.assign(made, { src: address, title });
  made.dataset.view = place;
  return made;
}

parties.addEventListener("toggle", follow);
// The window loses the focus to a frame, and only what is done outside of all frames comes to the page.
addEventListener("blur", () => { used = document.activeElement; });
for (const deed of ["pointerdown", "keydown"]) addEventListener(deed, () => { used = null; });
