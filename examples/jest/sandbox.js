// A sandbox for one test: its own credentials, scripts, clock and inbox, by the control API.

const { Shop } = require("./shop.js");

class Sandbox {
  constructor(facts, url, controlUrl, key) {
    this.id = facts.id;
    this.shop = new Shop(url, facts.token, facts.entity_id);
    this.controlUrl = controlUrl;
    this.key = key;
  }

  // A new sandbox of the gateway that `sandgate run` describes. Options: profile, clock, seed, merchants ...
  static async create(options = {}, environment = process.env) {
    const { SANDGATE_URL, SANDGATE_CONTROL_URL, SANDGATE_CONTROL_API_KEY } = environment;
    const facts = await ask(SANDGATE_CONTROL_URL, SANDGATE_CONTROL_API_KEY, "POST", "sandboxes", options);
    return new Sandbox(facts, SANDGATE_URL, SANDGATE_CONTROL_URL, SANDGATE_CONTROL_API_KEY);
  }

  // Arm a behaviour: `sandgate behaviours list` has the names. Options: match, times.
  arm(behaviour, options = {}) {
    return this.control("POST", "scripts", { behaviour, ...options });
  }

  // Stop the clock, or move it by a span such as "29m" and do what is due on the way.
  freeze() {
    return this.control("PUT", "clock", { mode: "frozen" });
  }

  advance(by) {
    return this.control("POST", "clock/advance", { by });
  }

  // Have webhooks sent to the sandbox's inbox, and read what arrived there.
  listen() {
    return this.control("POST", "webhooks", { url: "inbox" });
  }

  async inbox(count = 0, wait = "5s") {
    return (await this.control("GET", `inbox?count=${count}&wait=${wait}`)).arrived;
  }

  async delete() {
    await ask(this.controlUrl, this.key, "DELETE", `sandboxes/${this.id}`);
  }

  control(method, path, content) {
    return ask(this.controlUrl, this.key, method, `sandboxes/${this.id}/${path}`, content);
  }
}

// The answer of the control API; an error that repeats its words where it refuses.
async function ask(controlUrl, key, method, path, content) {
  const response = await fetch(controlUrl + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: content && JSON.stringify(content),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

module.exports = { Sandbox };
