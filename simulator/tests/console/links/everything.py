"""A sandbox with something of everything that pages of the console link to."""

from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.terminals.keys import Device, sent_by

MONEY = {"amount": "92.00", "currency": "EUR"}
MONTHLY = {"job.dayOfMonth": "05", "job.hour": "07", "paymentType": "DB", **MONEY}
BANK_ACCOUNT = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
} | dict.fromkeys(
    ("card.number", "card.holder", "card.expiryMonth", "card.expiryYear", "card.cvv"), None
)
CHALLENGED = {"card.number": "4200000000000042", "shopperResultUrl": "https://shop.example/"}
CODES = ("800.100.152", "900.100.300", "000.200.000", "000.400.000", "300.100.100")


def fill(gateway: Gateway, sandbox: str) -> None:
    """Make it, on both hosts, with the pages of a settlement that has fees and payouts."""
    control = f"/sandboxes/{sandbox}"
    _configure(gateway, control)
    for who in (gateway.merchant, gateway.live):
        _pay(gateway, who)
    _pay_at_a_terminal(gateway, sandbox)
    gateway.control("POST", f"{control}/drain", {})
    for _ in range(3):
        gateway.control("POST", f"{control}/clock/advance", {"by": "2d"})
        gateway.post()
        gateway.control("POST", f"{control}/settlements", {})
    gateway.control("POST", f"{control}/drain", {})


def teach(gateway: Gateway, trainer: Visitor, sandbox: str) -> None:
    """Begin a lesson and a class, record a story, and invite a person."""
    person_of(gateway, "viewer", "carl")
    root = f"/console/{sandbox}"
    trainer.get("/console/lessons")
    trainer.post(f"{root}/recording", {"deed": "begin"})
    trainer.post(f"{root}/start", {"name": "pay"})
    trainer.post(f"{root}/recording/keep", {"title": "Kept"})
    stage = trainer.post("/console/lessons", {"story": "first-payment"}).headers["Location"]
    assert trainer.post(f"{stage}/next").status_code == 303
    trainer.post("/console/classes", {"seed": "1", "stage": sandbox})


def _configure(gateway: Gateway, control: str) -> None:
    merchant = gateway.control("GET", f"{control}/merchants").json["merchants"][0]
    channel = f"{control}/merchants/{merchant['id']}/channels/{gateway.merchant.entity_id}"
    assert gateway.control("PATCH", channel, {"risk": ["risk-amount"]}).status_code == 200
    gateway.control(
        "POST", f"{control}/merchants", {"name": "Another", "channels": [{"name": "A"}]}
    )
    gateway.control("POST", f"{control}/webhooks", {"url": "inbox"})
    gateway.control("POST", f"{control}/scripts", {"behaviour": "approve", "times": 3})


def _pay(gateway: Gateway, who: Credentials) -> None:
    def refer(identity: str, kind: str, **more: str) -> str:
        sent = {"entityId": who.entity_id, "paymentType": kind, **more}
        return str(gateway.send(f"/v1/payments/{identity}", sent, who).json["id"])

    sale = gateway.post(who=who, merchantTransactionId="order 4711", createRegistration="true").json
    refer(refer(sale["id"], "RF", **MONEY | {"amount": "1.00"}), "CB", **MONEY | {"amount": "1.00"})
    refer(refer(sale["id"], "CB", **MONEY | {"amount": "2.00"}), "CR")
    held = gateway.post(who=who, paymentType="PA").json["id"]
    refer(refer(held, "CP", **MONEY | {"amount": "5.00"}), "RF", **MONEY | {"amount": "2.00"})
    refer(gateway.post(who=who, paymentType="PA").json["id"], "RV")
    gateway.post(who=who, paymentType="CD")
    for code in CODES:
        gateway.post(who=who, **{"card.holder": code})
    for more in ({"amount": "x"}, {"amount": "600.00"}, CHALLENGED, BANK_ACCOUNT):
        gateway.post(who=who, **more)
    refer("8" + "0" * 31, "RF", **MONEY)
    entity = {"entityId": who.entity_id}
    gateway.send("/v1/checkouts", {**entity, "paymentType": "DB", **MONEY}, who)
    scheduled = {**entity, **MONTHLY, "registrationId": sale["registrationId"]}
    gateway.send("/scheduling/v1/schedules", scheduled, who)
    paid = {**entity, "paymentType": "DB", **MONEY}
    gateway.send(f"/v1/registrations/{sale['registrationId']}/payments", paid, who)


def _pay_at_a_terminal(gateway: Gateway, sandbox: str) -> None:
    device = Device.of(gateway, sandbox, method="AES")
    assert gateway.post(**sent_by(device)).status_code == 200
