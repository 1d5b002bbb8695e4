// The payment side of a small shop. It knows an address and credentials, nothing of a sandbox.

class Shop {
  constructor(url, token, entityId) {
    this.url = url;
    this.token = token;
    this.entityId = entityId;
  }

  // Charge a card (DB), or reserve on it (PA).
  pay(amount, card, paymentType = "DB") {
    const sent = { paymentType, amount, currency: "EUR" };
    for (const [name, value] of Object.entries(card)) sent[`card.${name}`] = value;
    return this.post("v1/payments", sent);
  }

  // Take what was reserved, or a part of it.
  capture(payment, amount) {
    return this.post(`v1/payments/${payment}`, { paymentType: "CP", amount, currency: "EUR" });
  }

  // Give back what was taken, or a part of it.
  refund(payment, amount) {
    return this.post(`v1/payments/${payment}`, { paymentType: "RF", amount, currency: "EUR" });
  }

  async post(path, sent) {
    const response = await fetch(this.url + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.token}` },
      body: new URLSearchParams({ entityId: this.entityId, ...sent }),
    });
    return { status: response.status, body: await response.json() };
  }
}

// The shop that `sandgate run` describes.
function shopFromEnvironment(environment = process.env) {
  const { SANDGATE_URL, SANDGATE_TOKEN, SANDGATE_ENTITY_ID } = environment;
  return new Shop(SANDGATE_URL, SANDGATE_TOKEN, SANDGATE_ENTITY_ID);
}

module.exports = { Shop, shopFromEnvironment };
