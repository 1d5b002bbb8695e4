"""The way to the gateway: payments, payments that refer to others, and what became of one.

An answer that does not say whether the payment stands is as good as none: a fault of the gateway, a
time-out behind it, and what cannot be read. Source: specification, POS terminal; GET /v1/query.
Choice: D-686.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from http.client import HTTPException
from socket import gaierror

from pos_emulator.card_numbers import has_card_number, without_card_numbers
from simulator.client.merchant import Client
from simulator.client.shown.hidden import hiding
from simulator.client.shown.known_secrets import KnownSecrets
from simulator.client.wire import Answer

TIME_LIMIT_S = 30
# Source: specification, result codes. What was accepted for a review by hand is charged.
APPROVED = re.compile(r"000\.(000|100\.1|[356]|400\.(0[^3]|1[012]0))")
PENDING = re.compile(r"000\.200")
# Nothing stands at the gateway: what was refused or declined, a time-out that was reversed, and a
# card host that cannot be reached or does not know the function.
DECLINED = re.compile(r"[1-8][0-9]{2}\.[0-9]{3}\.[0-9]{3}|000\.400\.[12]|900\.100\.(202|301|600)")
# No issuer has decided, whatever code stands beside it.
UNDECIDED = re.compile(r"9(?!00\.100\.202)|000\.400\.030")
# Field 39: try again, signed off, too late, cut-over, out of reach, system fault, not online.
NOT_REACHED = frozenset({"19", "31", "68", "80", "90", "91", "92", "96", "Z3"})
# Of these the one that says nothing of the card host, and of the other issuers.
NO_ROUTE = "92"
UNKNOWN = "700.400.580"
NOT_DECIDED = "the payment is pending at the acquirer"
# Source: specification, amount: N13, up to ten digits and two decimals.
AMOUNT = re.compile(r"[0-9]{1,10}(\.[0-9]{1,2})?")
# Source: specification, result.code; payment id; paymentType; currency.
RESULT_CODE = re.compile(r"[0-9.]{2,11}")
# The statuses by which a gateway answers what it understood: 2xx and 4xx.
SUCCESS = 2
ANSWERED = frozenset({SUCCESS, 4})
ID, RECORD_ID = re.compile(r"[A-Za-z0-9]{32}"), re.compile(r"[0-9a-f]{32}")
TYPE, CURRENCY = re.compile(r"[A-Z]{2}"), re.compile(r"[A-Za-z]{3}")
# The longest text that the specification lets a field of pos, and a brand, have.
TEXT_MAX, BRAND_MAX = 2048, 32
WORD = re.compile(r"[A-Za-z0-9]+")


class NotSentError(RuntimeError):
    """There is no connection: nothing has left the terminal."""


class LostAnswerError(RuntimeError):
    """The gateway was asked and its answer did not come, or cannot be read."""


@dataclass(frozen=True, kw_only=True)
class GatewayAnswer:
    """What the gateway says of one payment. `issuer_code` is field 39 of the card host, `chip` are
    the issuer's data objects for the card.
    """

    payment: str = ""
    type: str = ""
    result_code: str = ""
    reason: str = ""
    issuer_code: str = ""
    authorization: str = ""
    chip: bytes = field(default=b"", repr=False)
    status: str = ""
    merchant_id: str = ""
    brand: str = ""
    amount: Decimal | None = None
    currency: str = ""

    @property
    def is_approved(self) -> bool:
        return APPROVED.match(self.result_code) is not None

    def can_be_of(self, asked: Decimal, currency: str) -> bool:
        """Whether the answer can be one to a payment of `asked`: of that amount or a part of it."""
        if self.amount is not None and not 0 < self.amount <= asked:
            return False
        return self.currency in ("", currency)

    @property
    def is_pending(self) -> bool:
        return PENDING.match(self.result_code) is not None

    @property
    def is_clear(self) -> bool:
        """Whether it says what became of the payment. A code of the issuer is its decision."""
        if self.is_approved or self.is_pending or self.issuer_code:
            return True
        return DECLINED.match(self.result_code) is not None

    @property
    def is_decided(self) -> bool:
        """Whether the issuer has said yes or no, rather than nothing."""
        if self.is_approved or self.is_pending or UNDECIDED.match(self.result_code):
            return self.is_approved
        return bool(self.issuer_code) and self.issuer_code not in NOT_REACHED

    @property
    def fails_alone(self) -> bool:
        """Whether the next payment may end otherwise: there is no route to the issuer of this card,
        or the gateway itself said no, and neither issuer nor card host was asked.
        """
        if self.is_approved or self.is_pending:
            return False
        if self.issuer_code:
            return self.issuer_code == NO_ROUTE
        return UNDECIDED.match(self.result_code) is None


class Gateway:
    """The merchant API of a gateway, for one channel. `network_up` is the cable: settable.

    Each method raises NotSentError where nothing was sent, and LostAnswerError where it is not
    known what became of it.
    """

    def __init__(
        self,
        url: str,
        token: str,
        channel: str,
        *,
        timeout_s: float = TIME_LIMIT_S,
        ca_file: str | None = None,
        test_mode: str = "",
    ):
        self.timeout_s = timeout_s
        self.network_up = True
        self._gives_up = self._is_silent = False
        self._mode = {"testMode": test_mode} if test_mode else {}
        # What the gateway says is shown, kept and printed: it may repeat the token.
        around = hiding(KnownSecrets(token).hidden_in_document)
        self._client = Client(
            url, token, channel, timeout_s=timeout_s, ca_file=ca_file, around=around
        )

    def pay(self, parameters: Mapping[str, str]) -> GatewayAnswer:
        """The answer to a new payment."""
        sent = {**parameters, **self._mode}
        return self._pay(lambda: self._client.post("v1/payments", sent))

    def refer(self, payment: str, parameters: Mapping[str, str]) -> GatewayAnswer:
        """The answer to a payment that refers to another."""
        path = f"v1/payments/{payment}"
        return self._pay(lambda: self._client.post(path, parameters))

    def find(self, transaction: str) -> tuple[GatewayAnswer, ...]:
        """The payments with this merchantTransactionId; none if the gateway knows none."""
        sought = {"merchantTransactionId": transaction}
        answer = self._ask(lambda: self._client.get("v1/query", sought))
        if answer.code == UNKNOWN:
            return ()
        found = answer.at("payments")
        if not isinstance(found, list):
            raise LostAnswerError(f"the gateway does not say what became of it: {answer.code}")
        return tuple(_found_in(Answer(answer.status, {}, each)) for each in found)

    @contextmanager
    def asking_in_a_row(self) -> Iterator[None]:
        """Once the gateway was silent for the whole time limit, the rest of the block asks nothing
        more: each question would wait as long, and no payment could begin meanwhile.
        """
        self._gives_up = True
        try:
            yield
        finally:
            self._gives_up = self._is_silent = False

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _pay(self, send: Callable[[], Answer]) -> GatewayAnswer:
        answer = self._ask(send)
        said = answer_of(answer)
        is_failure = answer.status // 100 != SUCCESS
        if not said.is_clear or (said.is_approved and is_failure):
            raise LostAnswerError(_unclear(answer))
        return said

    def _ask(self, send: Callable[[], Answer]) -> Answer:
        if not self.network_up:
            raise NotSentError("the network is unplugged")
        if self._is_silent:
            raise NotSentError("the gateway did not answer the question before")
        try:
            answer = send()
        except TimeoutError:
            self._is_silent = self._gives_up
            raise LostAnswerError("the gateway did not answer") from None
        except (ConnectionRefusedError, gaierror):
            raise NotSentError("the gateway cannot be reached") from None
        except (OSError, HTTPException):
            raise LostAnswerError("the gateway did not answer") from None
        if not self.network_up:
            raise LostAnswerError("the network was unplugged before the answer came")
        if not RESULT_CODE.fullmatch(answer.code):
            raise LostAnswerError("the answer cannot be read")
        if answer.status // 100 not in ANSWERED:
            raise LostAnswerError(_unclear(answer))
        return answer


def _unclear(answer: Answer) -> str:
    return f"the gateway did not say what became of it: HTTP {answer.status}, {answer.code}"


def _found_in(answer: Answer) -> GatewayAnswer:
    """A payment as it is stored: what it says is final. Raises LostAnswerError."""
    if not RESULT_CODE.fullmatch(answer.code):
        raise LostAnswerError("a payment in the answer cannot be read")
    return answer_of(answer)


def answer_of(answer: Answer) -> GatewayAnswer:
    """What an answer says of its payment, in the formats of the specification and without card
    numbers: it is kept, shown and printed.
    """
    return GatewayAnswer(
        payment=_id(answer.id),
        type=_matching(TYPE, answer, "paymentType"),
        result_code=_matching(RESULT_CODE, answer, "result.code"),
        reason=_shown(answer.reason, TEXT_MAX),
        issuer_code=_word(answer, "pos.clearing.authorizationIssuerCode"),
        authorization=_word(answer, "pos.clearing.authorizationAcquirerCode"),
        chip=_bytes(_text(answer, "pos.iccDataResponse")),
        status=_word(answer, "pos.statusText"),
        merchant_id=_word(answer, "pos.merchantId"),
        brand=_shown(_text(answer, "paymentBrand"), BRAND_MAX),
        amount=_amount(_text(answer, "amount")),
        currency=_matching(CURRENCY, answer, "currency"),
    )


def _text(answer: Answer, path: str) -> str:
    found = answer.at(path)
    return found[:TEXT_MAX] if isinstance(found, str) else ""


def _matching(form: re.Pattern[str], answer: Answer, path: str) -> str:
    """A text of that form; none for another."""
    text = _text(answer, path)
    return text if form.fullmatch(text) else ""


def _word(answer: Answer, path: str) -> str:
    """Letters and digits, as the fields of pos have them; none for another text."""
    return without_card_numbers(_matching(WORD, answer, path))


def _shown(text: str, length_max: int) -> str:
    """A text of the gateway without control characters and card numbers."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text[:TEXT_MAX])
    return without_card_numbers(plain)[:length_max]


def _id(written: str) -> str:
    """The id of a payment; none for another text. Ids of records stay as they are: D-94."""
    if not ID.fullmatch(written):
        return ""
    is_clean = RECORD_ID.fullmatch(written) or not has_card_number(written)
    return written if is_clean else ""


def _bytes(written: str) -> bytes:
    """Hex as bytes; none for what is no hex or too long: the card decides without it."""
    try:
        return bytes.fromhex(written)
    except ValueError:
        return b""


def _amount(written: str) -> Decimal | None:
    """An amount; None where there is none. One that cannot be is as good as no answer."""
    if not written:
        return None
    if not AMOUNT.fullmatch(written):
        raise LostAnswerError("the amount in the answer cannot be read")
    return Decimal(written)
