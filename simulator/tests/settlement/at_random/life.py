"""A merchant on two channels and both hosts, whose sandbox anything happens to: one move after the
other, drawn by a seed.
"""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import gevent

from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.stored import ACCOUNT
from simulator.tests.settlement.agreement.merchant import NO_CARD
from simulator.tests.settlement.at_random.sums import APPROVED, PENDING, Answered, Books
from simulator.tests.settlement.test_runs import INSTITUTES
from simulator.tests.settlement.test_snapshots import PASSPHRASE

# Before days on which clocks are changed, ends of months, and holidays.
BEGINS = (
    "2030-01-03T20:00", "2030-03-08T20:00", "2030-03-29T20:00", "2030-10-25T20:00",
    "2030-11-01T20:00", "2030-12-23T20:00", "2030-04-18T20:00", "2030-01-31T20:00",
)  # fmt: skip
SPANS = ("1s", "31s", "90s", "10m", "1h", "5h", "1d", "3d")
AROUND = (timedelta(seconds=-1), timedelta(0), timedelta(microseconds=1), timedelta(seconds=20))
# None of them has a line that is wrong for good.
PLANS = ("", "file: late", "file: cut", "file: empty", "file: trailer", "file: twice",
         "payout: rejected", "counts: {deferred: 2}", "counts: {chargeback_early: 1}",
         "counts: {chargeback_late: 1}", "file: late\npayout: rejected",
         "file: late\ncounts: {deferred: 2}", "shares: {deferred: 1}")  # fmt: skip
LINES = ("line-timeout", "line-silent", "line-late", "line-drop", "line-duplicate", "line-garble",
         "line-wrong-stan", "line-sign-off", "line-slow-start")  # fmt: skip
WAYS = ("slow", "pending-then-approved", "pending-then-declined", "pending", "decline",
        "acquirer-silent")  # fmt: skip
FIRST = ("DB", "DB", "DB", "PA", "PA", "PA.CP", "CD", "bank")
AFTER = ("CP", "CP", "CP", "RF", "RF", "RF", "RV", "RV", "RB", "CB", "CR", "RC")
BANK = {**ACCOUNT, **NO_CARD, "card.holder": "", "bankAccount.bic": "DEUTDEFF"}
CENTS = (1, 99, 100, 12_345)
# Turns of the loop that a run gets before something happens beside it.
TURNS = (1, 3, 10, 30, 60, 100, 200)
# Wire time after which a request is left under way; how often the clock is moved until it ends.
ANSWERED_S, MOVES_MAX, NEWEST = 0.12, 40, 12
TO_THE_END = ("5m", "8d", "8d", "8d", "130d", "8d", "8d")


class Life:
    """The sandbox, and what its merchant knows."""

    def __init__(self, folder: Path, seed: int):
        self._base, self._random = folder, Random(seed)
        self._gateway, self._folder, self._kills = _started(folder / "0"), folder / "0", 0
        begin = datetime.fromisoformat(self._random.choice(BEGINS)).replace(tzinfo=UTC)
        channels = [{"clearing_institute": each} for each in self._random.sample(INSTITUTES, 2)]
        clock = {"mode": "frozen", "at": begin.isoformat()}
        asked = {"profile": "field", "throttle": "off", "clock": clock,
                 "merchants": [{"channels": channels}]}  # fmt: skip
        made = self._gateway.control("POST", "/sandboxes", asked).json
        self._id = made["id"]
        one, two = (each["id"] for each in made["entities"]["merchants"][0]["channels"])
        self._who = [Credentials(made["token"], one), Credentials(made["token"], two)]
        self._who.append(Credentials(made["live_token"], one, "live"))
        self.answered: dict[str, Answered] = {}
        self._under_way: list[gevent.Greenlet] = []
        self._life, self._saved = 0, (b"", self.answered)
        # What was done, for who reads a failure.
        self.trail: list[str] = []

    @property
    def books(self) -> Books:
        """What all sides say."""
        return Books(self._gateway, self._folder, self._id)

    def live(self, moves: int) -> None:
        """Make so many moves, then let all that is under way end and settle all there is."""
        weights, kinds = zip(*((weight, move) for move, weight in MOVES.items()), strict=True)
        for move in self._random.choices(kinds, weights, k=moves):
            self.trail.append(move.__name__)
            move(self)
        self._end_under_way()
        for by in TO_THE_END:
            self._call("/clock/advance", {"by": by})
            gevent.sleep(0.01)
            while self._call("/settlements", {})["more"]:
                pass

    def close(self) -> None:
        """Let go of the folder."""
        self._gateway.close()

    def pay(self) -> None:
        kind, who = self._random.choice(FIRST), self._random.choice(self._who)
        is_external = kind != "bank" and who.listener != "live" and self._random.random() < 0.7
        sent = {"amount": self._amount(), "paymentType": "DB" if kind == "bank" else kind}
        if who.listener != "live":
            sent["testMode"] = "EXTERNAL" if is_external else "INTERNAL"
        sent |= BANK if kind == "bank" else {}
        self._script(LINES + WAYS if is_external else WAYS)
        said = Answered(sent["paymentType"], Decimal(sent["amount"]), "", "", who)
        self._send(said, lambda gateway: gateway.post(who=who, **sent))

    def refer(self) -> None:
        known = [key for key, each in self.answered.items() if APPROVED.match(each.code)]
        if not known:
            return
        to, kind = self._random.choice(known[-NEWEST:]), self._random.choice(AFTER)
        parent = self.answered[to]
        amount = self._random.choice((str(parent.amount), self._amount()))
        sent = {"entityId": parent.who.entity_id, "paymentType": kind}
        sent |= {} if kind == "RV" else {"amount": amount, "currency": "EUR"}
        self._script(LINES + WAYS)
        money = parent.amount if kind == "RV" else Decimal(amount)
        said = Answered(kind, money, to, "", parent.who)
        self._send(said, lambda gateway: gateway.send(f"/v1/payments/{to}", sent, parent.who))

    def advance(self) -> None:
        self._call("/clock/advance", {"by": self._random.choice(SPANS)})

    def go_to_cut_off(self) -> None:
        self._go_to_cut_off(self._random.choice(AROUND))

    def settle(self) -> None:
        self._call("/settlements", self._random.choice(({}, {"institute": self._institute()})))

    def settle_daily(self) -> None:
        self._call("/settlements", {"daily": self._random.random() < 0.7})

    def plant(self) -> None:
        plan = self._random.choice(PLANS) + "\n"
        self._call("/settlement-faults", {"institute": self._institute(), "plan": plan})

    def release(self) -> None:
        waiting = [key for key, each in self.answered.items() if each.code.startswith(PENDING)]
        if waiting:
            path = f"/sandboxes/{self._id}/pending/{self._random.choice(waiting)}"
            how = self._random.choice(("approved", "declined"))
            self._gateway.control("POST", path, {"outcome": how})

    def kill(self) -> None:
        """What the disk has at this instant is all there is."""
        self._leave()
        self._kills += 1
        before, self._folder = self._folder, self._base / str(self._kills)
        shutil.copytree(before, self._folder)
        self._gateway.close()
        self._gateway = _started(self._folder)

    def kill_in_run(self) -> None:
        running = self._begin_run()
        self.kill()
        running.kill(block=False)

    def restart(self) -> None:
        self._end_under_way()
        self._gateway.close()
        self._gateway = _started(self._folder)

    def save(self) -> None:
        answered, path = dict(self.answered), f"/_sandbox/v1/sandboxes/{self._id}/snapshot"
        taken = self._gateway.client.simulate_get(path, headers=PASSPHRASE)
        assert taken.status_code == 200, taken.text
        self._saved = taken.content, answered

    def save_in_run(self) -> None:
        running = self._begin_run()
        self.save()
        running.join()

    def restore(self) -> None:
        content, answered = self._saved
        if content:
            self._leave()
            path = "/_sandbox/v1/sandboxes/restore"
            answer = self._gateway.client.simulate_post(path, headers=PASSPHRASE, body=content)
            assert answer.status_code == 200, answer.text
            self.answered = dict(answered)

    def _leave(self) -> None:
        """Nothing is known of what is under way."""
        self._life += 1
        gevent.killall(self._under_way, block=False)
        self._under_way.clear()

    def _begin_run(self) -> gevent.Greenlet:
        """A settlement of all institutes that is under way."""
        self._go_to_cut_off(timedelta(seconds=1))
        path = f"/sandboxes/{self._id}/settlements"
        running = gevent.spawn(self._gateway.control, "POST", path, {})
        for _ in range(self._random.choice(TURNS)):
            gevent.sleep(0)
        return running

    def _go_to_cut_off(self, beside: timedelta) -> None:
        ports = self.books.ports
        _, at = ports.clearing.next_cut_off(self._institute(), ports.clock.now())
        if at + beside > ports.clock.now():
            self._call("/clock/advance", {"to": (at + beside).isoformat()})

    def _send(self, said: Answered, call: Callable[[Gateway], Any]) -> None:
        life, gateway = self._life, self._gateway

        def send() -> None:
            answer = call(gateway)
            found = {} if self._life != life or answer.status_code >= 502 else answer.json
            if "id" in found:
                self.answered[found["id"]] = said._replace(code=found["result"]["code"])

        self._under_way.append(gevent.spawn(send))
        self._under_way[-1].join(ANSWERED_S)
        self._under_way = [each for each in self._under_way if not each.ready()]

    def _end_under_way(self) -> None:
        for _ in range(MOVES_MAX):
            if not self._under_way:
                return
            self._call("/clock/advance", {"by": "31s"})
            gevent.joinall(self._under_way, timeout=ANSWERED_S)
            self._under_way = [each for each in self._under_way if not each.ready()]
        raise AssertionError("requests are still under way")

    def _script(self, names: tuple[str, ...]) -> None:
        if self._random.random() < 0.4:
            self._call("/scripts", {"behaviour": self._random.choice(names), "times": 1})

    def _amount(self) -> str:
        return f"{self._random.choice((*CENTS, self._random.randint(1, 20_000))) / 100:.2f}"

    def _institute(self) -> str:
        return self._random.choice(INSTITUTES)

    def _call(self, path: str, sent: object) -> dict:
        answer = self._gateway.control("POST", f"/sandboxes/{self._id}{path}", sent)
        assert answer.status_code < 300, (path, sent, answer.text)
        return dict(answer.json)


def _started(folder: Path) -> Gateway:
    return Gateway(folder, is_described=False, durability="os")


# Each move, and how often it is made.
MOVES = {
    Life.pay: 10, Life.refer: 12, Life.advance: 6, Life.go_to_cut_off: 3, Life.settle: 4,
    Life.plant: 2, Life.release: 1, Life.kill: 1, Life.kill_in_run: 1, Life.restart: 1,
    Life.save: 1, Life.save_in_run: 1, Life.restore: 1, Life.settle_daily: 1,
}  # fmt: skip
