/* Display, keys, readers and printer. The digits of a PIN stand here until the green key. */
import { act, make } from "./send.js";

const one = (id) => document.getElementById(id);
const device = one("device");
const PIN_MAX = 12;
const TYPED_INTO = "input, select, textarea";
const HELD_BY = "[data-reader], [data-way]";
const CHOICES = ["choice", "currency"];
const KEYED = ["pin", "text"];
const READERS = { chip: "insert", tap: "tap", magstripe: "swipe", manual: "type it in" };
const papers = [];
let place = 0;
let question = null;
let digits = "";
let sent = 0;
let inserted = "";
let chosen = "";
let position = "";
let isSought = false;

export function show(state) {
  const wasAsked = Boolean(question);
  const isNew = Boolean(state.question) && (!question || state.question.number !== question.number);
  if (!state.question || isNew) {
    digits = "";
  }
  question = state.question;
  inserted = state.inserted;
  one("display").textContent = state.out_of_order ? "OUT OF ORDER" : state.display;
  one("asked").textContent = state.out_of_order || asked();
  device.classList.toggle("idle", !question);
  device.classList.toggle("keyed", Boolean(question) && KEYED.includes(question.kind));
  stars();
  labels();
  one("terms").textContent = question ? question.terms : "";
  writing(isNew);
  // A card may be chosen first, which in a narrow window is further down: only the first time.
  isSought = isNew && (question.kind !== "card" || !wasAsked);
  document.querySelectorAll(".zone").forEach(function (zone) {
    const offered = question && question.readers.includes(zone.dataset.reader);
    zone.classList.toggle("open", Boolean(offered));
  });
  document.querySelector(".zone.chip").classList.toggle("holds", Boolean(inserted));
  one("slot").textContent = inserted ? inserted + " is in: press to pull it out" : "Insert here";
  one("cable").setAttribute("aria-checked", String(state.network_up));
  one("cable-state").textContent = state.network_up ? "plugged in" : "unplugged";
  if (one("position") && state.position !== position) {
    position = one("position").value = state.position;
  }
  state.papers.forEach((paper) => papers.push(paper));
  if (state.papers.length) {
    turn(papers.length - 1);
  }
}

/* Bring the device into view where it asks something new: once all that stands above it is drawn. */
export function follow() {
  if (isSought) {
    device.scrollIntoView({ block: "nearest" });
  }
}

function asked() {
  if (!question) {
    return "";
  }
  if (question.kind === "card") {
    return question.readers.map((reader) => READERS[reader]).join(", ");
  }
  if (question.kind === "pin") {
    return (question.tries_left === null ? "" : question.tries_left + " tries left, ") + "then the green key";
  }
  return "";
}

function stars() {
  const asksPin = question && question.kind === "pin";
  one("stars").textContent = asksPin ? "*".repeat(digits.length) : "";
}

function labels() {
  const offered = !question ? [] : CHOICES.includes(question.kind) ? question.labels
    : question.kind === "signature" ? ["Accept the signature", "Refuse it"] : [];
  one("labels").classList.toggle("amounts", Boolean(question) && question.kind === "currency");
  one("labels").replaceChildren(...offered.map(function (text, number) {
    const button = make("button");
    button.append(make("span", String(number + 1), "digit"), make("span", text));
    button.type = "button";
    button.addEventListener("click", () => pick(number));
    return button;
  }));
}

/* The field for a text that a till asks the customer for. */
function writing(isNew) {
  const typed = question && question.kind === "text" ? question.typed : null;
  const field = one("text");
  one("text-form").hidden = !typed;
  if (!typed) {
    field.value = "";
  } else if (isNew) {
    field.type = typed.is_masked ? "password" : "text";
    field.inputMode = typed.is_digits ? "decimal" : "text";
    field.maxLength = typed.longest;
    field.value = "";
    field.focus();
  }
}

function pick(number) {
  if (CHOICES.includes(question.kind)) {
    act("choice", { place: number });
  } else if (question.kind === "signature") {
    act("signature", { accepted: number === 0 });
  }
}

function digit(key) {
  if (question && question.kind === "text") {
    one("text").value = (one("text").value + key).slice(0, question.typed.longest);
  } else if (question && question.kind === "pin" && digits.length < PIN_MAX) {
    digits += key;
    stars();
  } else if (question && question.kind !== "card" && Number(key) <= one("labels").children.length && key !== "0") {
    pick(Number(key) - 1);
  }
}

const KEYS = {
  cancel() {
    digits = "";
    act("red-key");
  },
  correct() {
    one("text").value = one("text").value.slice(0, -1);
    digits = digits.slice(0, -1);
    stars();
  },
  confirm() {
    if (!question || question.number === sent) {
      return;
    }
    if (question.kind === "pin") {
      const pin = digits;
      digits = "";
      sent = question.number;
      stars();
      act("pin", { pin }).then((said) => { sent = said ? sent : 0; });
    } else if (question.kind === "signature") {
      pick(0);
    } else if (question.kind === "text") {
      one("text-form").requestSubmit();
    }
  }
};

export function hold(card, reader) {
  if (reader === "chip" && inserted) {
    act("pull");
  } else {
    act("card", { card, reader });
  }
}

function turn(number) {
  place = number;
  const paper = papers[place];
  one("papers").hidden = false;
  one("paper").textContent = paper.text;
  // The last lines are those nearest to the printer.
  one("paper").parentElement.scrollTop = one("paper").parentElement.scrollHeight;
  one("paper-place").textContent = place + 1 + " of " + papers.length;
  document.querySelectorAll("[data-form]").forEach(function (link) {
    link.href = "/papers/" + paper.number + "." + link.dataset.form;
  });
  one("older").disabled = place === 0;
  one("newer").disabled = place === papers.length - 1;
}

export function choose(card) {
  chosen = card;
  document.querySelectorAll(".card").forEach(function (each) {
    each.setAttribute("aria-pressed", String(each.dataset.card === card));
  });
  one("about").textContent = one("about-" + card).textContent;
  const readers = document.querySelector("[data-card='" + card + "']").dataset.readers.split(" ");
  document.querySelectorAll("[data-way]").forEach(function (way) {
    way.disabled = !readers.includes(way.dataset.way);
  });
}

document.querySelectorAll("[data-digit]").forEach(function (key) {
  key.addEventListener("click", () => digit(key.dataset.digit));
});
document.querySelectorAll("[data-key]").forEach(function (key) {
  key.addEventListener("click", () => KEYS[key.dataset.key]());
});
/* Whether Enter presses what has the focus. Where digits of a PIN are typed it is the green key on
   the button that held the card to the terminal. */
function presses(focused) {
  return Boolean(focused.closest("button, a, summary")) && !(digits && focused.closest(HELD_BY));
}

document.addEventListener("keydown", function (event) {
  const isTyping = event.target.closest(TYPED_INTO);
  if (event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  if (event.key === "Escape") {
    KEYS.cancel();
  } else if (!isTyping && /^[0-9]$/.test(event.key)) {
    digit(event.key);
  } else if (!isTyping && event.key === "Backspace") {
    KEYS.correct();
  } else if (!isTyping && event.key === "Enter" && !presses(event.target)) {
    event.preventDefault();
    KEYS.confirm();
  }
});
document.querySelectorAll(".zone").forEach(function (zone) {
  zone.addEventListener("click", () => hold(chosen, zone.dataset.reader));
  zone.addEventListener("dragover", function (event) {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", function (event) {
    event.preventDefault();
    zone.classList.remove("over");
    hold(event.dataTransfer.getData("text/plain"), zone.dataset.reader);
  });
});
document.querySelectorAll("[data-way]").forEach(function (way) {
  way.addEventListener("click", () => hold(chosen, way.dataset.way));
});
document.querySelectorAll(".card").forEach(function (card) {
  card.addEventListener("click", () => choose(card.dataset.card));
  card.addEventListener("dragstart", function (event) {
    event.dataTransfer.setData("text/plain", card.dataset.card);
    choose(card.dataset.card);
  });
});
one("text-form").addEventListener("submit", function (event) {
  event.preventDefault();
  act("text", { text: one("text").value });
});
one("cable").addEventListener("click", function () {
  act("network", { up: one("cable").getAttribute("aria-checked") !== "true" });
});
if (one("gps")) {
  one("gps").addEventListener("submit", function (event) {
    event.preventDefault();
    act("position", { position: one("position").value });
  });
}
one("older").addEventListener("click", () => turn(place - 1));
one("newer").addEventListener("click", () => turn(place + 1));
one("tear").addEventListener("click", () => { one("papers").hidden = true; });
choose(document.querySelector(".card").dataset.card);
