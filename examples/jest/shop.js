// The payment side of a small shop. It needs only an address and credentials.

class Shop {
  constructor(url, token, entityId) {
    this.url = url;
    this.token = token;
    this.entityId = entityId;
  }

  // Charge a card (DB), or authorize an amount (PA).
  pay(amount, card, paymentType = "DB") {
    const sent = { paymentType, amount, currency: "EUR" };
    for (const [name, value] of Object.entries(card)) sent[`card.${name}`] = value;
    return this.post("v1/payments", sent);
  }

  // Capture an authorized amount, or a part of it.
  capture(payment, amount) {
    return this.post(`v1/payments/${payment}`, { paymentType: "CP", amount, currency: "EUR" });
  }

  // Refund a captured amount, or a part of it.
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
