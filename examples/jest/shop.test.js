// Run with: sandgate run -- npx jest examples/jest
// or, without installing anything: sandgate run -- node --test examples/jest/

const assert = require("node:assert/strict");
const { shopFromEnvironment } = require("./shop.js");

// Jest brings `test`; the runner of Node is asked for its own.
const test = globalThis.test ?? require("node:test");

const CARD = {
  number: "4200000000000000",
  holder: "Jane Jones",
  expiryMonth: "05",
  expiryYear: "2034",
  cvv: "123",
};
const shop = shopFromEnvironment();

test("a good card is charged", async () => {
  const paid = await shop.pay("92.00", CARD);

  assert.equal(paid.status, 200);
  assert.equal(paid.body.result.code, "000.100.110");
});

test("a card without funds is declined", async () => {
  // A result code as card holder is the answer of the acquirer.
  const declined = await shop.pay("92.00", { ...CARD, holder: "800.100.203" });

  assert.equal(declined.status, 400);
  assert.equal(declined.body.result.code, "800.100.203");
});

test("an authorization is captured in parts and refunded", async () => {
  const authorized = await shop.pay("92.00", CARD, "PA");
  const captured = await shop.capture(authorized.body.id, "60.00");

  assert.equal((await shop.capture(authorized.body.id, "32.00")).status, 200);
  assert.equal((await shop.capture(authorized.body.id, "0.01")).status, 400);
  assert.equal((await shop.refund(captured.body.id, "10.00")).status, 200);
});

test("a wrong amount is named", async () => {
  const refused = await shop.pay("92,00", CARD);

  assert.equal(refused.status, 400);
  // Array.from: Jest runs tests in a realm of their own, and an array of an answer is of another.
  const names = Array.from(refused.body.result.parameterErrors, (error) => error.name);
  assert.deepEqual(names, ["amount"]);
});
