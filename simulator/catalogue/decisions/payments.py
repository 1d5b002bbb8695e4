"""Decisions about payments."""

from simulator.grammar.decisions import Decision, Switch, area

PAYMENTS = area(
    "Payments",
    "Payment types, states, and payments that refer to another payment.",
    Decision(
        "D-362",
        "Most payments that refer to one",
        question="How many captures, refunds and other payments may refer to one payment?",
        answer="""
            1,000, refused ones too where they were stored; one more is refused with 700.500.001
            and changes nothing. What the bank takes back is charged back all the same (D-149).
        """,
        reason="""
            Reports with linked transactions, traces, and refunds of an authorization read all of
            them while others wait.
        """,
        tests=("simulator/tests/payments/test_references.py", "features/back_office.feature"),
    ),
    Decision(
        "D-11",
        "PA.CP",
        question="What is the full list of payment types?",
        answer="""
            A new payment may be PA, DB, CD or RG. Profile `field` also accepts PA.CP, which
            authorizes and captures in one step.
        """,
        reason="Existing gateways list PA.CP as an allowed value.",
        switch=Switch("authorize_capture", "refuse", "accept", "paymentType PA.CP"),
        tests=("simulator/tests/payments/test_references.py", "features/payments.feature"),
    ),
    Decision(
        "D-57",
        "RG at POST /v1/payments",
        question="May a registration be created by a payment request?",
        answer="Yes; the registration has the id of the payment. Profile `field` refuses it.",
        reason="""
            The specification lists RG among the payment types; the list of existing gateways is PA,
            DB, CD, PA.CP.
        """,
        switch=Switch(
            "registration_type", "accept", "refuse", "paymentType RG at POST /v1/payments"
        ),
        tests=(
            "simulator/tests/payments/test_api_payments.py",
            "simulator/tests/catalogue/test_check.py",
            "features/payments.feature",
        ),
    ),
    Decision(
        "D-41",
        "States of a payment",
        question="Which states does a payment have, and which transitions?",
        answer="Those of the table in `simulator/domain/payments/transitions.py`.",
        reason="The table follows from which payment types may refer to which payments.",
        tests=("simulator/tests/payments/test_transitions.py", "features/back_office.feature"),
    ),
    Decision(
        "D-43",
        "Amounts of 0.00",
        question="Is 0.00 an amount?",
        answer="""
            A PA may have the amount 0.00, which verifies a card, and an RV voids such a PA like any
            other. Every other type with it is refused with 100.550.300.
        """,
        reason="""
            Verifying and storing a card with a PA of 0.00 is a documented habit of existing
            clients. A reversal names no amount (D-29), so that none can be too small.
        """,
        tests=(
            "simulator/tests/accounts/test_cards.py",
            "simulator/tests/payments/test_references.py",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-46",
        "Result codes of refused references",
        question="Which result code has a capture, refund or reversal that is not possible?",
        answer="""
            The codes are rows of `simulator/catalogue/payment_types.py`, and
            `simulator/domain/payments/references.py` checks them in order. A reversal of a payment
            that moved money (DB, CP, RB) is 700.400.300; one of a payment that could never be
            reversed is 700.400.530.
        """,
        reason="Public descriptions and recorded answers of existing gateways.",
        tests=(
            "simulator/tests/payments/test_references.py",
            "features/back_office.feature",
            "features/bank_accounts.feature",
            "features/chargebacks.feature",
            "features/errors.feature",
            "features/direct_debits.feature",
            "features/every_request.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-14",
        "Reversal of a debit",
        question="Which payments may a reversal (RV) refer to?",
        answer="""
            A PA. Profile `field` also reverses a DB until the end of its day in UTC; later the
            answer is 700.300.700. The codes of refused reversals are in D-46.
        """,
        reason="Current sources allow only the PA; older clients also reverse a DB.",
        switch=Switch("reverse_debit", "refuse", "accept", "RV of a DB before its cut-off"),
        tests=(
            "simulator/tests/payments/test_references.py",
            "features/back_office.feature",
            "features/field_answers.feature",
        ),
    ),
    Decision(
        "D-29",
        "Amount of a reversal",
        question="May a reversal be partial?",
        answer="""
            No, it voids the whole amount. An amount may be sent and must then be equal to it, else
            700.100.200; a currency without one must be that of the PA (700.100.500). A PA of which
            any part was captured can no longer be reversed (700.400.300).
        """,
        reason="Existing clients send no amount, or the whole one.",
        tests=(
            "simulator/tests/payments/test_references.py",
            "features/back_office.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-30",
        "RC and RB",
        question="What do the payment types RC and RB do?",
        answer="""
            RC records money received for a PA and reduces its open amount as a capture does. RB
            charges the account of a DB again, for any amount, and leaves the DB unchanged. As a new
            charge it is refused for a card that has expired meanwhile (100.100.303), and for a
            brand or currency that the channel takes no longer.
        """,
        reason="Public descriptions of the workflow.",
        tests=(
            "simulator/tests/payments/test_references.py",
            "features/back_office.feature",
            "features/bank_accounts.feature",
            "features/deliveries.feature",
            "features/notified.feature",
            "features/structures.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-281",
        "Refund of an authorization",
        question="What does an RF do that names a captured PA instead of its capture?",
        answer="""
            In profile `field` it refunds the oldest capture of the PA that has as much left; the
            refund refers to that capture. One refund never takes from two captures: 700.400.200
            where none has as much left. Where nothing was captured it is 700.400.520, as in profile
            `specification` always.
        """,
        reason="An existing client keeps the id of its PA only (E62).",
        switch=Switch("refund_authorization", "refuse", "accept", "RF of a PA that was captured"),
        tests=("simulator/tests/payments/test_payers.py", "features/field_paths.feature"),
    ),
    Decision(
        "D-285",
        "A merchantTransactionId that is sent again",
        question="Does a second payment with the same merchantTransactionId charge again?",
        answer="""
            Yes: it is a payment of its own, and the header Idempotency-Key counts for nothing. A
            channel can refuse the second with 800.110.100, or repeat: answer it with the first
            payment, as it stands now, if it asks the same (type, amount, brand, account and all
            other parameters, not what the gateway adds), else refuse it. Either comes before
            anything that changes with time is judged: a wallet token, a card, a due date or an
            expiry may be over by now, the registration removed, the channel set up otherwise. It
            counts for new payments of one channel on one host, also by a registration or through a
            checkout, where it is never repeated; captures, refunds and schedules may always have
            it. A request that names its merchant is looked for before dispatching rules look at
            anything: the very same is judged by the channel on which the first was paid, also
            where the rules or the registration would pick another by now. A declined payment leaves
            it free, and to the checkout that it was sent in so does one that still waits for the
            shopper, who may pay there otherwise (D-130).
        """,
        reason="""
            The specification says "should be unique", and existing clients use one again (E18). A
            merchant who retries after a lost answer wants one charge.
        """,
        setting="`repeated_merchant_transaction_id` of a channel: accept, refuse or repeat.",
        tests=(
            "simulator/tests/payments/repeats/test_repeats.py",
            "simulator/tests/payments/repeats/test_late_repeats.py",
            "simulator/tests/payments/repeats/test_dispatched_repeats.py",
            "simulator/tests/payments/repeats/test_fleet_repeats.py",
            "features/checkouts.feature",
            "features/payments.feature",
        ),
    ),
    Decision(
        "D-282",
        "Receipt for captured money",
        question="May an RC refer to a payment whose money is captured already?",
        answer="""
            In profile `field` it may refer to a CP, DB or RB as well as to a PA. It then records
            what came in: it moves no money, leaves the state of the payment, asks no acquirer, and
            all receipts of a payment are at most its amount (700.400.100). A refund of such a
            receipt refunds the payment it refers to.
        """,
        reason="The text of 700.400.560 names these types, and an existing client sends it (E63).",
        switch=Switch("receipt_captured", "refuse", "accept", "RC of a CP, DB or RB"),
        tests=("simulator/tests/payments/test_payers.py", "features/field_paths.feature"),
    ),
    Decision(
        "D-33",
        "Attempts that are open at start",
        question="""
            What becomes of a payment whose acquirer response the gateway could not process because
            it stopped?
        """,
        answer="""
            It is reversed at the acquirer and fails with 900.100.301. The amount that it had
            reserved is available again.
        """,
        reason="""
            A shopper must not be charged for a payment whose result the merchant never received.
        """,
        tests=("simulator/tests/payments/test_attempts.py", "features/steering.feature"),
    ),
    Decision(
        "D-47",
        "Pending payments",
        question="How long may a payment stay pending?",
        answer="""
            30 minutes of the sandbox's clock, the lifetime of a checkout; then it fails with
            100.396.103. A payment in a checkout is pending no longer than its checkout lives: a
            shopper who is still on the page of the bank cannot pay any more. A behaviour or the
            control API may end it earlier; a payment that waits for its bank for days (D-144) is
            not ended by its checkout. A behaviour must end it with a final result code. Where an
            earlier build took another, or one that is none, the payment fails with 900.100.200.
        """,
        reason="It is the only limit that the specification shows.",
        tests=(
            "simulator/tests/sandboxes/test_clock.py",
            "simulator/tests/acquiring/test_pending_at_issuer.py",
            "features/asynchronous.feature",
            "features/deliveries.feature",
            "features/series.feature",
            "features/states.feature",
        ),
    ),
    Decision(
        "D-180",
        "Capture with a registration",
        question="""
            A CP refers to a payment, and a registration is not a payment: may a CP name a
            registration?
        """,
        answer="""
            In profile `field`, `paymentType=CP` at `POST /v1/registrations/{id}/payments` is
            processed as PA.CP, and the answer says PA.CP. In profile `specification` it is refused
            like any payment type that is not allowed.
        """,
        reason="""
            An existing client sends it (E05), and the account is the only thing that such a payment
            can charge.
        """,
        switch=Switch(
            "registration_capture",
            "refuse",
            "accept",
            "paymentType CP with a registration, processed as PA.CP",
        ),
        tests=("simulator/tests/catalogue/test_switches.py", "features/field_paths.feature"),
    ),
)
