"""Reports: the transactions of a merchant, by id, by reference, by time."""

from collections import Counter
from collections.abc import Iterator

import pytest
from falcon.testing import Result

from simulator.adapters.store.store import DocumentStore
from simulator.catalogue.results import RESULTS
from simulator.tests.kit.gateway import Credentials, Gateway

DAY = {"date.from": "2026-11-20", "date.to": "2026-11-20"}
FROZEN = {"mode": "frozen", "at": "2026-11-20T12:00:00"}


class Shop:
    """A merchant of a sandbox whose clock stands."""

    def __init__(self, gateway: Gateway, **options: object):
        self.gateway = gateway
        made = gateway.control("POST", "/sandboxes", {"clock": FROZEN, **options}).json
        self.id = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])
        self.live = Credentials(made["live_token"], made["entity_id"], "live")

    def pay(self, **more: str) -> str:
        """The id of a payment."""
        return self.gateway.post(who=self.who, **more).json["id"]

    def refer(self, identity: str, kind: str, amount: str) -> str:
        """The id of one that refers to it."""
        sent = {"entityId": self.who.entity_id, "paymentType": kind, "amount": amount,
                "currency": "EUR"}  # fmt: skip
        return self.gateway.send(f"/v1/payments/{identity}", sent, self.who).json["id"]

    def ask(self, path: str = "/v1/query", **query: str) -> Result:
        """A report."""
        return self.gateway.client.simulate_get(
            path,
            params={"entityId": self.who.entity_id, **query},
            headers={"Authorization": f"Bearer {self.who.token}"},
            extras={"sandgate.listener": self.who.listener},
        )

    def ids(self, path: str = "/v1/query", **query: str) -> list[str]:
        """The transactions of a report."""
        answer = self.ask(path, **query)
        assert (answer.status_code, answer.json["result"]["code"]) == (200, "000.000.100")
        return [each["id"] for each in answer.json["payments"]]

    def records(self, path: str = "/v3/query", **query: str) -> list[str]:
        """The transactions of a report in pages."""
        body = self.ask(path, **query).json
        assert body["result"]["code"] == "000.000.100" and "payments" not in body
        assert body["pages"] == 1
        return [each["id"] for each in body["records"]]

    def advance(self, by: str) -> None:
        """Move the clock."""
        self.gateway.control("POST", f"/sandboxes/{self.id}/clock/advance", {"by": by})


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("reports") / "data")
    yield made
    made.close()


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def test_a_report_by_id_says_when_it_was_made_and_a_list_when_its_transactions_were(
    gateway: Gateway,
) -> None:
    shop = Shop(gateway)
    identity = shop.pay()
    shop.advance("3h")

    assert shop.ask(f"/v1/query/{identity}").json["timestamp"] == "2026-11-20 15:00:00+0000"
    (record,) = shop.ask(f"/v3/query/{identity}").json["records"]
    assert record["timestamp"] == "2026-11-20 12:00:00+0000"


def test_one_transaction_is_its_payment_and_what_only_reports_show(shop: Shop) -> None:
    paid = shop.gateway.post(who=shop.who, merchantMemo="for accounting").json
    body = shop.ask(f"/v1/query/{paid['id']}").json
    assert "merchantMemo" not in paid and body["merchantMemo"] == "for accounting"
    changing = {"ndc", "timestamp", "merchantMemo", "shortId", "source", "paymentMethod"}
    assert {name: body[name] for name in body if name not in changing} == {
        name: paid[name] for name in paid if name not in changing
    }
    assert (body["source"], body["paymentMethod"]) == ("OPP", "CC")
    assert body["ndc"] != paid["ndc"]


def test_an_unknown_transaction_is_not_found(shop: Shop) -> None:
    answer = shop.ask("/v1/query/8" + "a" * 31)
    assert (answer.status_code, answer.json["result"]["code"]) == (404, "700.400.580")
    assert "cannot find transaction" in answer.json["result"]["description"]
    answer = shop.ask(merchantTransactionId="never sent")
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "700.400.580")


def test_a_reference_finds_all_that_carry_it(shop: Shop) -> None:
    ours = [shop.pay(merchantTransactionId="order-0001") for _ in range(3)]
    shop.pay(merchantTransactionId="order-0002")
    assert shop.ids(merchantTransactionId="order-0001") == ours
    assert shop.ids(merchantTransactionId="order-0001", limit="2", pageNo="2") == ours[2:]


def test_a_day_holds_its_first_and_its_last_instant(shop: Shop) -> None:
    noon = shop.pay()
    shop.advance("11h59m59s")
    last = shop.pay()
    shop.advance("1s")
    shop.pay()
    assert shop.ids(**DAY) == [noon, last]
    assert shop.ids(**{**DAY, "date.from": "2026-11-19"}) == [noon, last]
    assert len(shop.ids(**{**DAY, "date.to": "2026-11-21"})) == 3
    assert shop.ids(**{"date.from": "2026-11-22", "date.to": "2026-12-31"}) == []


def test_profile_field_names_times_too(gateway: Gateway) -> None:
    shop = Shop(gateway, profile="field")
    first = shop.pay()
    shop.advance("10s")
    shop.pay()
    frame = {"date.from": "2026-11-20 12:00:00", "date.to": "2026-11-20 12:00:09"}
    assert shop.ids(**frame) == [first]
    assert Shop(gateway).ask(**frame).status_code == 400


def test_pages_hold_each_transaction_once(shop: Shop) -> None:
    made = [shop.pay() for _ in range(7)]
    found = []
    for number in "123":
        answer = shop.ask("/v3/query", **DAY, limit="3", pageNo=number).json
        assert answer["pages"] == 3
        found += [each["id"] for each in answer["records"]]
    assert found == made
    assert shop.ask("/v3/query", **DAY, limit="3", pageNo="4").json["records"] == []


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_a_report_that_goes_on_says_how_many_pages_there_are(
    gateway: Gateway, profile: str
) -> None:
    shop = Shop(gateway, profile=profile)
    made = [shop.pay(merchantTransactionId="order-0001") for _ in range(3)]
    shop.refer(made[0], "RF", "10.00")
    many = {**DAY, "limit": "2"}
    assert list(shop.ask(**many).json)[:3] == ["result", "pages", "payments"]
    assert [shop.ask(**many, pageNo=page).json["pages"] for page in "123"] == [2, 2, 2]
    assert shop.ask(merchantTransactionId="order-0001", limit="2").json["pages"] == 2
    # A filter holds within a page: an empty one is not the end.
    filtered = [shop.ask(**many, paymentTypes="RF", pageNo=page).json for page in "12"]
    assert [(each["pages"], len(each["payments"])) for each in filtered] == [(2, 0), (2, 1)]
    # What is whole is answered as recorded.
    assert "pages" not in shop.ask(**DAY).json
    assert "pages" not in shop.ask(merchantTransactionId="order-0001", limit="3").json


def test_the_newer_path_reports_one_transaction_as_a_page(shop: Shop) -> None:
    held = shop.pay(paymentType="PA")
    capture = shop.refer(held, "CP", "10.00")
    linked = {"includeLinkedTransactions": "true"}
    assert shop.records(f"/v3/query/{held}") == [held]
    assert shop.records(f"/v3/query/{held}", **linked) == [held, capture]
    assert shop.records(f"/v3/query/{held}", **linked, paymentTypes="CP") == [capture]
    assert shop.records(f"/v3/query/{held}", paymentMethods="VA") == []
    answer = shop.ask("/v3/query/8" + "a" * 31)
    assert (answer.status_code, answer.json["result"]["code"]) == (404, "700.400.580")


@pytest.mark.parametrize("path", ["/v1/query", "/v3/query"])
def test_profile_field_reports_up_to_the_present_without_an_end(
    gateway: Gateway, path: str
) -> None:
    shop = Shop(gateway, profile="field")
    made = [shop.pay() for _ in range(2)]
    name = {"/v1/query": "payments", "/v3/query": "records"}[path]
    for first, expected in (("2026-11-20", made), ("2026-11-21", [])):
        body = shop.ask(path, **{"date.from": first}).json
        assert [each["id"] for each in body[name]] == expected
    assert shop.ask(path, **{"date.to": "2026-11-20"}).status_code == 400
    assert Shop(gateway).ask(path, **{"date.from": "2026-11-20"}).status_code == 400


def test_filters_pick_from_a_page(shop: Shop) -> None:
    held = shop.pay(paymentType="PA")
    capture = shop.refer(held, "CP", "10.00")
    debit = shop.pay()
    assert shop.ids(**DAY, paymentTypes="CP,DB") == [capture, debit]
    assert shop.ids(**DAY, paymentMethods="VA") == []
    assert len(shop.ids(**DAY, paymentMethods="VA,CC")) == 3


def test_linked_transactions_are_the_whole_tree_each_once(shop: Shop) -> None:
    held = shop.pay(paymentType="PA")
    captures = [shop.refer(held, "CP", amount) for amount in ("10.00", "20.00")]
    refund = shop.refer(captures[0], "RF", "5.00")
    shop.pay()
    tree = {held, *captures, refund}
    for each in tree:
        found = shop.ids(f"/v1/query/{each}", includeLinkedTransactions="true")
        assert set(found) == tree and len(found) == len(tree)
    found = shop.ids(**DAY, paymentTypes="RF", includeLinkedTransactions="true")
    assert set(found) == tree


def test_linked_transactions_come_oldest_first_however_deep_they_are(shop: Shop) -> None:
    held = shop.pay(paymentType="PA", merchantTransactionId="order-0001")
    tree = [held]
    for to, kind in ((0, "CP"), (1, "RF"), (0, "CP"), (3, "RF"), (1, "RF")):
        shop.advance("1h")
        tree.append(shop.refer(tree[to], kind, "5.00" if kind == "CP" else "2.00"))
    linked = {"includeLinkedTransactions": "true"}
    assert shop.records(f"/v3/query/{held}", **linked) == tree
    assert shop.ids(merchantTransactionId="order-0001", **linked) == tree
    assert shop.records(**DAY, **linked) == tree
    # One that is asked for by its id comes before the others.
    assert shop.ids(f"/v1/query/{tree[2]}", **linked) == [tree[2], *tree[:2], *tree[3:]]


def test_a_page_of_payments_of_one_tree_walks_the_tree_once(shop: Shop, monkeypatch) -> None:
    top = shop.pay(amount="92.00")
    refunds = [shop.refer(top, "RF", "0.01") for _ in range(10)]
    walked: list[str] = []
    find = DocumentStore.find

    def counted(store: DocumentStore, kind: type, index: str, key: str) -> list:
        walked.append(key)
        return find(store, kind, index, key)

    monkeypatch.setattr(DocumentStore, "find", counted)
    found = shop.ids(**DAY, includeLinkedTransactions="true")

    assert sorted(found) == sorted([top, *refunds])
    assert max(Counter(walked).values()) == 1


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"date.from": "2026-11-20"},
        {"date.from": "2026-11-20", "date.to": "2026-11-31"},
        {"date.from": "2026-11-21", "date.to": "2026-11-20"},
        {**DAY, "limit": "501"},
        {**DAY, "pageNo": "0"},
        {**DAY, "paymentTypes": "PA CP"},
        {**DAY, "paymentTypes": "PA,XX"},
        {**DAY, "paymentMethods": "XX"},
        {**DAY, "amount": "1.00"},
        {"date.from": "9999-12-31", "date.to": "0001-01-01"},
    ],
)
def test_a_malformed_report_is_refused_with_what_is_wrong(shop: Shop, query: dict) -> None:
    answer = shop.ask(**query)
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "200.300.404")
    assert answer.json["result"]["parameterErrors"]


def test_the_end_of_time_is_a_day_like_any(shop: Shop) -> None:
    assert shop.ids(**{"date.from": "0001-01-01", "date.to": "9999-12-31"}) == []


def test_another_merchant_and_the_other_host_stay_unseen(gateway: Gateway, shop: Shop) -> None:
    theirs = shop.pay(merchantTransactionId="order-0003")
    other = Shop(gateway)
    assert other.ask(f"/v1/query/{theirs}").status_code == 404
    assert other.ids(**DAY) == []
    live = gateway.post(who=gateway.live).json["id"]
    answer = gateway.client.simulate_get(
        f"/v1/query/{live}",
        params={"entityId": gateway.merchant.entity_id},
        headers={"Authorization": f"Bearer {gateway.merchant.token}"},
    )
    assert answer.status_code == 404


def test_a_long_page_leaves_in_pieces(shop: Shop) -> None:
    cart = {f"cart.items[{n}].name": "x" * 200 for n in range(400)}
    made = [shop.pay(**cart) for _ in range(3)]
    answer = shop.ask(**DAY)
    assert len(answer.content) > 200_000
    assert [each["id"] for each in answer.json["payments"]] == made
    assert set(answer.json) == {"result", "payments", "buildNumber", "timestamp", "ndc"}


def test_anybody_may_read_the_result_codes(gateway: Gateway) -> None:
    body = gateway.client.simulate_get("/v1/resultcodes").json
    assert {each["code"] for each in body["resultCodes"]} == set(RESULTS)
    assert all(each["description"] for each in body["resultCodes"])


@pytest.mark.parametrize("asked", [DAY, {"merchantTransactionId": "order-0001"}])
def test_a_report_counts_the_payments_of_its_own_host_alone(
    gateway: Gateway, shop: Shop, asked: dict[str, str]
) -> None:
    for _ in range(3):
        gateway.post(who=shop.live, merchantTransactionId="order-0001")
    made = shop.pay(merchantTransactionId="order-0001")
    assert shop.ids(**asked, limit="1") == shop.records(**asked, limit="1") == [made]
    shop.who = shop.live
    assert len(shop.ids(**asked)) == 3
    second = shop.ask("/v3/query", **asked, limit="2", pageNo="2").json
    assert (second["pages"], len(second["records"])) == (2, 1)


def test_a_reference_of_the_other_host_is_unknown(gateway: Gateway, shop: Shop) -> None:
    gateway.post(who=shop.live, merchantTransactionId="order-0001")
    for path in ("/v1/query", "/v3/query"):
        answer = shop.ask(path, merchantTransactionId="order-0001")
        assert (answer.status_code, answer.json["result"]["code"]) == (400, "700.400.580")
