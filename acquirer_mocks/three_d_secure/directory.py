"""The directory server: judges messages, finds the issuer of a card, carries results to the
gateway.

Choices: D-198, D-200, D-202.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from acquirer_mocks.three_d_secure.access_control import AccessControl, WithheldAnswerError
from acquirer_mocks.three_d_secure.messages import DIRECTORY, MessageRefusedError
from acquirer_mocks.three_d_secure.steering import (
    WorldOf,
    decide,
    extension_in,
    money_of,
    without_sandbox,
)
from simulator.catalogue.messages.three_d_secure import VERSIONS
from simulator.derive.schemas.three_d_secure import Wrong, read_message, wrong_with
from simulator.domain.ports.sandbox import Ports

LOG = logging.getLogger("sandgate.ds")
ATTEMPTS, BETWEEN_S = 3, 0.2

Document = Mapping[str, Any]
Post = Callable[[str, bytes], bytes | None]
HasKey = Callable[[str, str], bool]


class Carrier:
    """Posts results to the gateway: `post` gives the body of a 200 answer, or None.

    It goes nowhere but to addresses that begin with one of `ours`.
    """

    def __init__(
        self, post: Post, *, ours: Callable[[], tuple[str, ...]], wait: Callable[[float], object]
    ):
        self._post = post
        self._ours = ours
        self._wait = wait

    def may_reach(self, url: str) -> bool:
        """Whether `url` is one of the gateway itself; bases end with a slash."""
        return any(url.startswith(base) for base in self._ours())

    def tell(self, url: str, rreq: Document) -> bool:
        """Whether an RReq was answered by an RRes, in three attempts. An Erro is an answer too."""
        body = msgspec.json.encode(rreq)
        for attempt in range(ATTEMPTS):
            if attempt:
                self._wait(BETWEEN_S * attempt)
            answer = self._post(url, body)
            if answer is not None:
                return _is_taken(answer, rreq)
        LOG.warning("%s: the gateway does not answer an RReq", rreq["acsTransID"])
        return False


class SimulatedDirectoryServer:
    """In front of the ACS. `has_key` says whether a key is the gateway's own, or that of a sandbox:
    a message sent without one is of no sandbox. Choice: D-297.
    """

    def __init__(
        self,
        acs: AccessControl,
        carrier: Carrier,
        *,
        world_of: WorldOf,
        has_key: HasKey,
        uuid: Callable[[], str],
    ):
        self._acs = acs
        self._carrier = carrier
        self._world_of = world_of
        self._has_key = has_key
        self._uuid = uuid

    def lookup(self, body: bytes, key: str) -> dict[str, Any]:
        """Whether and how a card takes part. Raises MessageRefusedError, WithheldAnswerError."""
        document = self._document(body, key)
        number = document.get("acctNumber")
        if number is None:
            raise MessageRefusedError(Wrong("201", "acctNumber"), component=DIRECTORY)
        if not isinstance(number, str) or not number.isascii() or not number.isdigit():
            raise MessageRefusedError(Wrong("203", "acctNumber"), component=DIRECTORY)
        world = self._world(document)
        case, step, _ = decide(document, world, counts=False)
        if case is None:
            return {"enrolled": False, "messageVersions": []}
        method = {"threeDSMethodURL": f"{self._acs.base_url}acs/method"} if case.has_method else {}
        return {"enrolled": True, "messageVersions": list(VERSIONS), **method}

    def authenticate(self, body: bytes, key: str) -> dict[str, Any]:
        """The ARes of an AReq. Raises MessageRefusedError, WithheldAnswerError."""
        document = self._document(body, key)
        wrong = wrong_with(document, "AReq") or self._unfit(document)
        if wrong is not None:
            raise MessageRefusedError(wrong, document, component=DIRECTORY)
        decided = decide(document, self._world(document), counts=True)
        ds_id = document.get("dsTransID") or self._uuid()
        return self._acs.authenticate(document, decided, ds_id)

    def _world(self, document: Document) -> Ports | None:
        """The sandbox that a message is about. Raises WithheldAnswerError where it was sent in an
        epoch that has ended. Choice: D-618.
        """
        extension = extension_in(document)
        world = self._world_of(extension.sandbox)
        if extension.epoch and (world is None or world.sandbox.epoch_id != extension.epoch):
            raise WithheldAnswerError
        return world

    def _document(self, body: bytes, key: str) -> Document:
        document = _read(body)
        sandbox = extension_in(document).sandbox
        is_known = not sandbox or self._has_key(key, sandbox)
        return document if is_known else without_sandbox(document)

    def _unfit(self, areq: Document) -> Wrong | None:
        if money_of(areq) is None:
            return Wrong("304", "purchaseCurrency")
        if not self._carrier.may_reach(areq["threeDSServerURL"]):
            return Wrong("303", "threeDSServerURL: expected an address of the gateway")
        return None


def _read(body: bytes) -> dict[str, Any]:
    document = read_message(body)
    if isinstance(document, Wrong):
        raise MessageRefusedError(document, component=DIRECTORY)
    return document


def _is_taken(answer: bytes, rreq: Document) -> bool:
    document = read_message(answer)
    if isinstance(document, Wrong):
        return False
    if wrong_with(document, "RRes") is not None:
        LOG.info("%s: the RReq was answered by no RRes", rreq["acsTransID"])
        return False
    return bool(document["acsTransID"] == rreq["acsTransID"])
