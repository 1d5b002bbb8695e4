"""The parties of a scenario beside its merchant: its terminal, its shopper and their browser, and
who receives its notifications.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from features.support.browsers import running_browser
from features.support.inboxes import ReceiverInbox, SandboxInbox, ScenarioInbox
from features.support.merchant import Merchant
from features.support.notifications import NotificationInbox
from features.support.required_tags import demand_tag
from features.support.sandboxes import SECRET
from features.support.shop_page import ShopPage, shop_page
from features.support.shopper import Shopper
from features.support.terminals import TargetTerminal, opened_terminal, opened_terminal_of
from features.target.records import Target
from simulator.client import Control, Interceptor
from simulator.client.receiver import WebhookReceiver, receiving


@pytest.fixture
def known_terminal(
    request: pytest.FixtureRequest, target: Target, merchant: Merchant
) -> Iterator[TargetTerminal]:
    """A terminal that the target knows: a new one of the scenario's sandbox, or the one of the
    target file.
    """
    demand_tag(request.node, "known_terminal")
    if merchant.sandbox:
        operator: Control = request.getfixturevalue("operator")
        opened = opened_terminal(merchant, operator.create_terminal(merchant.sandbox))
    else:
        opened = opened_terminal_of(merchant, target.terminal)
    with opened as terminal:
        yield terminal


@pytest.fixture
def shopper(target: Target, around: Interceptor) -> Shopper:
    """The shopper of a scenario."""
    return Shopper(around, target.ca_file or None)


@pytest.fixture(scope="module")
def window() -> Iterator[Any]:
    """One browser for all scenarios, started when the first one needs it. Tests of other modules
    may drive browsers of their own, and a process drives one at a time.
    """
    with running_browser() as browser:
        yield browser


@pytest.fixture
def shop_with_form(
    request: pytest.FixtureRequest, target: Target, window: Any
) -> Iterator[ShopPage]:
    """A shop of another origin than the target's, whose page has the hosted form."""
    demand_tag(request.node, "shop_with_form")
    with shop_page(window, target.base_url) as shop:
        yield shop


@pytest.fixture(scope="session")
def lasting_receiver(target: Target) -> Iterator[WebhookReceiver | None]:
    """The receiver that a target is configured to notify, of the payments of every scenario: it
    must never find it gone.
    """
    if not target.notifies_by_itself:
        yield None
        return
    with receiving(target.receiver.listen, target.receiver.url) as found:
        yield found


@pytest.fixture
def receiver(
    request: pytest.FixtureRequest, target: Target, lasting_receiver: WebhookReceiver | None
) -> Iterator[WebhookReceiver]:
    """The merchant's receiver while the scenario runs; a lasting one answers as usual after it."""
    demand_tag(request.node, "receiver")
    if lasting_receiver is None:
        with receiving(target.receiver.listen, target.receiver.url) as found:
            yield found
    else:
        lasting_receiver.reset()
        yield lasting_receiver
        lasting_receiver.reset()


@pytest.fixture
def notified(
    request: pytest.FixtureRequest, target: Target, merchant: Merchant, receiver: WebhookReceiver
) -> NotificationInbox:
    """The notifications of the merchant: from its sandbox, or from a target configured to send
    them.
    """
    demand_tag(request.node, "notified")
    if not merchant.sandbox:
        return NotificationInbox(receiver, target.receiver.key)
    operator: Control = request.getfixturevalue("operator")
    operator.create_webhook(merchant.sandbox, receiver.url, secret=SECRET, skip_activation=True)
    return NotificationInbox(receiver, SECRET, partial(operator.drain, merchant.sandbox))


@pytest.fixture
def inbox(request: pytest.FixtureRequest, target: Target, merchant: Merchant) -> ScenarioInbox:
    """Where the notifications of the merchant arrive: its sandbox, or the suite's receiver."""
    demand_tag(request.node, "inbox")
    if merchant.sandbox:
        return SandboxInbox(request.getfixturevalue("operator"), merchant.sandbox)
    received: WebhookReceiver = request.getfixturevalue("lasting_receiver")
    return ReceiverInbox(NotificationInbox(received, target.receiver.key))
