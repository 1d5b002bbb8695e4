// Shows what the parties see, while that part of the page is open; a frame is left alone until it shows another page.
const parties = document.querySelector("#parties");
const log = parties.querySelector("[data-log]");
const EACH_MS = 1000;

async function follow() {
  while (parties.open) {
    const answer = await fetch(parties.dataset.now, { redirect: "manual" }).catch(() => null);
    if (answer && answer.ok) show(await answer.text());
    await new Promise((done) => setTimeout(done, EACH_MS));
  }
}

function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html").querySelector("[data-shop]");
  for (const frame of parties.querySelectorAll("iframe")) {
    const address = page.dataset[frame.dataset.view];
    // What is over stays to be read until something else comes.
    if (address && frame.getAttribute("src") !== address) {
      frame.src = address;
      frame.hidden = false;
      frame.previousElementSibling.hidden = true;
    }
  }
  if (log.dataset.html !== page.innerHTML) {
    log.dataset.html = page.innerHTML;
    log.innerHTML = page.innerHTML;
  }
}

parties.addEventListener("toggle", follow);
