"""3-D Secure 2 before the acquirer: the shopper is authenticated, refused, or has to be asked.

An attempt that needs no shopper is authenticated before anything is stored. One that does is stored
as pending with its authentication beside it. Source: 3D Secure. Choices: D-193 to D-196.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from msgspec.structs import replace

from simulator.catalogue.messages.three_d_secure_outcomes import (
    NO_RANGE,
    NO_SETUP,
    NO_VERSION,
    UNREACHABLE,
    Ended,
)
from simulator.derive.schemas.three_d_secure import Wrong, read_message
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import NoResponseError, SignatureError, Violations
from simulator.domain.core.ports import HasAddresses, HasInFlight, HasSandbox
from simulator.domain.core.records import (
    Payment,
    PaymentSource,
    PaymentType,
    Precondition,
    Redirect,
)
from simulator.domain.holding import Stop
from simulator.domain.journal.entries import Message, Party, SimulatorEntry
from simulator.domain.merchants.requirements import asks_shopper
from simulator.domain.payments.bodies import PENDING
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.payments.redirects import TOKEN_DIGITS, refuse_no_way_back, shop_name
from simulator.domain.ports.journal import HasJournal
from simulator.domain.ports.simulators import HasDirectory
from simulator.domain.recurring import is_by_wallet
from simulator.domain.three_d_secure.authentications import (
    CHALLENGE_MAX,
    UUID_DIGITS,
    Authentication,
    AuthenticationResult,
    AuthenticationStage,
    Range,
    onward_of,
    outcome_of,
    range_in,
    uuid_of,
    verdict_on,
    version_for,
)
from simulator.domain.three_d_secure.browsers import lacks_browser
from simulator.domain.three_d_secure.messages import (
    METHOD_DATA,
    GatewayAddress,
    areq_of,
    lookup_of,
    method_data,
)
from simulator.grammar.violations import Violation
from simulator.service.held import HeldPorts, held_at

Document = Mapping[str, Any]

NEWER = "2.2.0"
INDICATOR, EXEMPTION = "threeDSecure.challengeIndicator", "threeDSecure.exemptionFlag"
OF_NEWER_VERSIONS = frozenset({"05", "06", "07", "08", "09"})


class AuthenticationPorts(
    HasAddresses, HasDirectory, HasInFlight, HasJournal, HasSandbox, HeldPorts, Protocol
):
    """What an authentication before the acquirer needs."""


def authenticate_shopper(
    context: ChannelContext[AuthenticationPorts], attempt: PaymentAttempt, sent: Mapping[str, str]
) -> PaymentAttempt:
    """The attempt with the shopper authenticated, or refused, or to be asked. Raises Violations.

    Called for a channel that is set up for 3-D Secure, and for every authentication alone. `sent`
    has what is not stored, too: the token of a wallet.
    """
    payment = attempt.payment
    is_asked = _is_asked(context.channel, payment) and not is_by_wallet(sent)
    if attempt.decided is not None or not is_asked:
        return _refused_alone(attempt)
    refuse_wishes_of_newer(payment, context.channel)
    with context.ports.in_flight:
        return _begin_authentication(context, attempt)


def refuse_wishes_of_newer(payment: Payment, channel: Channel) -> None:
    """Raise Violations for what no message of the channel's version can say. TDS-04."""
    if channel.three_d_secure[payment.brand or ""] >= NEWER:
        return
    indicator = payment.sent.get(INDICATOR, "")
    wishes = {INDICATOR: indicator if indicator in OF_NEWER_VERSIONS else ""}
    wishes[EXEMPTION] = payment.sent.get(EXEMPTION, "")
    message = "needs version 2.2 or higher, for which the channel is not set up"
    wrong = [Violation(name, wish, message, "TDS-04") for name, wish in wishes.items() if wish]
    if wrong:
        raise Violations(wrong)


def place_of(ports: AuthenticationPorts, payment: Payment) -> GatewayAddress:
    """Where directory server, ACS and shopper find the gateway."""
    sandbox = ports.sandbox
    return GatewayAddress(ports.addresses.base(payment.host), sandbox.id, sandbox.epoch_id)


def send_areq(
    context: ChannelContext[AuthenticationPorts],
    payment: Payment,
    authentication: Authentication,
    number: str,
) -> AuthenticationResult:
    """What the AReq came to."""
    ports = context.ports
    areq = areq_of(
        payment,
        authentication,
        number,
        place=place_of(ports, payment),
        channel=context.channel,
        shop=shop_name(ports.sandbox, payment),
    )
    ports.journal.append_entry(message_entry(payment, Party.GATEWAY, areq, ports), (number,))
    try:
        answer = _answer_to(ports, payment, areq)
        document = read_message(answer)
        if not isinstance(document, Wrong):
            ports.journal.append_entry(
                message_entry(payment, Party.DIRECTORY_SERVER, document, ports), (number,)
            )
        signed = _signed(ports, document)
    except NoResponseError:
        return AuthenticationResult({}, UNREACHABLE)
    return verdict_on(answer, authentication, signed)


def _answer_to(ports: AuthenticationPorts, payment: Payment, areq: Document) -> Any:
    """The answer of the directory server. Raises NoResponseError, also where the AReq is dropped at
    a breakpoint.
    """
    with held_at(ports, Stop.DIRECTORY, payment, "AReq") as let:
        if let.is_dropped:
            raise NoResponseError("dropped at a breakpoint")
        return ports.directory.ask("areq", areq)


def begin_challenge(
    authentication: Authentication, came: AuthenticationResult, now: datetime
) -> Authentication:
    """The authentication of which the shopper is asked at the ACS, from `now` on."""
    return replace(
        authentication,
        stage=AuthenticationStage.CHALLENGE,
        due=now + CHALLENGE_MAX,
        acs_id=came.shown.get("threeDSecure.acsTransactionId", ""),
        ds_id=came.shown.get("threeDSecure.dsTransactionId", ""),
        acs_url=came.acs_url,
    )


def _is_asked(channel: Channel, payment: Payment) -> bool:
    if payment.source is not PaymentSource.OPP or payment.card is None:
        return False
    return asks_shopper({**payment.sent, "paymentType": payment.type}, channel, payment.brand)


def _refused_alone(attempt: PaymentAttempt) -> PaymentAttempt:
    """An authentication alone where the channel does none is refused; a payment goes on."""
    if attempt.payment.type is not PaymentType.TD or attempt.decided is not None:
        return attempt
    return replace(attempt, decided=outcome_of(attempt.payment, NO_SETUP))


def _begin_authentication(
    context: ChannelContext[AuthenticationPorts], attempt: PaymentAttempt
) -> PaymentAttempt:
    ports, payment = context.ports, attempt.payment
    number = attempt.request.number or ""
    try:
        found = _range_of(ports, payment, number)
    except NoResponseError:
        return _end_attempt(attempt, UNREACHABLE)
    if found is None:
        return _end_attempt(attempt, NO_RANGE)
    version = version_for(context.channel, payment.brand, found.versions)
    if version is None:
        return _end_attempt(attempt, NO_VERSION)
    authentication = Authentication(
        id=payment.id,
        stage=AuthenticationStage.METHOD,
        server_id=uuid_of(ports.ids.hex(UUID_DIGITS)),
        secret=ports.ids.hex(TOKEN_DIGITS),
        message_version=version,
        has_method=bool(found.method_url),
    )
    if found.method_url or lacks_browser(payment.sent):
        return _wait_for_shopper(ports, attempt, authentication, method_url=found.method_url)
    return _authenticate_at_once(context, attempt, authentication, number)


def _authenticate_at_once(
    context: ChannelContext[AuthenticationPorts],
    attempt: PaymentAttempt,
    authentication: Authentication,
    number: str,
) -> PaymentAttempt:
    """The attempt after its AReq was answered."""
    came = send_areq(context, attempt.payment, authentication, number)
    payment = replace(attempt.payment, shown={**attempt.payment.shown, **came.shown})
    attempt = replace(attempt, payment=payment)
    if came.ended is not None:
        return _end_attempt(attempt, came.ended)
    if came.acs_url:
        asked = begin_challenge(authentication, came, context.ports.clock.now())
        return _wait_for_shopper(context.ports, attempt, asked)
    if payment.type is PaymentType.TD:
        return replace(attempt, decided=outcome_of(payment, None))
    assert payment.attempt is not None, "a payment that is sent to the acquirer has an open attempt"
    # The acquirer is asked from now on: that the issuer was asked first is seen in the journal.
    begun = replace(payment.attempt, at=context.ports.clock.now())
    request = attempt.request
    return replace(
        attempt,
        payment=replace(payment, attempt=begun),
        request=replace(request, parameters={**request.parameters, **onward_of(payment)}),
    )


def _end_attempt(attempt: PaymentAttempt, ended: Ended) -> PaymentAttempt:
    outcome = outcome_of(attempt.payment, ended)
    return replace(attempt, decided=replace(outcome, risk_score=attempt.risk_score))


def _wait_for_shopper(
    ports: AuthenticationPorts,
    attempt: PaymentAttempt,
    authentication: Authentication,
    *,
    method_url: str = "",
) -> PaymentAttempt:
    """The attempt of a payment that waits for its shopper. Raises Violations where he could not
    return.
    """
    payment = attempt.payment
    refuse_no_way_back(payment.sent)
    place = place_of(ports, payment)
    preconditions: tuple[Precondition, ...] = ()
    if method_url:
        data = {METHOD_DATA: method_data(payment, authentication, place)}
        preconditions = (Precondition(method_url, data),)
    url = place.of(payment.id, ports.ids.hex(TOKEN_DIGITS))
    redirect = Redirect(url=url, preconditions=preconditions)
    return replace(
        attempt,
        payment=replace(payment, redirect=redirect),
        decided=replace(PENDING, risk_score=attempt.risk_score),
        records=(*attempt.records, authentication),
    )


def _signed(ports: AuthenticationPorts, document: Document | Wrong) -> Document | None:
    """What an ARes with a challenge was signed over; None where that does not hold."""
    content = None if isinstance(document, Wrong) else document.get("acsSignedContent")
    if not isinstance(content, str):
        return None
    try:
        return ports.directory.signed(content)
    except SignatureError:
        return None


def _range_of(ports: AuthenticationPorts, payment: Payment, number: str) -> Range | None:
    asked = lookup_of(payment, number, place_of(ports, payment))
    return range_in(ports.directory.ask("lookup", asked))


# What of a message the journal shows; the rest is the merchant's own, or a secret.
JOURNALED_FIELDS = (
    "messageVersion",
    "threeDSServerTransID",
    "acsTransID",
    "dsTransID",
    "threeDSCompInd",
    "purchaseAmount",
    "purchaseCurrency",
    "purchaseExponent",
    "threeDSRequestorID",
    "threeDSRequestorName",
    "threeDSRequestorChallengeInd",
    "transStatus",
    "transStatusReason",
    "eci",
    "errorCode",
    "errorDetail",
)


def message_entry(
    payment: Payment, sender: Party, document: Document, ports: AuthenticationPorts
) -> SimulatorEntry:
    """A message to or from the directory server, for journal and trace."""
    now, status = ports.clock.now(), document.get("transStatus")
    ours, kind = sender is Party.GATEWAY, str(document.get("messageType", "?"))
    message = Message(
        at=now,
        sender=sender,
        receiver=Party.DIRECTORY_SERVER if ours else Party.GATEWAY,
        label=f"{kind} {status}" if status else kind,
        body={name: document[name] for name in JOURNALED_FIELDS if name in document},
    )
    return SimulatorEntry(ndc=payment.ndc, at=now, payments=(payment.id,), messages=(message,))
