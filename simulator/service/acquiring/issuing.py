"""What becomes of money held on cards: it is taken back, or the authorisation lapses.

Choice: D-189.
"""

from simulator.domain.acquiring.issuing import CardAccount, Movement, lapsed, taken_back
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Ports, unit_of


def lapse(ports: Ports, movement: Movement) -> None:
    """End an authorisation that nobody captured in time."""
    while True:
        current = ports.store.get(Movement, movement.id)
        if current is None or current.due is None:
            return
        account = ports.store.get(CardAccount, current.account)
        assert account is not None, "whatever was moved stands on an account"
        try:
            ports.store.commit(unit_of(*lapsed(account, current)))
        except ConflictError:
            continue
        return


def take_back(ports: Ports, payment: str) -> None:
    """Let a payment have moved nothing on its card, if it moved anything."""
    while True:
        changed, gone = taken_back(payment, ports.store)
        if not gone:
            return
        try:
            ports.store.commit(unit_of(*changed, removes=gone))
        except ConflictError:
            continue
        return
