// What the parts of a page that are renewed share: the bar at its top shows the time that they came with, and a line above them
// says where they are not renewed any more.
const bar = document.querySelector("header [data-bar]");
const lost = document.querySelector("#lost");

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
