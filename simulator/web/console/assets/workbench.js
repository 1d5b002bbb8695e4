// Asks what the gateway would refuse, a moment after the last key.
import { ask } from "./bar.js";

const form = document.querySelector("#workbench");
const check = document.querySelector("#check");
let waiting = 0;
form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const sent = new URLSearchParams(new FormData(form));
    const answer = await ask(form.dataset.check, { method: "POST", body: sent }).catch(() => null);
    if (answer && answer.ok) check.innerHTML = await answer.text();
  }, 300);
});

// A page that is loaded again after a request shows what was sent, and does not send it again.
const answer = document.querySelector("#answer");
if (answer) history.replaceState(null, "", answer.dataset.again);
