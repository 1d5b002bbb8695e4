"""Decisions about acquirer, card host and issuer."""

from simulator.grammar.decisions import Decision, area

ACQUIRING = area(
    "Acquirer, card host and issuer",
    "The ISO 8583 link of testMode EXTERNAL, time-outs and reversals, and the simulated issuer.",
    Decision(
        "D-183",
        "The format of card messages",
        question="Which protocol does the gateway use towards a processor?",
        answer="""
            ISO 8583:1987 in ASCII, after a length of two bytes and a TPDU of five; the fields are
            the rows of `simulator/domain/acquiring/fields.py`, among them 70 for network
            management. Private fields: 48 the security code and the series, 60 the addressing
            (sandbox, channel, payment, brand, type, original), 61 the address to verify, 62
            external 3-D Secure data, 63 all other parameters and, in a response, the outcome. A
            message has at most 32,768 bytes: a longer one is skipped, a malformed one is refused
            with 30, both are logged by field and position, and the connection stays up. A field
            that has no row is malformed. A connection whose first bytes are no message, such as a
            request of HTTP, is closed. At most one line a second is logged of all of this.
        """,
        reason="""
            It is what terminals and hosts use most, and private fields for everything else are
            their usual way.
        """,
        tests=(
            "simulator/tests/acquiring/test_card_messages.py",
            "acquirer_mocks/tests/test_card_host.py",
        ),
    ),
    Decision(
        "D-184",
        "What is sent over the link, and how a response finds its payment",
        question="Which payments does EXTERNAL concern, and which messages carry them?",
        answer="""
            Card payments (PA, DB, CD, PA.CP, CP, RF, RV, RB) of testMode EXTERNAL; payments that
            refer to one follow it. PA is 0100, RV is 0400, the others are 0200, distinguished by
            the processing code. Accounts that are not cards, registrations and risk checks are
            answered inside the process with 000.100.112. Responses are matched by trace number,
            retrieval reference (from the id of the payment) and terminal (from sandbox and
            channel), since trace numbers wrap around. RV names its payment in field 60 and has no
            field 90, because the gateway keeps no trace number once a payment is final. Each
            sandbox has up to two connections of its own, opened when needed, signed on, and tested
            by an echo after an idle minute. Parameters that do not fit into a message (30,000
            bytes) are declined with 900.100.100; without a connection the code is 900.100.600.
        """,
        reason="A script that breaks a connection must not disturb another sandbox.",
        tests=(
            "simulator/tests/acquiring/test_external.py",
            "acquirer_mocks/tests/test_card_host.py",
            "features/external.feature",
        ),
    ),
    Decision(
        "D-185",
        "Response codes and result codes",
        question="Which result code follows from which response code?",
        answer="""
            Every value of field 39 in use has a row in
            `simulator/catalogue/messages/card_responses.py`; any other is 900.100.200. The outcome
            in field 63 counts where the response code allows it: a decline always, an approval with
            00, 08, 11, 16 and 85, a pending outcome with 09. A partial approval (10) is
            900.100.202.
        """,
        reason="""
            The list has more than one result code for most response codes, so the host states
            which; no default may approve.
        """,
        tests=("simulator/tests/acquiring/test_card_messages.py",),
    ),
    Decision(
        "D-186",
        "The card host",
        question="Where is the test system of the processor?",
        answer="""
            In the same process, behind a listener of its own on the loopback address
            (`--card-port`, 8583; `card_host` in the ready line). It asks for no credentials and can
            therefore be reached from this machine only. A gateway without listeners, as in tests,
            has its connections inside the process. The host decides with the acquirer of the
            sandbox that the message names, so that scripts and magic values have the same effect
            and are counted once, by the host. It stores an entry for each payment: a repeated
            request gets the same response, a request that arrives after its reversal is declined. A
            forced code that cannot be forced (600.200.810) is a refusal inside the process and a
            decline over the link.
        """,
        reason="""
            The card host has to be available after a single command, and to use the real protocol.
        """,
        setting="`--card-port`",
        tests=(
            "acquirer_mocks/tests/test_card_host.py",
            "simulator/tests/acquiring/test_external.py",
        ),
    ),
    Decision(
        "D-187",
        "Faults of the link",
        question="What may go wrong between gateway and processor?",
        answer="""
            The `link` step of a script: timeout, late (the response arrives after the reversal),
            silent (two reversals get no response either), duplicate, wrong_stan, garble, drop (the
            connection is closed in the middle of the response), sign_off (the payment is not
            processed, 900.100.600; the next one signs on again), slow_start (the connection is
            closed after the response, and the next sign-on takes 20 seconds of sandbox time).
            Except with sign_off, the host has processed the payment. Inside the process there is no
            connection, and such a script does not apply.
        """,
        reason="Each fault leaves the gateway with different knowledge.",
        tests=("simulator/tests/acquiring/test_external.py", "features/external.feature"),
    ),
    Decision(
        "D-188",
        "Payments without a response",
        question="When does the gateway stop waiting for a response, and what does it do then?",
        answer="""
            30 seconds of sandbox time (and at least 50 ms of real time) after the request, or when
            the connection breaks, a reversal is stored and sent. If the reversal is answered, the
            payment is declined with 900.100.301; otherwise with 900.100.300, and the reversal
            (0401) is repeated every minute of sandbox time, also after a restart, until it is
            answered. An attempt that is found open at start is reversed by an advice (0420). A
            response that arrives later is logged and ignored. A lost RV is reversed too: the
            authorization stays. The ledgers of gateway and host are in one log, in the order of
            events, so that an attempt is durable no later than the host's entry for it, and only
            the final payment is waited for. A response that a script delays by more than 30 seconds
            counts as none.
        """,
        reason="""
            The result codes distinguish "timeout, end state unknown" and "timeout, was reversed".
        """,
        tests=(
            "simulator/tests/acquiring/test_external.py",
            "simulator/tests/acquiring/test_issuer.py",
            "features/external.feature",
        ),
    ),
    Decision(
        "D-189",
        "The issuer",
        question="How does an issuer decide?",
        answer="""
            Five cards have a profile (`scenarios/issuer_cards.py`): limit, most in one
            payment, address, security code. The issuer decides where nothing else steers, in both
            test modes. It keeps authorized and captured amounts by card and currency, also where a
            script approved. An authorization expires after seven days of sandbox time; a later
            capture is 800.100.167. avsResponse compares billing.street1 (with billing.houseNumber1)
            and billing.postcode: F, A, Z, N, and U where neither was sent; cvvResponse is M, N, or
            P where no code was sent. The letters alone decline nothing, except for the strict card.
            Every other card has no limit and no letters.
        """,
        reason="The numbers are neutral, and tests that do not use the issuer are not disturbed.",
        tests=("simulator/tests/acquiring/test_issuer.py", "features/external.feature"),
    ),
    Decision(
        "D-190",
        "Merchant advice codes",
        question="""
            Public facts name the values of resultDetails.MerchantAdviceCode: when is each of them
            given?
        """,
        answer="""
            With declines of the issuer: insufficient funds 24, over the limit 25, invalid security
            code 01, account closed 03, payment stopped 21. No other decline has an advice, unless a
            script sets it.
        """,
        reason="03 and 21 mean never again, 24 and 25 an hour and a day, 01 new details.",
        tests=("simulator/tests/acquiring/test_issuer.py",),
    ),
    Decision(
        "D-240",
        "Mandatory fields of a card message",
        question="""
            Which fields of a card message are mandatory, and what happens to a connection that
            sends nothing?
        """,
        answer="""
            The rows of `simulator/domain/acquiring/requirements.py`: by message type, and for a
            payment the card (PA, DB, PA.CP, CD, RB) or the original (CP, RF, RV, RC), the
            processing code of its type, an amount above zero where its type needs one, and ids of
            32 hex digits. A message without one of them is refused with 30 and logged by field;
            without field 11 no response is possible. An id that arrived with another request is
            refused too. A refusal repeats only fields that can be read. A host that cannot store
            answers 96. A connection without a sign-on within 30 seconds is closed, and so are those
            beyond 2,000. A response without field 39 is ignored.
        """,
        reason="""
            A host that approves a message without card or amount would teach the opposite of what
            real hosts do, and an unknown peer must not end the connections of others.
        """,
        tests=(
            "acquirer_mocks/tests/test_card_host.py",
            "simulator/tests/acquiring/test_card_messages.py",
        ),
    ),
    Decision(
        "D-300",
        "Size of a reconciliation report",
        question="What does a reconciliation of a large sandbox cost, and what does it list?",
        answer="""
            It is made in slices of a few milliseconds, between which other requests are served;
            each payment is compared with its entry at one moment. It lists at most 1,000
            differences; the others count in the sums and in `agree`.
        """,
        reason="A report of a long load run must not stop the run.",
        tests=("simulator/tests/acquiring/test_reconciliation_slices.py",),
    ),
    Decision(
        "D-430",
        "Cards for terminals",
        question="Which cards can be put into a terminal, and what do card and issuer share?",
        answer="""
            Twelve cards in `scenarios/terminal_cards.yaml`: gold, sign, offline, online-only,
            wrong-pin-proof, blocked, stolen, poor, tap, tap-old, dead-chip and two-apps. The file
            has numbers, PINs, magstripe and chip data, keys and faults, all of them test values; a
            virtual card is personalized from it and the issuer decides by it. The keys of a card
            derive from the issuer's by number and sequence number, so that any other sequence of a
            number is another card of the same account, with a counter of its own: many terminals
            can be tried at once with one profile.
        """,
        reason="Two copies of one card would differ some day; neutral numbers disturb no test.",
        tests=("scenarios/tests/test_terminal_cards.py",),
    ),
)
