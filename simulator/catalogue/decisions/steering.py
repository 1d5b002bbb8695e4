"""Decisions about steering the simulators."""

from simulator.grammar.decisions import Decision, area

STEERING = area(
    "Steering the simulators",
    "How a test chooses the outcome of a payment.",
    Decision(
        "D-34",
        "Order of steering",
        question="Which means decides the outcome when a request uses several?",
        answer="""
            Script, forceResultCode, card holder, test card, amount, default of the channel, in this
            order. docs/reference/magic-values.md lists them.
        """,
        reason="""
            The means nearest to the single test wins, and the general setting of the channel comes
            last.
        """,
        tests=("simulator/tests/steering/test_order.py", "features/steering.feature"),
    ),
    Decision(
        "D-50",
        "Result codes as card.holder",
        question="May card.holder contain a result code, although it is a name?",
        answer="""
            card.holder also accepts a value of the form ddd.ddd.ddd, which steers the simulator
            (D-61).
        """,
        reason="It works in every client and every form without another parameter.",
        tests=(
            "simulator/tests/catalogue/test_boundaries.py",
            "simulator/tests/steering/test_order.py",
        ),
    ),
    Decision(
        "D-60",
        "forceResultCode",
        question="Which result codes can a test force?",
        answer="""
            customParameters[forceResultCode] works for every payment type and accepts success,
            review and decline codes. Pending, chargeback and unknown codes are refused with
            600.200.810, which names the nearest known code.
        """,
        reason="A code that cannot be produced must not be silently ignored.",
        tests=(
            "simulator/tests/steering/test_order.py",
            "features/back_office.feature",
            "features/errors.feature",
            "features/payments.feature",
            "features/every_request.feature",
            "features/everywhere.feature",
        ),
    ),
    Decision(
        "D-682",
        "A code that cannot be forced, at a breakpoint or after a challenge",
        question="""
            What becomes of a payment with a code that cannot be forced (D-60, D-61) where its
            request is held at the acquirer (D-488), or its shopper was authenticated before?
        """,
        answer="""
            It is refused before it is held, and nothing of it is stored: a checkout keeps its
            attempt (D-132). A payment that is stored is refused no more. It is declined with
            600.200.810, as over the link (D-186): after a challenge, and where the script that was
            to answer is gone by the time a held request goes on.
        """,
        reason="""
            A refused request leaves no trace, and the shopper who was authenticated comes back to a
            shop that can read the result.
        """,
        tests=(
            "simulator/tests/checkouts/test_left_attempts.py",
            "simulator/tests/steering/test_holding.py",
            "simulator/tests/three_d_secure/test_challenges.py",
        ),
    ),
    Decision(
        "D-61",
        "Which payments a card holder steers",
        question="For which payment types does a result code as card.holder work?",
        answer="For PA, DB, CD and PA.CP. A code that begins with 000 is refused with 600.200.810.",
        reason="""
            Such codes cannot be forced in this way at existing gateways, and ignoring one would
            approve the payment silently.
        """,
        tests=("simulator/tests/steering/test_order.py",),
    ),
    Decision(
        "D-62",
        "Behaviours that count",
        question="""
            Where may a behaviour be used that counts its answers, such as "fail twice, then
            approve"?
        """,
        answer="It is armed as a script. It cannot be the default of a channel.",
        reason="Only a script keeps the count.",
        tests=("simulator/tests/steering/test_scripts.py",),
    ),
    Decision(
        "D-63",
        "Amounts that steer",
        question="Does the amount decide the outcome?",
        answer="""
            Not by default. A channel with `amount_behaviours` reads the two decimals of an initial
            payment as the response code of the acquirer: .51 is insufficient funds.
        """,
        reason="On a till an amount can be entered where a parameter cannot.",
        setting="`amount_behaviours` of a channel.",
        tests=("simulator/tests/steering/test_order.py",),
    ),
    Decision(
        "D-64",
        "Keys of resultDetails",
        question="Which keys does resultDetails have?",
        answer="""
            ConnectorTxID1 (the id of the payment), clearingInstituteName (the institute that
            settles the payment, D-401), AcquirerResponse where an acquirer responded, and AuthCode
            where it approved. An RG has no risk score.
        """,
        reason="It is a small set that clients read.",
        tests=(
            "acquirer_mocks/tests/test_internal.py",
            "features/responses.feature",
            "features/series.feature",
        ),
    ),
    Decision(
        "D-65",
        "Test cards that steer",
        question="Which test cards decide the outcome?",
        answer="""
            Eleven invented numbers do. The published plain and 3-D Secure cards do not, so that
            amount and channel still decide for them.
        """,
        reason="""
            A plain card that always approved would hide every setting that comes after it in the
            order (D-34).
        """,
        tests=("scenarios/tests/test_cards.py",),
    ),
    Decision(
        "D-66",
        "Random latencies",
        question="How long does a simulator take that has a random latency?",
        answer="""
            A lognormal latency depends on the seed, the behaviour and the count of answers, and is
            at most one hour.
        """,
        reason="The same run gives the same delays.",
        tests=("scenarios/tests/test_latency.py",),
    ),
    Decision(
        "D-327",
        "An acquirer that does not respond",
        question="What becomes of a payment whose acquirer is scripted not to respond?",
        answer="""
            The gateway waits 30 seconds on the clock of the sandbox, as for the card host (D-188).
            Then the payment is reversed at the acquirer and fails with 900.100.301, without
            AcquirerResponse. With testMode=EXTERNAL the response is lost on the link.
        """,
        reason="""
            A time-out is noticed by the gateway, so nothing in the answer comes from an acquirer.
            After a restart an open attempt ends in the same way (D-33).
        """,
        tests=("simulator/tests/steering/test_no_response.py",),
    ),
    Decision(
        "D-325",
        "Faults of the connection",
        question="Which requests does a script mean that has the answer to one lost?",
        answer="""
            A script with a step of `transport`, by the key of the sandbox. It matches valid
            requests of the merchant API with a token of the sandbox, by operation too; those that
            are refused by token or parameters do not count. It has counted, durably, before the
            request is carried out, or is not, as `carried_out` says.
        """,
        reason="""
            Whether a payment went through is the question that costs most in production, and no
            client can be tested for it without a gateway that loses answers.
        """,
        tests=("features/steering.feature", "simulator/tests/http/test_transport_faults.py"),
    ),
    Decision(
        "D-326",
        "What a broken connection carries",
        question="What does a client receive in place of a lost answer?",
        answer="""
            A reset, the end of the connection, the first half of the body, or a page: with the
            status of a proxy, or with 200 and the content type of JSON. Delays are real time and
            last at most 300 seconds. The journal keeps the answer as the gateway made it and says
            what became of it; for a request that was not carried out that answer is 503.
        """,
        reason="""
            These are what networks and proxies do. Sandbox time would stop a connection for ever
            where the clock is frozen.
        """,
        tests=("simulator/tests/http/test_transport_faults.py",),
    ),
)
