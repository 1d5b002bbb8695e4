// Asks for a part of the page again each second.
const part = document.querySelector("#follow");
setInterval(async () => {
  const answer = await fetch(part.dataset.now, { redirect: "manual" }).catch(() => null);
  if (answer && answer.ok) {
    const html = await answer.text();
    if (html !== part.dataset.html) { part.innerHTML = html; part.dataset.html = html; }
  }
}, 1000);
