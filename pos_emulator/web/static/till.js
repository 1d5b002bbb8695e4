/* The till: orders, journal, batch. */
import { act, make } from "./send.js";

const one = (id) => document.getElementById(id);
const form = one("order");
const WITH_RECEIPT = { refund: "Receipt number (optional)", capture: "Receipt number", void: "Receipt number" };
const GOOD = ["approved", "a part was approved"];

export function show(state, selected, select) {
  one("message").textContent = state.message;
  one("start").disabled = state.is_busy;
  one("abort").disabled = !state.is_busy && !state.question;
  one("work").hidden = state.waiting === 0;
  one("empty").hidden = state.entries.length > 0;
  one("device").classList.toggle("good", !state.is_busy && state.entries.length > 0 && GOOD.includes(state.entries[0].ending));
  one("entries").replaceChildren(...state.entries.map((entry) => row(entry, selected, select)));
}

function row(entry, selected, select) {
  const item = make("li");
  const button = make("button", "", "entry");
  const isGood = !entry.ending || GOOD.includes(entry.ending);
  const how = [entry.ending || entry.stage, entry.is_offline ? "offline" : "", entry.stage === "reversed" ? "reversed" : "",
    entry.charged ? "charged " + entry.charged : "", entry.is_open && entry.ending ? entry.stage : "", entry.result_code,
    entry.tries_left === null ? "" : entry.tries_left + " tries left"];
  button.type = "button";
  button.classList.toggle("bad", !isGood);
  button.setAttribute("aria-pressed", String(entry.name === selected));
  button.append(make("span", entry.receipt), make("span", entry.operation), make("span", entry.amount, "sum"),
    make("span", how.filter(Boolean).join(", "), "how"));
  button.addEventListener("click", function () {
    form.elements.receipt.value = entry.name;
    select(entry.name);
  });
  item.append(button);
  return item;
}

function fields() {
  const operation = form.elements.operation.value;
  one("receipt-field").hidden = !(operation in WITH_RECEIPT);
  one("receipt-label").textContent = WITH_RECEIPT[operation] || "";
  form.querySelectorAll(".added").forEach((field) => { field.hidden = operation !== "sale"; });
}

function batch(totals) {
  if (!totals) {
    return;
  }
  const table = make("table");
  table.append(make("caption", "Batch " + totals.batch + (totals.is_closed ? " is closed" : " so far")));
  totals.currencies.forEach(function (each) {
    [["Sales", each.sales], ["Refunds", each.refunds], ["Voids", each.voids], ["Declined", each.declined]].forEach(function (line) {
      const tr = make("tr");
      const head = make("th", line[0] + ", " + each.currency);
      head.scope = "row";
      tr.append(head, make("td", line[1]));
      table.append(tr);
    });
  });
  const notes = [...totals.differences.map((text) => "Difference: " + text),
    ...totals.open_receipts.map((receipt) => "Still open: " + receipt)];
  one("batch").replaceChildren(table, ...notes.map((text) => make("p", text)));
}

form.elements.operation.addEventListener("change", fields);
form.addEventListener("submit", function (event) {
  event.preventDefault();
  const operation = form.elements.operation.value;
  act("order", {
    operation,
    amount: operation === "void" ? "" : form.elements.amount.value,
    currency: form.elements.currency.value,
    cashback: operation === "sale" ? form.elements.cashback.value : "",
    tip: operation === "sale" ? form.elements.tip.value : "",
    receipt: operation in WITH_RECEIPT ? form.elements.receipt.value : ""
  }).then((said) => {
    if (said) {
      form.elements.cashback.value = form.elements.tip.value = "";
    }
  });
});
one("abort").addEventListener("click", () => act("abort"));
one("work").addEventListener("click", () => act("work"));
one("totals").addEventListener("click", () => act("totals").then(batch));
one("close-batch").addEventListener("click", () => act("close-batch").then(batch));
one("fault").addEventListener("change", () => act("fault", { fault: one("fault").value }));
if (one("typed")) {
  one("typed").addEventListener("submit", function (event) {
    event.preventDefault();
    const typed = one("typed").elements;
    act("typed-card", { number: typed.number.value.replace(/ /g, ""), expiry: typed.expiry.value, code: typed.code.value })
      .then((said) => said && one("typed").reset());
  });
}
fields();
