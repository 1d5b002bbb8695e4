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
            "field_events",
            "omit",
            "send",
            "notifications of the types SCHEDULE, RISK and SETTLEMENT",
        ),
        tests=(
            "simulator/tests/webhooks/test_webhooks.py",
            "simulator/tests/webhooks/test_events.py",
            "features/asynchronous.feature",
        ),
    ),
    Decision(
        "D-666",
        "Many URLs of single payments",
        question="How many notificationUrls and shopperResultUrls are called at a time?",
        answer="""
            200 of a sandbox. A host has no more of them than are left to its merchant: those that
            are free, less those that the merchant has. So one merchant calls 100 at a time where no
            other one calls any, two call 66 each, and one host alone has 67. Calls that failed
            before count apart from first ones, as those of another merchant would. Others wait and
            take turns: the merchants, then the hosts of each. Calls of one URL follow one another,
            as those of an endpoint do, of which a sandbox has at most 100.
        """,
        reason="""
            Each has a connection of its own for up to 30 seconds, and a merchant may name another
            URL with every payment, and another host. Others would find no connection left, and
            other merchants would wait for minutes.
        """,
        tests=(
            "simulator/tests/adapters/webhooks/test_url_places.py",
            "simulator/tests/adapters/webhooks/test_dispatcher.py",
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
            channelName, shortId, source (OPP, OPPUI for a payment in a checkout, SYSTEM, SCHEDULER
            or MACRETRY) and paymentMethod (CC, DD for a bank account, VA, RM for a risk check). A
            REGISTRATION event has the id and the account of the registration, the customer, and the
            result of the request that caused it. A SCHEDULE event has its id, paymentType SD,
            registrationId, amount and source, and for an executed payment referencedId, result and
            resultDetails. A RISK event about a payment has an id of its own, paymentType RI and
            referencedId.
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
        "D-284",
        "Which URLs are called, and how",
        question="Which URLs may a merchant send, and what of them is called?",
        answer="""
            notificationUrl and the URL of an endpoint are http or https URLs with a host and
            without user and password; shopperResultUrl may also be the address of an app (another
            scheme with `://`), to which a shopper is sent and which is never called. Anything else
            is refused at once. URLs may be written in any script: the host is called in Punycode,
            the rest in percent of its UTF-8. A fragment stays with the browser: it is kept behind
            the query of a redirect, and no call contains it. threeDSecure.merchant.url is sent on
            where it is such a URL, and left out otherwise.
        """,
        reason="A URL that is accepted and can never be called loses the call without a word.",
        tests=("simulator/tests/webhooks/test_urls.py",),
    ),
    Decision(
        "D-355",
        "Names of webhook hosts",
        question="How are the host names of notifications looked up?",
        answer="""
            Once for each connection, in threads of their own; each sandbox looks up four names at
            once, and further ones wait within the 30 seconds of their attempt.
        """,
        reason="""
            The resolver of the system blocks its thread while a name server is silent. A merchant
            chooses the name: it may delay the notifications of its own sandbox, and neither the
            writes of others nor their notifications.
        """,
        tests=("simulator/tests/adapters/webhooks/test_names.py",),
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
            "features/deliveries.feature",
            "features/receivers.feature",
            "features/webhooks.feature",
        ),
    ),
    Decision(
        "D-617",
        "Notifications that a script swaps one after another",
        question="Which goes first where a script reorders a notification that another waits for?",
        answer="""
            The later one goes at once and the one that waits follows it: two by two they swap
            places, so that no more wait at an endpoint than one payment, or those at once, cause.
            At most 100 follow one event.
        """,
        reason="""
            If the later one waited too, none would ever go on a clock that stands still, and all of
            them at once, while others wait, with the first one that is not reordered.
        """,
        tests=("simulator/tests/webhooks/test_delivery_faults.py",),
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
            is skipped; the inbox is active at once. An endpoint that is not active gets no event of
            what happens meanwhile; the attempts of those that wait for it fail, and those after its
            activation are sent. A rotated secret takes effect when the rotation is finished.
            NON_CUSTOMER_DATA leaves out what the field rows call personal: customer, addresses,
            corporate, passengers, recipients and texts to them, holder and numbers of accounts.
            Content-Type is text/plain for hex text and application/json otherwise. The event types
            are those that the sandbox sends (D-80). A reset removes endpoints, as it removes
            scripts.
        """,
        reason="It is what the back offices of existing gateways offer, as far as clients show it.",
        tests=(
            "simulator/tests/webhooks/test_endpoints.py",
            "simulator/tests/webhooks/test_envelopes.py",
            "features/deliveries.feature",
            "features/receivers.feature",
            "features/webhooks.feature",
        ),
    ),
    Decision(
        "D-360",
        "A removed endpoint and its deliveries",
        question="What becomes of the notifications to an endpoint that is removed?",
        answer="""
            They get no further attempt, also where they are sent again, and are shown as given up
            with the error "the endpoint was removed". An attempt under way is completed, and its
            result is stored: what the endpoint accepted is shown as delivered. The events stay
            readable like those of every other completed delivery (D-84).
        """,
        reason="""
            A merchant who acknowledges an event and removes the endpoint at once has the event. It
            would be gone from the list if the removal came before the result was stored, and how
            soon that is depends on the load.
        """,
        tests=("simulator/tests/webhooks/test_removed_endpoints.py",),
    ),
    Decision(
        "D-719",
        "An endpoint that changes while an attempt is held",
        question="To what endpoint does an attempt go that was held at a breakpoint?",
        answer="""
            To the endpoint as it is when the attempt is let go on: its url, fields, format and
            secret of then. One that is not active by then, or was removed, gets nothing (D-85,
            D-360): an attempt is under way while it is on the wire. What the person answered with
            is kept.
        """,
        reason="A merchant may have set it to get no customer data within that hour.",
        tests=("simulator/tests/webhooks/test_held_attempts.py",),
    ),
    Decision(
        "D-86",
        "Addresses of endpoints",
        question="Where may notifications be sent?",
        answer="""
            To public addresses, and to loopback addresses while no other machine can reach the
            server: it listens on loopback and has neither `--public-url` nor `--public-acs-url`.
            `--allow-private-webhooks` also admits private and link-local addresses. A
            name is resolved once for each connection, all its addresses are checked, and the
            connection goes to a checked address.
        """,
        reason="A gateway that posts to any address can be made to reach what only it can reach.",
        setting="`--allow-private-webhooks`",
        tests=(
            "simulator/tests/webhooks/test_targets.py",
            "simulator/tests/adapters/webhooks/test_sender.py",
            "simulator/tests/webhooks/test_endpoints.py",
            "features/receivers.feature",
        ),
    ),
    Decision(
        "D-714",
        "Large notifications",
        question="How many large notifications are sent at a time?",
        answer="""
            One with a payload of more than 64 KiB is encrypted and sent in pieces of 64 KiB, and
            others have their turn between them. A sandbox sends at most 8 of them at a time, with
            at most 16 MiB of payloads, and the gateway at most 48 MiB; the attempts of one
            notification count its payload once where the endpoint gets all fields. One
            notification alone may be of any size. The attempts beyond wait: sandboxes take turns,
            and within one the first comes first. Short notifications do not wait for large ones to
            other endpoints. The 30 seconds of an attempt begin with its turn.
        """,
        reason="""
            An endpoint that does not read keeps what is sent to it in memory. Forty of them, and
            one payment of 12 MB, took 3.5 GB and stopped the gateway for five seconds.
        """,
        tests=("simulator/tests/adapters/webhooks/test_large_events.py",),
    ),
    Decision(
        "D-715",
        "Reading a large inbox",
        question="How is an inbox of many bytes read?",
        answer="""
            The answer to a GET of more than 1 MiB is sent in pieces, without its length, and
            `count` stands behind `arrived`. An inbox of more than 1 MiB has one reader at a time;
            others wait for their turn. Each message is in memory alone. Nothing is left out.
        """,
        reason="Eight readers of one event of 10 MB delayed all others by a second.",
        tests=("simulator/tests/webhooks/test_large_inbox.py",),
    ),
    Decision(
        "D-331",
        "Webhook events of a removed registration",
        question="What do stored webhook events say of a registration that was removed?",
        answer="""
            Which registration, its brand, its channel, and how the request ended. With the removal,
            card,
            account, customer, addresses, cart, corporate and custom parameters are taken out of
            every stored event of the registration and of the RG that created it; the event of the
            removal has none of them from the start. Attempts that are still to come, and events
            that are sent again, carry what is left. An attempt under way is sent as it was. Events
            of payments stay as they are, like the payments, and so does what arrived at an inbox,
            which is the merchant's.
        """,
        reason="""
            An event is kept so that it can be sent again; it would bring back what was removed. A
            merchant finds the registration by its id.
        """,
        tests=("simulator/tests/recurring/test_api_registrations.py",),
    ),
)
