"""The ports to the simulators: acquirer, card host, risk system, wallets, directory server."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, Protocol

from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.risk import RiskDecision, RiskRequest
from simulator.domain.wallets import Keyring, Recipient, TokenOrder, WalletCard


class Acquirer(Protocol):
    """The acquirer, as the in-process simulator or over a real link."""

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """Who answers this ask and how; the caller waits `delay` where there is one."""


class CardLink(Protocol):
    """The lines from one sandbox to its card host."""

    def exchange(
        self, message: Mapping[str, str], when_slow: Callable[[], object] | None = None
    ) -> dict[str, str]:
        """The answer to a card message; `when_slow` is called where it does not come at once.

        Raises MessageNotSentError where the message did not leave, NoResponseError where it is not
        known what became of
        it.
        """


class RiskSystem(Protocol):
    """The risk system of one sandbox."""

    @property
    def is_scripted(self) -> bool:
        """Whether a script may say what it does. Asked at every payment: it costs next to
        nothing.
        """

    def screen(self, request: RiskRequest) -> RiskDecision | None:
        """What it says of a payment, or None where no check is set up. A check that counts has
        counted it then.
        """

    def take_back(self, payment: str) -> None:
        """Count a request no more that ended after it was screened, unless it is stored as a
        payment. What the store refuses just now is done before the next count.
        """


class Wallets(Protocol):
    """Wallet tokens: opened by the gateway, made by its wallet provider."""

    def new_keys(self) -> Keyring:
        """A new keyring for a sandbox."""

    def open(self, token: str, keys: Keyring, recipient: Recipient, now: datetime) -> WalletCard:
        """What a token carries. Raises InvalidWalletTokenError, UnreadableWalletTokenError."""

    def make(self, order: TokenOrder, keys: Keyring, recipient: Recipient, now: datetime) -> str:
        """A token as it was ordered."""


class DirectoryServer(Protocol):
    """The directory server of 3-D Secure: the way to every issuer."""

    def ask(self, what: Literal["lookup", "areq"], message: Mapping[str, Any]) -> bytes:
        """The body of its answer. Raises NoResponseError."""

    def signed(self, content: str) -> Mapping[str, Any]:
        """What a JWS says that was signed under its root certificate. Raises SignatureError,
        NoResponseError.
        """


class HasAcquirer(Protocol):
    @property
    def acquirer(self) -> Acquirer: ...


class HasCardLink(Protocol):
    @property
    def card_link(self) -> CardLink: ...


class HasRisk(Protocol):
    @property
    def risk(self) -> RiskSystem: ...


class HasWallets(Protocol):
    @property
    def wallets(self) -> Wallets: ...


class HasDirectory(Protocol):
    @property
    def directory(self) -> DirectoryServer: ...
