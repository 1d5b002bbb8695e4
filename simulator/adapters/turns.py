"""Turns of the event loop: how long work lets others go on.

`gevent.sleep(0)` lets the greenlets run that are ready. The loop looks at its sockets only when
fifty of them have run, so work that pauses so after every two milliseconds keeps a request that has
just come waiting for a hundred.
"""

from gevent.hub import get_hub


def next_turn() -> None:
    """Go on in the next turn of the event loop, which looks at every socket before."""
    hub = get_hub()
    hub.wait(hub.loop.timer(0))
