"""Decisions about webhooks."""

from simulator.grammar.decisions import Decision, Switch, area

WEBHOOKS = area(
    "Webhooks",
    "Which events are sent, what they contain, how they are delivered, and where to.",
    Decision(
        "D-80",
        "Which operation sends which event",
        question="Which operations send which events?",
        answer="""
            The table in docs/reference/webhook-events.md lists them. A payment sends CREATED with
            its first result, also when that is a decline, and UPDATED when it was pending and
            becomes final.
            A registration sends CREATED when it exists, whether an RG or a payment with
            createRegistration created it, UPDATED when its data or lifetime changed, and DELETED
            when it was removed. An RG sends no PAYMENT event. Profile `field` also sends SCHEDULE
            events (created, replaced, ended, and each payment that was executed, in addition to the
            event of that payment) and RISK events (of a risk check alone, or of a payment).
        """,
        reason="""
            Every change of state is sent once, by the record whose state it is. The types SCHEDULE
            and RISK are not in the specification.
        """,
        switch=Switch(
            "field_events", "omit", "send", "notifications of the types SCHEDULE and RISK"
        ),
        tests=(
            "simulator/tests/webhooks/test_webhooks.py",
            "simulator/tests/webhooks/test_events.py",
            "features/asynchronous.feature",
        ),
    ),
    Decision(
        "D-81",
        "Events of the payment that another refers to",
        question="""
            Does a capture, refund or reversal also send an event of the payment it refers to?
        """,
        answer="""
            No. Its own event names that payment as referencedId. With `D-81=send` the payment that
            it refers to sends UPDATED as well.
        """,
        reason="Recorded notifications show the later payment only.",
        switch=Switch(
            "parent_notices",
            "omit",
            "omit",
            "an event of the payment that a later one refers to",
            others=("send",),
        ),
        tests=("simulator/tests/webhooks/test_webhooks.py", "features/webhooks.feature"),
    ),
    Decision(
        "D-82",
        "The action of a PAYMENT event",
        question="When is the conditional member `action` present?",
        answer="Always. Profile `field` sends it with REGISTRATION events only.",
        reason="Recorded notifications of payments have no action.",
        switch=Switch("payment_action", "send", "omit", "the action of a PAYMENT notification"),
        tests=("simulator/tests/webhooks/test_webhooks.py", "features/webhooks.feature"),
    ),
    Decision(
        "D-83",
        "More members in a payload",
        question="""
            A payload is identical to the payment response, but existing gateways add members: which
            ones are sent?
        """,
        answer="""
            presentationAmount and presentationCurrency (equal to amount and currency, wherever
            these are) and referencedId. Profile `field` also sends authentication.entityId,
            channelName, shortId, source (OPP, SYSTEM, SCHEDULER or MACRETRY) and paymentMethod (CC,
            DD for a bank account, VA, RM for a risk check). A REGISTRATION event has the id and the
            account of the registration, the customer, and the result of the request that caused it.
            A SCHEDULE event has its id, paymentType SD, registrationId, amount and source, and for
            an executed payment referencedId, result and resultDetails. A RISK event about a payment
            has an id of its own, paymentType RI and referencedId.
        """,
        reason="""
            Recorded notifications have these members, and a receiver must not fail on members it
            does not know.
        """,
        switch=Switch(
            "webhook_extras",
            "omit",
            "send",
            "authentication.entityId, channelName, shortId, source, paymentMethod in notifications",
        ),
        tests=(
            "simulator/tests/webhooks/test_webhooks.py",
            "simulator/tests/webhooks/test_events.py",
        ),
    ),
    Decision(
        "D-84",
        "Delivery and retries",
        question="How often is a notification sent, and what is guaranteed?",
        answer="""
            A notification is stored together with the change it reports and sent at once. Any 2xx
            within 30 seconds is success; a redirect is not followed and is a failure. After a
            failure the next attempt follows after 1, 2, 4, 8, 15 and 30 minutes, 1 hour, and then
            every day, counted from the start of the last attempt on the sandbox's clock. Delivery
            stops 30 days after the first attempt. Each notification has its own retries. Delivery
            is at least once: every attempt has the same X-Event-Id, and X-Delivery-Attempt counts
            the attempts. Notifications to one endpoint are sent in order unless one fails;
            endpoints do not wait for each other. The last 1,000 that were delivered or given up are
            kept. notificationUrl is called with GET (id, resourcePath) when a pending payment
            becomes final, with the same retries.
        """,
        reason="""
            The waiting times are the published ones. The event id lets a receiver drop what it
            already knows.
        """,
        tests=(
            "simulator/tests/webhooks/test_retries.py",
            "simulator/tests/adapters/webhooks/test_dispatcher.py",
            "simulator/tests/adapters/webhooks/test_results.py",
            "features/receivers.feature",
            "features/webhooks.feature",
        ),
    ),
    Decision(
        "D-85",
        "Webhook endpoints",
        question="How is an endpoint registered, and how are notifications encrypted?",
        answer="""
            Through the control API, at any level of the hierarchy. Notifications are encrypted with
            AES-256-GCM and sent as hex text, unless the format `json` or `wrapped` is chosen. The
            secret has 64 hex digits; where none is given it is generated and shown once. A new
            endpoint, or a new URL, becomes active once a test event was answered 2xx, unless that
            is skipped; the inbox is active at once. A rotated secret takes effect when the rotation
            is finished. NON_CUSTOMER_DATA leaves out customer, billing, shipping, and the holders
            of card and bankAccount. Content-Type is text/plain for hex text and application/json
            otherwise. The event types are those that the sandbox sends (D-80). A reset removes
            endpoints, as it removes scripts.
        """,
        reason="It is what the back offices of existing gateways offer, as far as clients show it.",
        tests=(
            "simulator/tests/webhooks/test_endpoints.py",
            "simulator/tests/webhooks/test_envelopes.py",
            "features/receivers.feature",
            "features/webhooks.feature",
        ),
    ),
    Decision(
        "D-86",
        "Addresses of endpoints",
        question="Where may notifications be sent?",
        answer="""
            To public addresses, and to loopback addresses while the server itself listens on
            loopback. `--allow-private-webhooks` also admits private and link-local addresses. A
            name is resolved once for each connection, all its addresses are checked, and the
            connection goes to a checked address.
        """,
        reason="A gateway that posts to any address can be made to reach what only it can reach.",
        setting="`--allow-private-webhooks`",
        tests=(
            "simulator/tests/webhooks/test_targets.py",
            "simulator/tests/adapters/webhooks/test_sender.py",
        ),
    ),
)
