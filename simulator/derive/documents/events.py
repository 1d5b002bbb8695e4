"""The table of events as documentation prints it."""

from simulator.catalogue.events import EVENTS

HEAD = ("event", "of a payment or request of type", "when", "decision")


def events_markdown() -> str:
    """Which operation emits which event, one row each."""
    rows = [
        (f"`{row.type}` `{row.action}`", " ".join(row.payment_types), row.means, row.choice)
        for row in EVENTS
    ]
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
