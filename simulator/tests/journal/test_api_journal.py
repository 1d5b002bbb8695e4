"""The journal of a sandbox, as a merchant's developer asks it: what happened, and why."""

import json
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import gevent
import pytest
from falcon.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.domain.masking.masking import MASK
from simulator.tests.kit.gateway import CONTROL_KEY, FORM, ORDER, Gateway

NUMBER = ORDER["card.number"]
SHOWN = "420000******0000"


class Journal:
    """The journal of the default sandbox."""

    def __init__(self, gateway: Gateway):
        self._gateway = gateway
        self.sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]

    def ask(self, path: str = "journal") -> Result:
        """What the control API answers."""
        return self._gateway.control("GET", f"/sandboxes/{self.sandbox}/{path}")

    def entries(self, search: str = "") -> list[dict]:
        """The exchanges that are found, newest first."""
        found = self.ask(f"journal?{search}").json["entries"]
        return [entry for entry in found if entry["kind"] == "exchange"]

    def arm(self, **script: object) -> str:
        """The id of a script that is armed."""
        path = f"/sandboxes/{self.sandbox}/scripts"
        return self._gateway.control("POST", path, script).json["id"]


@pytest.fixture
def journal(gateway: Gateway) -> Journal:
    return Journal(gateway)


def test_an_exchange_is_found_by_its_ndc_masked(gateway: Gateway, journal: Journal) -> None:
    answer = gateway.post()

    entry = journal.ask(f"journal/{answer.json['ndc']}").json

    assert (entry["method"], entry["path"], entry["status"]) == ("POST", "/v1/payments", 200)
    sent = {"entityId": gateway.merchant.entity_id, **ORDER}
    assert entry["request"] == {**sent, "card.number": SHOWN, "card.cvv": MASK}
    assert entry["answer"] == answer.json
    assert entry["payments"] == [answer.json["id"]]
    assert entry["entity"] == gateway.merchant.entity_id
    assert entry["duration_ms"] > 0


def test_a_request_with_a_repeated_name_is_shown(gateway: Gateway, journal: Journal) -> None:
    sent = {"entityId": gateway.merchant.entity_id, **ORDER}
    body = urlencode([*sent.items(), ("amount", "93.00"), ("card.number", NUMBER)])
    answer = gateway.client.simulate_post(
        "/v1/payments",
        body=body,
        headers={"Authorization": f"Bearer {gateway.merchant.token}"},
        content_type=FORM,
    )

    entry = journal.ask(f"journal/{answer.json['ndc']}").json

    shown = {**sent, "amount": "93.00", "card.number": SHOWN, "card.cvv": MASK}
    assert (entry["status"], entry["request"]) == (400, shown)
    assert entry["rules"] == ["D-04 amount", "D-04 card.number"]


def test_it_shows_the_messages_with_the_acquirer(gateway: Gateway, journal: Journal) -> None:
    answer = gateway.post(merchantInvoiceId="invoice-1")

    asked, answered = journal.ask(f"journal/{answer.json['ndc']}").json["messages"]

    assert (asked["sender"], asked["receiver"], asked["label"]) == (
        "gateway", "acquirer", "DB 92.00 EUR",
    )  # fmt: skip
    assert (asked["body"]["card.number"], asked["body"]["card.cvv"]) == (SHOWN, MASK)
    assert "card.holder" in asked["body"]["parameters"]
    assert "merchantInvoiceId" not in asked["body"]["parameters"]
    assert answered["body"]["code"] == answered["label"] == "000.100.110"


def test_it_says_who_decided_and_what_nearly_did(gateway: Gateway, journal: Journal) -> None:
    used = journal.arm(behaviour="decline", match={"amount": "92.00"})
    missed = journal.arm(behaviour="decline", match={"amount": "10.00"})

    entry = journal.ask(f"journal/{gateway.post().json['ndc']}").json

    assert entry["decided_by"] == f"script {used}"
    assert entry["near_misses"] == [f"script {missed}: amount: expected 10.00, got 92.00"]


@pytest.mark.parametrize(
    ("sent", "rules", "error"),
    [
        ({"card.cvv": "12", "nonsense": "1"}, ["card.cvv", "D-02 nonsense"], ""),
        ({"card.number": "4200000000000001"}, [], "card.number: the check digit"),
        ({"currency": "EUR", "entityId": "8" * 32}, [], "Forbidden: the entity is not known"),
    ],
)
def test_it_says_which_rule_was_broken_or_what_refused(
    gateway: Gateway, journal: Journal, sent: dict, rules: list, error: str
) -> None:
    gateway.post(**sent)

    (entry,) = journal.entries()

    assert entry.get("rules", []) == rules
    assert error in entry.get("error", "")


def test_a_request_without_a_sandbox_is_in_the_journal_of_the_server(gateway: Gateway) -> None:
    answer = gateway.client.simulate_get("/v1/payments/1")

    entry = gateway.control("GET", f"/journal/{answer.json['ndc']}").json

    assert entry["status"] == 401
    assert "expected the Bearer scheme" in entry["error"]
    assert gateway.control("GET", "/journal").json["entries"][0]["ndc"] == answer.json["ndc"]


def test_pages_and_the_control_api_are_no_exchanges(gateway: Gateway, journal: Journal) -> None:
    gateway.client.simulate_get("/openapi.json")
    gateway.client.simulate_get("/_sandbox/v1/sandboxes")
    journal.ask("journal/nothing")

    assert journal.entries() == []
    assert gateway.control("GET", "/journal").json["entries"] == []


def test_a_search_narrows_by_payment_path_and_code(gateway: Gateway, journal: Journal) -> None:
    payment = gateway.post(paymentType="PA").json["id"]
    capture = gateway.refer(payment, "CP", amount="92.00", currency="EUR").json["id"]
    gateway.post(nonsense="1")
    gateway.read(payment)

    def methods(search: str) -> list[str]:
        return [entry["method"] for entry in journal.entries(search)]

    assert methods(f"payment={payment}") == ["GET", "POST", "POST"]
    assert methods(f"payment={capture}") == ["POST"]
    assert methods(f"payment={payment}&path=/v1/payments/{payment}") == ["GET", "POST"]
    assert methods("code=200.") == ["POST"]
    assert methods("code=600") == []
    assert len(methods("path=/v1/payments")) == 4


def test_a_search_narrows_by_world_time(gateway: Gateway, journal: Journal) -> None:
    clock = f"/sandboxes/{journal.sandbox}/clock"
    gateway.control("PUT", clock, {"mode": "frozen", "at": "2027-01-01T00:00:00Z"})
    early = gateway.post().json["ndc"]
    gateway.control("POST", f"{clock}/advance", {"by": "1d"})
    late = gateway.post().json["ndc"]

    def found(search: str) -> list[str]:
        return [entry["ndc"] for entry in journal.entries(search)]

    assert found("since=2027-01-02") == [late]
    assert found("until=2027-01-02T00:00:00Z") == [early]
    assert found("since=2027-01-01T00:00:00%2B00:00") == [late, early]
    assert found("since=2027-01-01T00:00:00+00:00&until=2027-01-01T12:00:00") == [early]
    assert journal.entries("since=2027-01-02")[0]["at"] == "2027-01-02T00:00:00Z"


def test_pages_follow_each_other_without_gap(gateway: Gateway, journal: Journal) -> None:
    sent = [gateway.post().json["ndc"] for _ in range(5)]
    read, before = [], ""
    while True:
        page = journal.ask(f"journal?path=/v1&limit=2{before}").json
        read += [entry["ndc"] for entry in page["entries"]]
        if page["next"] is None:
            break
        before = f"&before={page['next']}"
    assert read == sent[::-1]


def test_following_returns_new_entries(gateway: Gateway, journal: Journal) -> None:
    gateway.post()
    newest = journal.ask("journal?limit=1").json["newest"]
    follower = gevent.spawn(journal.ask, f"journal?after={newest}&follow=5s&path=/v1")
    gevent.sleep(0)
    ndc = gateway.post().json["ndc"]

    found = follower.get(timeout=5).json["entries"]
    assert [entry["ndc"] for entry in found] in ([ndc], [])
    assert [entry["ndc"] for entry in journal.entries(f"after={newest}")] == [ndc]


def test_a_reset_empties_the_journal_and_counts_anew(gateway: Gateway, journal: Journal) -> None:
    ndc = gateway.post().json["ndc"]
    gateway.control("POST", f"/sandboxes/{journal.sandbox}/reset")

    assert journal.entries() == []
    assert journal.ask(f"journal/{ndc}").status_code == 404
    gateway.post()
    assert len(journal.entries("after=999")) == 1


def test_sandboxes_do_not_see_each_other(gateway: Gateway, journal: Journal) -> None:
    other = gateway.sandbox()
    ndc = gateway.post(who=other).json["ndc"]
    assert journal.entries() == []
    assert journal.ask(f"journal/{ndc}").status_code == 404


@pytest.mark.parametrize(
    ("query", "where", "expected"),
    [
        ("limit=0", "limit", "a number from 1 to 500"),
        ("limit=many", "limit", "a whole number"),
        ("before=-1", "before", "a whole number"),
        ("since=yesterday", "since", "an instant such as"),
        ("follow=61s", "follow", "at most 60s"),
        ("follow=soon", "follow", "a span such as"),
        ("ndc=1&ndc=2", "ndc", "one value"),
        ("nds=1", "nds", "one of ndc, payment, path"),
    ],
)
def test_a_search_that_cannot_be_says_what_was_expected(
    journal: Journal, query: str, where: str, expected: str
) -> None:
    answer = journal.ask(f"journal?{query}")

    assert answer.status_code == 400
    assert answer.json["error"]["where"] == where
    assert expected in answer.json["error"]["expected"]


@pytest.mark.parametrize(
    "path", ["journal", "journal/1", "payments/1/trace", "payments/1/trace.svg"]
)
def test_the_journal_opens_to_the_keys_of_the_server_and_of_the_sandbox(
    gateway: Gateway, path: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    statuses = {}
    for key in (CONTROL_KEY, made["control_key"], made["token"]):
        statuses[key] = gateway.client.simulate_get(
            f"/_sandbox/v1/sandboxes/{made['id']}/{path}",
            headers={"Authorization": f"Bearer {key}"},
        ).status_code
    assert (
        statuses[CONTROL_KEY]
        == statuses[made["control_key"]]
        == (200 if path == "journal" else 404)
    )
    assert statuses[made["token"]] == 401


def test_a_long_request_is_cut_and_says_so(gateway: Gateway, journal: Journal) -> None:
    memo = f"{'x' * 195}{NUMBER}" + "y" * 20_000
    gateway.post(merchantMemo=memo, **{f"customParameters[{n}]": "z" for n in range(300)})

    (entry,) = journal.entries()

    assert entry["cut"]
    assert len(json.dumps(entry)) < 30_000
    assert NUMBER[:5] not in entry["request"]["merchantMemo"]
    assert entry["request"]["merchantMemo"].endswith("... (20211 characters)")


def test_the_count_of_the_settings_bounds_the_journal(tmp_path: object) -> None:
    gateway = Gateway(tmp_path / "data", journal_count=5)
    journal = Journal(gateway)
    sent = [gateway.post().json["ndc"] for _ in range(9)]

    assert len(journal.ask().json["entries"]) == 5
    assert journal.ask(f"journal/{sent[0]}").status_code == 404
    gateway.close()


SECRET_NAMES = st.sampled_from(
    [
        "card.number", "card.cvv", "card.cvc", "card.numbr", "mobileWallet.paymentToken",
        "pos.encryptedPin.data", "risk.accountToken", "threeDSecure.v1.visa.password",
        "customParameters[cvv]", "customParameters[apiKey]", "password", "accessToken",
    ]
)  # fmt: skip
OTHER_NAMES = st.sampled_from(
    ["merchantTransactionId", "merchantMemo", "card.holder", "customParameters[x]",
     "customer.email",
     "shopperResultUrl", "cart.items[0].name", "nonsense", "billing.street1"]
)  # fmt: skip
SECRETS = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00\ufffd", exclude_categories=("Cs",)),
    max_size=40,
).map(lambda text: f"zq-zq-{text}")
CARD_NUMBERS = st.sampled_from(
    ["4200000000000000", "5454545454545454", "375987000000005", "36961903000009",
     "6759649826438453",
     "4012000000060085", "501800000009"]
)  # fmt: skip
NEITHER_DIGIT_NOR_SIGN = "\x00\ufffd0123456789 -"
AROUND = st.text(
    st.characters(
        codec="utf-8", exclude_characters=NEITHER_DIGIT_NOR_SIGN, exclude_categories=("Cs",)
    ),
    max_size=12,
)  # fmt: skip


@st.composite
def hostile_requests(draw: st.DrawFn) -> tuple[dict[str, str], set[str], str]:
    """Parameters, what of them is secret, and a path; card numbers and secrets stand anywhere."""
    number = draw(CARD_NUMBERS)
    hidden = draw(st.dictionaries(SECRET_NAMES, SECRETS, max_size=4))
    names = draw(st.lists(OTHER_NAMES, max_size=3, unique=True))
    parts = st.sampled_from([number, *hidden.values()])
    others = {name: f"{draw(AROUND)}{draw(parts)}{draw(AROUND)}" for name in names}
    path = draw(st.sampled_from(["/v1/payments", f"/v1/payments/{number}", f"/v1/x{number}"]))
    base = draw(st.sampled_from([{}, {**ORDER, "card.number": number}]))
    # Known secrets are sought in every text; that of a test must not be a word of our own.
    return {**base, **others, **hidden}, {number, *hidden.values()}, path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """A gateway whose journal is read after each of many requests."""
    made = Gateway(tmp_path_factory.mktemp("journal") / "data", journal_count=6)
    yield made
    made.close()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(hostile_requests())
def test_no_secret_of_any_request_is_in_the_journal(kept: Gateway, sent: tuple) -> None:
    parameters, secrets, path = sent
    known = kept.merchant
    ndc = kept.send(quote(path), {"entityId": known.entity_id, **parameters}).json["ndc"]

    found = Journal(kept).ask(f"journal/{ndc}")
    entry = found.json if found.status_code == 200 else kept.control("GET", f"/journal/{ndc}").json

    assert entry["ndc"] == ndc
    shown = [word for word in words_of(entry) if any(secret in word for secret in secrets)]
    assert shown == []
    assert entry.get("request", {}).get("card.cvv", MASK) == MASK


def words_of(value: object) -> Iterator[str]:
    """Every text in a document, names too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from words_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from words_of(each)
