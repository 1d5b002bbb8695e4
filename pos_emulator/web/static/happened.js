/* What card and terminal said, beside what gateway and hosts said. */
import { make } from "./send.js";

const one = (id) => document.getElementById(id);
const NOTICES_MAX = 400;
const NOTHING = "Nothing yet. Start a payment, and hold a card to the terminal.";
const UNREAD = "What card and terminal say stands here once the card was read.";
let notices = [];
let drawn = { name: "", number: 0 };
let traced = { name: "", key: "" };

export function keep(fresh) {
  notices = notices.concat(fresh).slice(-NOTICES_MAX);
}

/* Of the payment with this name, which is its batch and receipt number; `entry` is its line of the
   journal, which has none of a batch that was closed. */
export function show(name, entry) {
  const shown = notices.filter((each) => each.entry === name && each.kind !== "display");
  one("which").textContent = name ? "at receipt " + name.slice(name.indexOf("-") + 1) : "";
  one("no-events").hidden = shown.length > 0;
  one("exchanges-svg").hidden = !shown.some((each) => each.command);
  one("exchanges-svg").href = "/receipts/" + name + "/exchanges.svg";
  one("no-events").textContent = name ? UNREAD : NOTHING;
  if (drawn.name !== name) {
    drawn = { name, number: 0 };
    one("events").replaceChildren();
  }
  // Those that stand there stay, opened as they are.
  const fresh = shown.filter((each) => each.number > drawn.number);
  fresh.forEach((each) => one("events").append(event(each)));
  drawn.number = fresh.length ? fresh[fresh.length - 1].number : drawn.number;
  follow(name, entry);
}

function event(each) {
  const item = make("li", "", "event");
  const head = [make("time", each.at + " "), document.createTextNode(each.text)];
  if (!each.command && !each.objects.length) {
    const line = make("p");
    line.append(...head);
    item.append(line);
    return item;
  }
  const details = make("details");
  const summary = make("summary");
  summary.append(...head);
  details.append(summary, make("p", "command  " + each.command, "bytes"), make("p", "response " + each.response, "bytes"));
  if (each.objects.length) {
    const tags = make("ul", "", "tags");
    tags.append(...each.objects.map((text) => make("li", text)));
    details.append(tags);
  }
  item.append(details);
  return item;
}

async function follow(name, entry) {
  if (!entry && name === traced.name) {
    // Its batch was closed: what was said about it stays as long as it is shown.
    return;
  }
  const key = entry && entry.payment ? entry.payment + entry.stage : "";
  if (traced.name !== name) {
    one("trace").replaceChildren();
  }
  const isDrawn = key === traced.key;
  traced = { name, key };
  one("no-trace").hidden = Boolean(key);
  if (isDrawn || !key) {
    return;
  }
  const answer = await fetch("/payments/" + entry.payment + "/trace");
  if (answer.ok && traced.key === key) {
    const trace = await answer.json();
    one("trace").replaceChildren(...trace.messages.map(message));
  }
}

function message(each) {
  const item = make("li", "", each.bad ? "event bad" : "event");
  const head = make("p", each.label);
  head.prepend(make("span", each.sender + " to " + each.receiver, "parties"));
  item.append(head);
  if (each.meaning) {
    item.append(make("p", each.meaning, "meaning"));
  }
  if (each.notes.length) {
    const notes = make("ul", "", "tags");
    notes.append(...each.notes.map((text) => make("li", text)));
    item.append(notes);
  }
  return item;
}
