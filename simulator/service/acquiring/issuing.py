"""What becomes of money held on cards: it is taken back, or the authorisation lapses.

Choice: D-189.
"""

from msgspec.structs import replace

from simulator.domain.acquiring.issuing import CardAccount, Movement, lapsed, taken_back
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.transact import transact


def without_part(response: AcquirerResponse) -> AcquirerResponse:
    """The response without what the issuer holds for a part that it approved: the gateway declines
    the whole, and gives the part back. Choice: D-185.
    """
    kept = (each for each in response.books if not isinstance(each, CardAccount | Movement))
    return replace(response, books=tuple(kept))


def expire_authorization(ports: HasStore, movement: Movement) -> None:
    """End an authorization that was not captured in time."""

    def change() -> None:
        current = ports.store.get(Movement, movement.id)
        if current is None or current.due is None:
            return
        account = ports.store.get(CardAccount, current.account)
        assert account is not None, "a movement stands on an account"
        ports.store.commit(unit_of(*lapsed(account, current)))

    transact(ports.store, change)


def undo_movement(ports: HasStore, payment: str) -> None:
    """Let a payment have moved nothing on its card, if it moved anything."""

    def change() -> None:
        changed, gone = taken_back(payment, ports.store)
        if gone:
            ports.store.commit(unit_of(*changed, removes=gone))

    transact(ports.store, change)
