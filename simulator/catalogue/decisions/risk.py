"""Decisions about risk checks."""

from simulator.grammar.decisions import Decision, area

RISK = area(
    "Risk checks",
    "Which checks run, what they count, and the score.",
    Decision(
        "D-164",
        "Which risk checks run",
        question="What does a risk system check, and for which payments?",
        answer="""
            The checks that `risk` of the channel names, for PA, DB and PA.CP, before the acquirer
            is called. Each is a behaviour with `risk` steps (amount, velocity, deny list, country
            mismatch, fingerprint, or a plain decline); a script may also steer the risk system. The
            first check that declines decides, with its own code, and the payment is stored as
            declined. Without checks a payment has the score that the acquirer returns (D-64).
        """,
        reason="""
            Every code of the risk groups can be produced, and a payment without risk checks costs
            nothing more.
        """,
        setting="`risk` of a channel.",
        tests=(
            "simulator/tests/payments/test_risk.py",
            "features/risk.feature",
            "features/direct_debits.feature",
            "features/everywhere.feature",
            "features/three_d_secure.feature",
            "features/accounts.feature",
        ),
    ),
    Decision(
        "D-165",
        "What velocity checks count",
        question="What does a velocity check count?",
        answer="""
            Payments with the same account, email or IP address at one merchant on one host,
            whatever their testMode, including declined ones, in the given number of seconds before
            risk.orderTimestamp, which is the time of the request where it is not sent. The time
            zone is UTC. A request that ends without a stored payment, whatever ended it, does not
            count. Letter case and the blanks of an account, the letter case of an email address,
            and the spelling of an IP address (`::ffff:192.0.2.1` is 192.0.2.1) make no other one;
            what a deny list has, countries too, is compared alike. An account in national notation
            is another one than its IBAN, and zeros at the beginning of its number count.
        """,
        reason="""
            An IBAN has no letter case, and who is counted may choose how it is written. How many
            digits a number has, and where it stands in an IBAN, differs by country and bank: a rule
            for some of them would count two accounts as one, or one as two, for others.
            Attempts count, not successes. A payment of one host does not exist on the other (D-88):
            tests there decline no live payment.
        """,
        tests=(
            "simulator/tests/payments/test_risk.py",
            "simulator/tests/steering/test_ended_screenings.py",
            "features/risk.feature",
            "features/series.feature",
            "features/accounts.feature",
        ),
    ),
    Decision(
        "D-166",
        "The risk score",
        question="Which range has the score, and what does it mean?",
        answer="""
            100 where all checks pass, -100 where one declines, or the value that the behaviour
            sets. The lowest score counts.
        """,
        reason="Recorded answers show 100 for payments that passed.",
        setting="`score` of a behaviour.",
        tests=("simulator/tests/payments/test_risk.py",),
    ),
    Decision(
        "D-56",
        "Selecting the screening service",
        question="How does a request select the third-party screening service?",
        answer="""
            By a risk.serviceId of one character; risk.channelId then has at most 12 characters.
        """,
        reason="The specification gives both limits, and one of them identifies the service.",
        tests=("simulator/tests/catalogue/test_check.py",),
    ),
    Decision(
        "D-167",
        "Rules of the screening service",
        question="Which rules does the third-party screening service apply?",
        answer="""
            A risk.serviceId of one character selects the service (D-56). It runs the checks that
            `screening` of the channel names, and passes everything where there are none.
        """,
        reason="The specification says that a different set of rules runs.",
        setting="`screening` of a channel.",
        tests=(
            "simulator/tests/payments/test_risk.py",
            "features/accounts.feature",
            "features/risk.feature",
        ),
    ),
    Decision(
        "D-168",
        "Risk checks without a payment",
        question="Which path has a risk-only request, and what does it return?",
        answer="""
            `POST /v1/risk` with the parameters of a payment, except paymentType. It returns
            000.300.100 and the score, or 400 with the code of the check that declined. It is stored
            as a transaction of type RI, to which no payment may refer. Every brand can be checked,
            also one that takes only some payment types.
        """,
        reason="Type and code are those of existing gateways.",
        tests=(
            "simulator/tests/payments/test_risk.py",
            "simulator/tests/accounts/test_brands.py",
            "features/risk.feature",
        ),
    ),
    Decision(
        "D-306",
        "When a script of the risk system counts",
        question="Is a script counted when the risk system is asked, or with the payment?",
        answer="""
            When it is asked, in a commit of its own, as scripts of the ACS are. What cannot be
            reserved (a used wallet token, a paid checkout, an agreement without another
            authorization) is refused before that. A payment that is refused later, for instance
            because its shopper could not return from a challenge, has counted.
        """,
        reason="""
            The payment may wait for its shopper or its acquirer in between. With `times`, a script
            must answer exactly that often, however many payments come at once.
        """,
        tests=("simulator/tests/adapters/store/test_stale_records.py",),
    ),
)
