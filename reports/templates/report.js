// Copying and filtering; the page is read without either, so their elements wait hidden.
"use strict";
for (const button of document.querySelectorAll("button.copy")) {
  const text = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(text);
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  });
}

const filter = document.querySelector(".filter");
const [words, verdict] = [filter.querySelector("input"), filter.querySelector("select")];
const folds = [...document.querySelectorAll("#all .fold")];
const isMeant = (row) =>
  (!verdict.value || row.classList.contains(verdict.value)) &&
  row.querySelector(".head").textContent.toLowerCase().includes(words.value.toLowerCase());

function narrow() {
  const asked = Boolean(words.value || verdict.value);
  for (const fold of folds) {
    let left = 0;
    for (const row of fold.querySelectorAll(".row")) {
      row.hidden = !isMeant(row);
      left += !row.hidden;
    }
    fold.hidden = left === 0;
    fold.open = asked && left > 0;
  }
  filter.querySelector("output").textContent = folds.every((fold) => fold.hidden) ? "No case is like that." : "";
}

filter.hidden = false;
filter.addEventListener("submit", (event) => event.preventDefault());
filter.addEventListener("input", narrow);

// A link into something folded opens it.
function reveal() {
  let element = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (; element; element = element.parentElement) if (element.tagName === "DETAILS") element.open = true;
}
addEventListener("hashchange", reveal);
reveal();
