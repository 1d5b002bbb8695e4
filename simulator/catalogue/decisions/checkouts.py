"""Decisions about checkouts."""

from simulator.grammar.decisions import Decision, Switch, area

CHECKOUTS = area(
    "Checkouts",
    "Preparing, updating, paying and reading a checkout, and what the hosted form may send.",
    Decision(
        "D-127",
        "Ids of checkouts",
        question="""
            What does the id of a checkout consist of, beyond 32 to 48 letters, digits, dots and
            hyphens?
        """,
        answer="""
            32 upper-case hex digits, a dot, and 15 lower-case letters and digits. Both parts
            together contain the id of the sandbox; 80 bits of the hex digits are random. The id
            never contains twelve decimal digits in a row.
        """,
        reason="""
            Ids of existing gateways have this form. The shopper's browser has no token, so the
            sandbox must be found by the id, and a value that looks like a card number would be
            masked.
        """,
        tests=("simulator/tests/checkouts/test_checkout_ids.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-128",
        "What is fixed when a checkout is prepared",
        question="""
            Which parameters does a checkout accept, how is it updated, read and removed, and what
            do its responses contain?
        """,
        answer="""
            It accepts every structure of a payment, except secrets (card.number, card.cvv, the
            wallet token, passwords) and terminal data. amount, currency and paymentType are
            required, unless createRegistration=true is sent; a paymentType then requires the other
            two. `registrations[n].id` names stored accounts of this merchant (others: 100.150.200,
            100.150.202). What only the shopper can enter is checked when the shopper pays; what the
            shopper could not correct is refused at once. An update fixes more values, or other
            ones, and the whole is checked again. While an attempt is pending, updates and removal
            are refused (700.400.570). Codes: created 000.200.100, updated 000.200.101, removed
            000.200.102; a read is 000.200.103 and, once there is a final payment, 000.000.100, with
            type, amount and what responses echo. Both spellings of the paths share their limits.
        """,
        reason="""
            The codes are in the list of result codes. Card data in a prepared session would have to
            be stored for half an hour.
        """,
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_checkout_registrations.py",
            "features/checkouts.feature",
        ),
    ),
    Decision(
        "D-129",
        "What may be posted to a checkout",
        question="Which data may the form submit, and what may it overwrite?",
        answer="""
            Anything that a payment may have, or `registrationId` in place of an account. A value
            that was fixed must not be sent again, not even the same value, by the form or by the
            merchant (200.300.404, "already set, cannot be overwritten"); the merchant updates the
            checkout instead. The form may send brand, account, customer, billing address,
            createRegistration, recurring.numberOfInstallments, shopperResultUrl, customParameters
            that start with SHOPPER_, and the registrationId of an account that the checkout offers.
            Everything else (amount, statement text, risk, 3-D Secure results, the place in a
            series) may only be sent by the merchant, with an access token. Rules between parameters
            hold for the fixed and the sent values together, except that customer.browser.* needs no
            name. A payment belongs to the channel that its checkout was prepared for. A
            registration is an RG.
        """,
        reason="""
            Existing gateways refuse overwriting in the same way: the price is agreed when the
            checkout is prepared. A browser sends its own data, whether or not the merchant knows
            the shopper's name.
        """,
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_capabilities.py",
            "features/checkouts.feature",
        ),
    ),
    Decision(
        "D-130",
        "How long a checkout may be used",
        question="""
            Does a checkout end by success or by being read, and what do further attempts do?
        """,
        answer="""
            After its first success nothing can be posted or updated any more. It can be read until
            30 minutes after it was prepared, on the sandbox's clock. Unknown, expired and already
            used checkouts get the same answer, with the status of D-13. Before the first success
            any number of attempts may fail. An attempt that still waits for the shopper on another
            page is ended by the next one (100.396.104), so that the shopper never pays twice; while
            one is being processed the next is refused (800.110.100). An attempt that only waits for
            its bank, for days, counts as a success here. With `D-130=first_read` a paid checkout
            ends when it is first read.
        """,
        reason="A merchant may read the result twice, and a shopper may decide differently.",
        switch=Switch(
            "checkout_read",
            "expiry",
            "expiry",
            "how long a paid checkout is read: until it expires, or once",
            others=("first_read",),
        ),
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_checkouts_at_once.py",
            "features/checkouts.feature",
            "features/field_answers.feature",
        ),
    ),
    Decision(
        "D-131",
        "Credentials of the hosted form",
        question="How does the hosted form authenticate?",
        answer="""
            With `Authorization: Checkout <48 hex digits>`, a capability for one checkout, of which
            only a hash is stored. At most eight are valid; a further one ends the oldest. It is
            used up by the commit that stores the attempt, so that a refused request does not use it
            up. After an attempt that failed or is pending, the header `Sandgate-Capability` of the
            response carries the next one. It is valid for the two POSTs of that checkout on its
            host and for nothing else. Unknown, foreign and used capabilities are answered 403, like
            an unknown token. The control API issues one for tests.
        """,
        reason="""
            An access token does not belong in a browser, and a POST that is repeated must not
            charge twice.
        """,
        tests=("simulator/tests/checkouts/test_capabilities.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-132",
        "The call for a checkout that was not read",
        question="""
            When does a checkout count as read, what does the call contain, and is it retried?
        """,
        answer="""
            The call is a GET of shopperResultUrl with id (the checkout) and resourcePath, its own
            query kept, 29 minutes after the checkout was prepared, or later if the shopper pressed
            pay later. Only a read that returned a final result counts, and another attempt makes
            the checkout unread again. A POST that was refused is not an attempt. Delivery and
            retries are those of D-84.
        """,
        reason="It is sent when the merchant does not know how the checkout ended.",
        tests=("simulator/tests/checkouts/test_checkout_calls.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-133",
        "The ndc of a checkout, and its status before a payment",
        question="""
            Which ndc do responses about a checkout have, and what do they say before a payment was
            attempted?
        """,
        answer="""
            The same ndc as all responses. In profile `field` it is the id of the checkout, also in
            notifications of its payments. Before the first attempt, and at the end if there was
            none, the result is 000.200.000 without an id.
        """,
        reason="""
            Recorded answers show it; existing shops use the ndc of a notification to find the
            checkout.
        """,
        switch=Switch(
            "checkout_ndc",
            "entity",
            "checkout",
            "the ndc of answers about a checkout: as everywhere, or the checkout's id",
        ),
        tests=("simulator/tests/checkouts/test_checkouts.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-134",
        "Integrity",
        question="What does `integrity=true` return, and of what is it the hash?",
        answer="""
            The member `integrity` is `sha384-` and the Base64 hash of the script at
            /v1/paymentWidgets.js, which has the same bytes for every checkout and any origin. In
            this release the script draws no form; it says so in each place where a form belongs.
        """,
        reason="""
            A page that compares the script with the hash must find them equal, whatever the script
            does.
        """,
        tests=("simulator/tests/checkouts/test_checkouts.py", "features/checkouts.feature"),
    ),
)
