/* The page: asks for what is new, and hands it to its parts. */
import * as device from "./device.js";
import * as happened from "./happened.js";
import { complain } from "./send.js";
import * as till from "./till.js";

const AGAIN_MS = 1500;
// The terminal answers within 20 seconds, also where there is nothing new: after more it hangs.
const ANSWER_MS_MAX = 25000;
let isLost = false;
let seen = { version: 0, notice: 0, paper: 0 };
let state = null;
let selected = "";
let newest = "";

function draw() {
  const name = selected || newest;
  till.show(state, name, select);
  happened.show(name, state.entries.find((entry) => entry.name === name));
  document.getElementById("fault").value = state.fault;
}

function select(name) {
  selected = name;
  draw();
}

function take(said) {
  state = said;
  const last = (list, number) => (list.length ? list[list.length - 1].number : number);
  seen = { version: said.version, notice: last(said.happened, seen.notice), paper: last(said.papers, seen.paper) };
  happened.keep(said.happened);
  const current = said.entries.length ? said.entries[0].name : newest;
  if (current !== newest) {
    newest = current;
    selected = "";
  }
  device.show(said);
  draw();
  device.follow();
}

function pause() {
  return new Promise((again) => setTimeout(again, AGAIN_MS));
}

async function watch() {
  for (;;) {
    try {
      const limit = { signal: AbortSignal.timeout(ANSWER_MS_MAX) };
      const answer = await fetch("/state?" + new URLSearchParams(seen), limit);
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      const said = await answer.json();
      const isOld = said.version === seen.version;
      take(said);
      if (isLost) {
        complain("");
      }
      isLost = false;
      if (isOld) {
        await pause();
      }
    } catch (error) {
      isLost = true;
      complain("The terminal does not answer. Is `sandgate terminal run` still running?");
      await pause();
    }
  }
}

watch();
