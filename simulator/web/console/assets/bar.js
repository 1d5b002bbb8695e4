// The bar at the top of a page shows the time that a renewed part of the page came with.
const bar = document.querySelector("header [data-bar]");

export function takeTime(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const clock = page.querySelector("[data-clock]");
  if (!clock) return html;
  if (bar) bar.textContent = clock.textContent;
  clock.remove();
  return page.body.innerHTML;
}
