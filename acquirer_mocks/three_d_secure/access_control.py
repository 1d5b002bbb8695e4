"""The access control server: decides an authentication, challenges the shopper, sends the result.

Choices: D-199, D-202.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from acquirer_mocks.three_d_secure.cases import NO_ANSWER
from acquirer_mocks.three_d_secure.challenges import (
    LATE,
    Action,
    Challenge,
    Challenges,
    acted,
    entered,
    opened,
    timed_out,
)
from acquirer_mocks.three_d_secure.messages import (
    MessageRefusedError,
    authenticated,
    challenged,
    last_word,
    results,
    unpacked,
)
from acquirer_mocks.three_d_secure.notes import is_current, note, note_method, note_step
from acquirer_mocks.three_d_secure.signing import Signer
from acquirer_mocks.three_d_secure.steering import (
    Decided,
    WorldOf,
    brand_of,
    extension_in,
    money_of,
    now_in,
)
from simulator.derive.schemas.three_d_secure import Wrong, read_message, wrong_with
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.hosts import TEST
from simulator.domain.core.records import Payment
from simulator.domain.holding import GO_ON, About, Let, Stop, about, hold_at
from simulator.domain.journal.entries import Party
from simulator.domain.ports.sandbox import Ports

LOG = logging.getLogger("sandgate.acs")
SILENCE = timedelta(seconds=30)
SESSION_DATA_MAX = 1024
TIME_OVER = "the challenge timed out"
SHOWN_DIGITS = 4
FROM_SHOPPER, TO_SHOPPER = (Party.SHOPPER, Party.ACS), (Party.ACS, Party.SHOPPER)
# What the journal says of an action: a code that was entered is not in it.
SAID = {
    Action.APPROVE: "confirms, without the page",
    Action.DECLINE: "declines, without the page",
    Action.CANCEL: "cancels the challenge",
    Action.WRONG: "enters a wrong code, without the page",
}

Document = Mapping[str, Any]


class WithheldAnswerError(Exception):
    """A script, or a person at a breakpoint, withholds the answer."""


class RandomSource(msgspec.Struct, frozen=True):
    """Where ids, one-time codes and authentication values (28 characters) come from."""

    uuid: Callable[[], str]
    code: Callable[[], str]
    value: Callable[[], str]


class AcsPorts(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of the ACS: sandboxes, real time, random values, keys, and how a result is sent.

    `tell` posts an RReq to an address and says whether it was taken; `begin` begins a piece of work
    of a sandbox, unless one of it is still running.
    """

    world_of: WorldOf
    real: Callable[[], datetime]
    chance: RandomSource
    signer: Signer
    tell: Callable[[str, Document], bool]
    begin: Callable[[str, Callable[[], None]], None]


class AccessControl:
    """The issuer's side. `base_url` is where browsers reach it."""

    def __init__(self, around: AcsPorts, *, kept: Challenges | None = None):
        self.base_url = "http://acs.test/"
        self._around = around
        self._kept = Challenges() if kept is None else kept

    def authenticate(self, areq: Document, decided: Decided, ds_id: str) -> dict[str, Any]:
        """The ARes of a judged AReq. Raises NoResponseError, Refused."""
        case, step, decided_by = decided
        if step == NO_ANSWER:
            self._stay_silent(areq)
        if case is None:
            raise MessageRefusedError(Wrong("305", "acctNumber"), areq)
        chance = self._around.chance
        ids = {"dsTransID": ds_id, "acsTransID": chance.uuid()}
        brand, value = brand_of(areq, extension_in(areq)), chance.value()
        ares = authenticated(areq, case.course, ids=ids, brand=brand, value=value)
        LOG.debug("%s: %s, by %s", ids["acsTransID"], case.course, decided_by)
        if ares["transStatus"] != "C":
            return ares
        challenge = self._kept.keep(self._begun(areq, ids, step=step, value=value))
        return ares | self._invitation(challenge)

    def open(self, acs_id: str, creq: str, session_data: str | None) -> Challenge:
        """The challenge a browser comes for, with its CReq. Raises Refused."""
        document = read_message(unpacked(creq))
        if isinstance(document, Wrong):
            raise MessageRefusedError(document)
        wrong = wrong_with(document, "CReq")
        if wrong is not None:
            raise MessageRefusedError(wrong, document)
        if session_data is not None and len(session_data) > SESSION_DATA_MAX:
            raise MessageRefusedError(Wrong("203", "threeDSSessionData"), document)
        challenge = self._known(acs_id, document)
        if not _belongs(document, challenge):
            raise MessageRefusedError(Wrong("301", "threeDSServerTransID, acsTransID"), document)
        if challenge.end is not None:
            return challenge
        world = self._world(challenge)
        note(world, challenge, FROM_SHOPPER, document)
        note_step(world, challenge, TO_SHOPPER, "challenge page")
        return self._settled(opened(challenge, session_data), challenge)

    def enter(self, acs_id: str, code: str) -> Challenge:
        """The challenge after a code. Raises Refused."""
        return self._answered(self._known(acs_id), "submits a code", lambda at: entered(at, code))

    def act(self, acs_id: str, action: Action) -> Challenge:
        """The challenge after an action. Raises Refused."""
        return self._answered(self._known(acs_id), SAID[action], lambda at: acted(at, action))

    def last_word(self, challenge: Challenge) -> dict[str, Any]:
        """The CRes of a challenge that has ended, corrupted where a script asks for it."""
        assert challenge.end is not None
        status = "Y" if challenge.end.status == "Y" else "N"
        if challenge.step == "tampered_status":
            status = "N" if status == "Y" else "Y"
        made = last_word(challenge, self._named(challenge), status)
        note(self._world(challenge), challenge, TO_SHOPPER, made)
        return made

    def move(self, base_url: str) -> None:
        """Browsers reach the ACS at `base_url` from now on."""
        self.base_url = base_url

    def sweep(self) -> None:
        """Time out who stayed away, and tell the results that are owed: of each sandbox one after
        the other, while those of others go on. Choice: D-357.
        """
        for sandbox, acs_ids in self._kept.unfinished().items():
            self._around.begin(sandbox, partial(self._sweep, acs_ids))
        self._kept.forget(self._around.real())

    def url_of(self, acs_id: str) -> str:
        """acsURL of a challenge."""
        return f"{self.base_url}acs/challenge/{acs_id}"

    def note_method(self, url: str, server_id: str) -> None:
        """Note that a browser called the method, of which the gateway is notified at `url`."""
        note_method(self._around.world_of, url, server_id)

    def _sweep(self, acs_ids: list[str]) -> None:
        """Look at each as it is now: its shopper may have come while the one before was sent."""
        for acs_id in acs_ids:
            each = self._kept.get(acs_id)
            if each is None or not each.is_unfinished:
                continue
            if each.end is None:
                self._timed_out(each)
            elif each.owed_at is not None and each.owed_at <= self._now(each):
                self._tell(self._kept.keep(replace(each, owed_at=None)))

    def _answered(
        self, before: Challenge, said: str, change: Callable[[Challenge], Challenge]
    ) -> Challenge:
        """The challenge after what the shopper did on its page."""
        if before.end is not None:
            return before
        world = self._world(before)
        let = self._held(before, said)
        if let.word:
            said, change = SAID[Action(let.word)], partial(acted, action=Action(let.word))
        note_step(world, before, FROM_SHOPPER, said)
        before = self._known(before.acs_id)
        if before.end is not None:
            return before
        after = self._settled(change(before), before)
        if after.end is None:
            note_step(world, after, TO_SHOPPER, f"wrong code, attempts left: {after.attempts_left}")
        return after

    def _held(self, challenge: Challenge, said: str) -> Let:
        """How what the shopper did goes on. Raises WithheldAnswerError where it was dropped."""
        world = self._world(challenge)
        if world is None or Stop.ACS not in world.holds.stops:
            return GO_ON
        payment = world.store.get(Payment, challenge.payment)
        subject = About(challenge.payment, "", TEST) if payment is None else about(payment)
        with world.in_flight:
            let = hold_at(world, Stop.ACS, subject, said)
        if let.is_dropped:
            raise WithheldAnswerError
        return let

    def _known(self, acs_id: str, document: Document | None = None) -> Challenge:
        challenge = self._kept.get(acs_id)
        if challenge is None:
            raise MessageRefusedError(Wrong("301", "acsTransID"), document)
        return self._timed_out(challenge)

    def _timed_out(self, challenge: Challenge) -> Challenge:
        after = timed_out(challenge, self._now(challenge))
        if after is not challenge:
            note_step(self._world(challenge), challenge, (Party.ACS, Party.ACS), TIME_OVER)
        return self._settled(after, challenge)

    def _settled(self, after: Challenge, before: Challenge) -> Challenge:
        """Keep what came of it; the gateway gets the result before the browser goes back."""
        if after is before:
            return after
        # Kept first: while the result is sent, others may come for the same challenge.
        self._kept.keep(after)
        return self._ended(after) if after.end is not None and before.end is None else after

    def _ended(self, challenge: Challenge) -> Challenge:
        if challenge.step == "late":
            owed_at = self._now(challenge) + LATE
            return self._kept.keep(replace(challenge, owed_at=owed_at))
        self._tell(challenge)
        if challenge.step == "replay":
            owed_at = self._now(challenge)
            return self._kept.keep(replace(challenge, owed_at=owed_at))
        return challenge

    def _tell(self, challenge: Challenge) -> None:
        world = self._world(challenge)
        if not is_current(world, challenge):
            return
        rreq = results(challenge, self._named(challenge))
        parties = (Party.ACS, Party.DIRECTORY_SERVER)
        note(world, challenge, parties, rreq)
        if not self._around.tell(challenge.results_url, rreq):
            LOG.info("%s: the gateway did not take the result", challenge.acs_id)

    def _named(self, challenge: Challenge) -> str:
        """The id it goes by; with the script wrong_id another, always the same one."""
        if challenge.step != "wrong_id":
            return challenge.acs_id
        return challenge.acs_id.translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))

    def _begun(self, areq: Document, ids: Mapping[str, str], *, step: str, value: str) -> Challenge:
        extension, money = extension_in(areq), money_of(areq)
        return Challenge(
            server_id=areq["threeDSServerTransID"],
            ds_id=ids["dsTransID"],
            acs_id=ids["acsTransID"],
            version=areq["messageVersion"],
            sandbox=extension.sandbox,
            payment=extension.payment,
            step=step,
            brand=brand_of(areq, extension),
            last4=areq["acctNumber"][-SHOWN_DIGITS:],
            amount="" if money is None else str(money),
            merchant=areq["merchantName"],
            results_url=areq["threeDSServerURL"],
            return_url=areq["notificationURL"],
            code=self._around.chance.code(),
            begun=now_in(self._around.world_of(extension.sandbox), self._around.real),
            kept_since=self._around.real(),
            value=value,
        )

    def _invitation(self, challenge: Challenge) -> dict[str, Any]:
        url, signer = self.url_of(challenge.acs_id), self._around.signer
        content = {
            "acsURL": url,
            "acsEphemPubKey": signer.ephemeral(),
            "threeDSServerTransID": challenge.server_id,
            "dsTransID": challenge.ds_id,
            "acsTransID": challenge.acs_id,
        }
        signed = signer.signed(content, is_corrupted=challenge.step == "bad_signature")
        return challenged(url, signed=signed)

    def _stay_silent(self, areq: Document) -> None:
        world = self._around.world_of(extension_in(areq).sandbox)
        if world is not None:
            with suppress(EpochEndedError):
                world.clock.wait(SILENCE)
        raise WithheldAnswerError

    def _now(self, challenge: Challenge) -> datetime:
        return now_in(self._world(challenge), self._around.real)

    def _world(self, challenge: Challenge) -> Ports | None:
        return self._around.world_of(challenge.sandbox)


def _belongs(creq: Document, challenge: Challenge) -> bool:
    return bool(
        creq["acsTransID"].lower() == challenge.acs_id
        and creq["threeDSServerTransID"] == challenge.server_id
        and creq["messageVersion"] == challenge.version
    )
