"""The same seed and the same calls give the same names, amounts, dates, outcomes and events."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from schwifty import IBAN

from simulator.adapters.draws import SeededDraws
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.twins import SeededIds

CLOCK = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
ID = re.compile(r"\b[0-9a-f]{32}\b")
CALLS = 50
BY_BANK = {
    "paymentType": "PA",
    "paymentBrand": "PREPAYMENT",
    "amount": "92.00",
    "currency": "EUR",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "COBADEFFXXX",
    "bankAccount.country": "DE",
}


class Player:
    """Plays calls in a sandbox of its own, and notes what comes of them."""

    def __init__(self, gateway: Gateway, seed: int):
        self.gateway = gateway
        merchants = [{"channels": [{}, {}]}, {}]
        options = {"seed": seed, "clock": CLOCK, "merchants": merchants}
        self.made = gateway.control("POST", "/sandboxes", options).json
        self.path = f"/sandboxes/{self.made['id']}"
        self.who = Credentials(self.made["token"], self.made["entity_id"])
        self.notes: list = [gateway.control("GET", f"{self.path}/merchants").json]
        self.last = ""
        hook = {"url": "inbox", "format": "json"}
        endpoint = self.control("POST", "/webhooks", hook)
        self.control("POST", f"/webhooks/{endpoint['id']}/activate", {})

    def control(self, method: str, path: str, document: object = None) -> dict:
        """A call of the control API about the sandbox."""
        return self.gateway.control(method, self.path + path, document).json

    def play(self, count: int = CALLS, first: int = 0) -> None:
        """Make these calls."""
        for number in range(first, first + count):
            self.notes.append(TURNS[number % len(TURNS)](self, number))
            self.control("POST", "/drain", {"timeout": "5s"})

    def story(self) -> str:
        """Everything that was seen, ids replaced by the order in which they appeared."""
        self.notes.append(self.control("GET", "/inbox")["arrived"])
        known: dict[str, str] = {}

        def number_of(found: re.Match) -> str:
            return known.setdefault(found[0], f"id {len(known)}")

        return ID.sub(number_of, json.dumps(self.notes, indent=1, sort_keys=True))


def pay(player: Player, number: int, **sent: str) -> dict:
    answer = player.gateway.post(who=player.who, amount=f"{number + 1}.00", **sent).json
    player.last = answer.get("id", player.last)
    return answer


def capture(player: Player, number: int) -> dict:
    sent = {"entityId": player.who.entity_id, "paymentType": "CP"}
    sent |= {"amount": "1.00", "currency": "EUR"}
    return player.gateway.send(f"/v1/payments/{player.last}", sent, player.who).json


def pend(player: Player, number: int) -> dict:
    arm = {"behaviour": "pending-then-approved", "times": 1}
    player.control("POST", "/scripts", arm)
    return pay(player, number)


def advance(player: Player, number: int) -> dict:
    return player.control("POST", "/clock/advance", {"by": "61s"})


def read(player: Player, number: int) -> dict:
    return player.gateway.read(player.last, player.who).json


TURNS: tuple[Callable[[Player, int], dict], ...] = (
    lambda player, number: pay(player, number, paymentType="PA"),
    capture,
    lambda player, number: pay(player, number, **{"card.holder": "800.100.151"}),
    pend,
    advance,
    read,
    lambda player, number: pay(player, number, currency="EURO"),
    lambda player, number: pay(player, number, createRegistration="true"),
    lambda player, number: pay(player, number, **{"card.number": "4200000000000001"}),
    capture,
)


def test_the_same_seed_and_the_same_calls_give_the_same_story(gateway: Gateway) -> None:
    first, second = Player(gateway, 7), Player(gateway, 7)
    first.play()
    gateway.post()
    second.play()

    story = first.story()

    assert story == second.story()
    assert len(first.notes) == CALLS + 2
    assert len(first.notes[-1]) > CALLS / 2


def test_ids_and_tokens_never_follow_the_seed(gateway: Gateway) -> None:
    first, second = Player(gateway, 7), Player(gateway, 7)
    first.play(1)
    second.play(1)

    assert first.last != second.last
    assert first.made["token"] != second.made["token"]
    assert set(ID.findall(json.dumps(first.made))).isdisjoint(ID.findall(json.dumps(second.made)))


def test_a_restart_changes_nothing_of_the_story(tmp_path: Path) -> None:
    straight, halved = (Gateway(tmp_path / name, durability="os") for name in ("a", "b"))
    whole, parts = Player(straight, 11), Player(halved, 11)
    whole.play()
    parts.play(CALLS // 2)
    halved.close()
    parts.gateway = Gateway(tmp_path / "b", durability="os")
    parts.play(CALLS - CALLS // 2, first=CALLS // 2)
    try:
        assert parts.story() == whole.story()
    finally:
        straight.close()
        parts.gateway.close()


def names_in(gateway: Gateway, **options: object) -> list[str]:
    made = gateway.control("POST", "/sandboxes", options).json["entities"]["merchants"]
    return [each["name"] for merchant in made for each in (merchant, *merchant["channels"])]


def test_a_seed_names_merchants_and_channels_the_same_each_time(gateway: Gateway) -> None:
    merchants = [{}, {"channels": [{}, {"name": "Till"}]}]
    names = names_in(gateway, seed=7, merchants=merchants)

    assert names == names_in(gateway, seed=7, merchants=merchants)
    assert names != names_in(gateway, seed=8, merchants=merchants)
    assert len(set(names)) == len(names) == 5
    assert names[-1] == "Till"


def test_what_is_added_later_follows_the_seed_too(gateway: Gateway) -> None:
    added = []
    for _ in range(2):
        path = f"/sandboxes/{gateway.control('POST', '/sandboxes', {'seed': 7}).json['id']}"
        merchant = gateway.control("POST", f"{path}/merchants", {}).json
        channel = gateway.control("POST", f"{path}/merchants/{merchant['id']}/channels", {}).json
        added.append((merchant["name"], channel["name"]))

    assert added[0] == added[1]


def accounts_in(gateway: Gateway, **options: object) -> list[dict]:
    """What answers show of the account that shoppers pay to, of each channel."""
    made = gateway.control("POST", "/sandboxes", options).json
    path = f"/sandboxes/{made['id']}/merchants"
    added = gateway.control("POST", f"{path}/{made['entities']['merchants'][0]['id']}/channels", {})
    whose = [Credentials(made["token"], each) for each in (made["entity_id"], added.json["id"])]
    paid = [gateway.send("/v1/payments", {**BY_BANK, "entityId": each.entity_id}, each).json
            for each in whose]  # fmt: skip
    return [each["merchant"]["bankAccount"] for each in paid]


def test_a_seed_draws_the_bank_accounts_the_same_each_time(gateway: Gateway) -> None:
    accounts = accounts_in(gateway, seed=7)

    assert accounts == accounts_in(gateway, seed=7)
    assert len({each["number"] for each in (*accounts, *accounts_in(gateway, seed=8))}) == 4
    assert all(IBAN(each["number"]).is_valid for each in accounts)


def test_a_bank_account_that_is_set_is_kept(gateway: Gateway) -> None:
    account = {"holder": "Jane Jones", "number": "DE89370400440532013000"}
    options = {"seed": 7, "merchants": [{"channels": [{"bank_account": account}]}]}
    made = gateway.control("POST", "/sandboxes", options).json

    (merchant,) = gateway.control("GET", f"/sandboxes/{made['id']}/merchants").json["merchants"]

    assert merchant["channels"][0]["bank_account"] == account


def test_without_a_seed_names_are_plain(gateway: Gateway) -> None:
    assert names_in(gateway) == ["Sandgate Merchant", "Sandgate Channel"]


@pytest.mark.parametrize("seed", [-1, 2**53 + 1, "seven", 1.5])
def test_what_is_no_seed_is_refused(gateway: Gateway, seed: object) -> None:
    answer = gateway.control("POST", "/sandboxes", {"seed": seed})
    assert answer.status_code == 400
    assert answer.json["error"]["where"] == "seed"


def test_drawn_numbers_go_on_where_they_stopped() -> None:
    straight, first = SeededDraws(SeededIds(1), 7), SeededDraws(SeededIds(2), 7)
    drawn = [(straight.short(), straight.trace()) for _ in range(6)]
    part = [(first.short(), first.trace()) for _ in range(3)]
    rest = SeededDraws(SeededIds(3), 7, count=first.count)

    assert part + [(rest.short(), rest.trace()) for _ in range(3)] == drawn
    assert [trace for _, trace in drawn] == [1, 2, 3, 4, 5, 6]
    assert all(re.fullmatch(r"[0-9]{4}\.[0-9]{4}\.[0-9]{4}", short) for short, _ in drawn)
    assert SeededDraws(SeededIds(1), 8).short() != drawn[0][0]
