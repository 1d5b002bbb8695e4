// Asks for a part of the page again as soon as it has changed; where the part has no number, each second.
import { ask, sayLost, takeTime } from "./bar.js";

const part = document.querySelector("#follow");
const NEWEST_MS = 150;
const EACH_MS = 1000;

async function follow() {
  for (;;) {
    const newest = part.querySelector("[data-newest]");
    const address = new URL(part.dataset.now, location.href);
    if (newest) address.searchParams.set("after", newest.dataset.newest);
    const answer = await ask(address).catch(() => null);
    // The sign-in has ended: the page itself leads to it, and back.
    if (answer && answer.type === "opaqueredirect") { location.reload(); return; }
    const text = answer && answer.ok ? await answer.text().catch(() => null) : null;
    const is_shown = text !== null;
    sayLost(!is_shown);
    if (is_shown) {
      const html = takeTime(text);
      if (html !== part.dataset.html) { part.innerHTML = html; part.dataset.html = html; }
    }
    await new Promise((done) => setTimeout(done, is_shown && newest ? NEWEST_MS : EACH_MS));
  }
}

follow();
