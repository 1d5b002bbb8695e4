"""A till with a ledger of its own: of nothing but what it sent and was answered over the wire."""

from collections.abc import Callable
from decimal import Decimal
from http.client import HTTPException
from time import sleep
from typing import Any

from pos_emulator.tests.ecr.till import Till

TRIES, PAUSE_S = 80, 0.25
UNKNOWN = "ask for its status"


class TillLedger:
    """Keeps what each order moved, by its ServiceID; `open` are those of which that is not known,
    with their category and sign. An order whose answer is lost is asked about until it has ended.
    """

    def __init__(self, till: Till) -> None:
        self.till = till
        self.moved: dict[str, Decimal] = {}
        self.open: dict[str, tuple[str, int]] = {}

    def sell(self, amount: str, **more: str) -> Any:
        return self._order("Payment", 1, lambda: self.till.pay(amount, **more))

    def refund(self, amount: str, original: str) -> Any:
        return self._order(
            "Payment", -1, lambda: self.till.pay(amount, kind="Refund", original=original)
        )

    def void(self, original: str) -> Any:
        return self._order("Reversal", -1, lambda: self.till.reverse(original))

    def hang_up(self, amount: str) -> Any:
        """Sell, and hang up before there is an answer."""
        return self._order("Payment", 1, lambda: self.till.pay_and_hang_up(amount))

    def settle(self) -> None:
        """Ask about what is open."""
        for service in list(self.open):
            self.ask_again(service)

    @property
    def net(self) -> Decimal:
        """What all orders moved together."""
        return sum(self.moved.values(), Decimal(0))

    def ask_again(self, service: str) -> Any:
        """The answer to an order, which may have been lost; what it moved is known then."""
        category, _ = self.open[service]
        for _ in range(TRIES):
            status = self.till.status(service, MessageCategory=category)
            if "RepeatedMessageResponse" in status:
                repeated = status["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]
                return self._take(service, repeated[f"{category}Response"])
            if status["Response"].get("ErrorCondition") == "NotFound":
                return self._take(service, status)
            sleep(PAUSE_S)
        raise AssertionError(f"{service} is under way for ever")

    def _order(self, category: str, sign: int, order: Callable[[], Any]) -> Any:
        try:
            answer = order()
        except (OSError, HTTPException):
            answer = None
        service = self.till.service
        self.open[service] = category, sign
        return answer and self._take(service, answer)

    def _take(self, service: str, answer: Any) -> Any:
        response = answer["Response"]
        if UNKNOWN in response.get("AdditionalResponse", ""):
            return answer
        _, sign = self.open.pop(service)
        amount = Decimal(0)
        if response["Result"] != "Failure":
            result = answer.get("PaymentResult", {}).get("AmountsResp", {})
            amount = Decimal(result.get("AuthorizedAmount") or answer["ReversedAmount"])
        self.moved[service] = sign * amount
        return answer
