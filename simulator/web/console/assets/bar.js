// What the parts of a page that are renewed share: the bar at its top shows the time that they came with, and a line above them
// says where they are not renewed any more.
const bar = document.querySelector("header [data-bar]");
// The server answers within 15 seconds, also where there is nothing new: after more it hangs, or its machine sleeps. What it is
// to do may take longer.
const ANSWER_MS_MAX = 20000;
export const DONE_MS_MAX = 120000;
const lost = document.querySelector("#lost");

export function ask(address, options = {}, within = ANSWER_MS_MAX) {
  return fetch(address, { redirect: "manual", signal: AbortSignal.timeout(within), ...options });
}

export function takeTime(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const clock = page.querySelector("[data-clock]");
  if (!clock) return html;
  if (bar) bar.textContent = clock.textContent;
  clock.remove();
  return page.body.innerHTML;
}

export function sayLost(isLost) {
  lost.hidden = !isLost;
}
