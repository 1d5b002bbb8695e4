// Run with: sandgate run -- npx jest examples/jest
// or, without installing anything: sandgate run -- node --test examples/jest/

const assert = require("node:assert/strict");
const { Sandbox } = require("./sandbox.js");

// Jest brings `test` and the hooks; the runner of Node is asked for its own.
const { test, beforeEach, afterEach } = globalThis.test ? globalThis : require("node:test");

const CARD = { number: "4200000000000000", expiryMonth: "05", expiryYear: "2034", cvv: "123" };
let sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.create();
});

afterEach(() => sandbox.delete());

test("a script decides about the next payment alone", async () => {
  await sandbox.arm("insufficient-funds", { times: 1 });

  assert.equal((await sandbox.shop.pay("92.00", CARD)).body.result.code, "800.100.203");
  assert.equal((await sandbox.shop.pay("92.00", CARD)).body.result.code, "000.100.110");
});

test("a payment is followed by a webhook, and the clock can be moved", async () => {
  await sandbox.freeze();
  await sandbox.listen();
  await sandbox.shop.pay("92.00", CARD);

  assert.ok((await sandbox.inbox(1)).length >= 1);
  await sandbox.advance("29m");
});
