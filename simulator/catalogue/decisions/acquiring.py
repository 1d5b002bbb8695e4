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
            channel), since trace numbers wrap around; one that cannot be matched stands in the
            trace of the payment it resembles, with the field that is wrong. RV names its payment in
            field 60 and has no field 90, because the gateway keeps no trace number once a payment
            is final. Each sandbox has up to two connections of its own, opened when needed, signed
            on, and tested by an echo after an idle minute. Parameters that do not fit into a
            message (30,000 bytes) are declined with 900.100.100, as is an amount of more than ten
            integer digits (D-06), which field 4 has no room for; without a connection the code is
            900.100.600.
        """,
        reason="A script that breaks a connection must not disturb another sandbox.",
        tests=(
            "simulator/tests/acquiring/test_external.py",
            "simulator/tests/acquiring/test_unmatched.py",
            "acquirer_mocks/tests/test_card_host.py",
            "features/external.feature",
            "features/everywhere.feature",
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
            900.100.202, a decline of the whole, unless the channel takes parts (D-481): what the
            issuer holds for the part is given back, in the test mode EXTERNAL by a reversal (0400),
            so that the ledgers agree.
        """,
        reason="""
            The list has more than one result code for most response codes, so the host states
            which; no default may approve.
        """,
        tests=(
            "simulator/tests/acquiring/test_card_messages.py",
            "simulator/tests/terminals/test_virtual_cards.py",
        ),
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
            request gets the same response, a request that arrives after its reversal is declined,
            also where it was approved before. A forced code that cannot be forced (600.200.810) is
            a refusal inside the process and a decline over the link.
        """,
        reason="""
            The card host has to be available after a single command, and to use the real protocol.
        """,
        setting="`--card-port`",
        tests=(
            "acquirer_mocks/tests/test_card_host.py",
            "acquirer_mocks/tests/test_card_host_hostile.py",
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
            authorization stays. An attempt is durable before its request leaves, and the host's
            entry for it before its response does: where the disk refuses the attempt, the answer is
            503 and the host is not asked; where it refuses the entry, the host declines with
            response code 96. A response that a script delays by more than 30 seconds counts as
            none.
        """,
        reason="""
            The result codes distinguish "timeout, end state unknown" and "timeout, was reversed".
        """,
        tests=(
            "simulator/tests/acquiring/test_external.py",
            "simulator/tests/acquiring/test_busy_line.py",
            "simulator/tests/acquiring/test_issuer.py",
            "simulator/tests/lost_writes/test_card_host.py",
            "features/external.feature",
        ),
    ),
    Decision(
        "D-189",
        "The issuer",
        question="How does an issuer decide?",
        answer="""
            Five cards have a profile (`scenarios/issuer_cards.py`): limit, most in one payment,
            address, security code. The issuer decides where nothing else steers, in both test
            modes. It keeps authorized and captured amounts by card, currency and host, also where a
            script approved; what earlier builds kept for both hosts is of the test host. An
            authorization expires after seven days of sandbox time; a later capture is 800.100.167,
            and one that is declined later holds nothing any more. avsResponse compares
            billing.street1 (with billing.houseNumber1) and billing.postcode: F, A, Z, N, and U
            where neither was sent; cvvResponse is M, N, or P where no code was sent. The letters
            alone decline nothing, except for the strict card. Every other card has no limit and no
            letters.
        """,
        reason="The numbers are neutral, and tests that do not use the issuer are not disturbed.",
        tests=(
            "simulator/tests/acquiring/test_issuer.py",
            "simulator/tests/acquiring/test_pending_at_issuer.py",
            "features/external.feature",
            "features/everywhere.feature",
        ),
    ),
    Decision(
        "D-693",
        "Pending payments at the acquirer",
        question="What do card host and issuer keep of a payment that is pending?",
        answer="""
            Until its end the issuer counts its amount as that of an approved one. However it ends,
            by its plan, released, after its time (D-47), with its checkout or on the redirect
            page, the card host's entry gets the same end at the same instant as the payment, in
            one unit of work: that instant says in which bank day it settles (D-401). A decline
            takes back what the issuer counted. A payment whose pending answer was lost is reversed
            like any other (D-188).
        """,
        reason="""
            Released against its plan a payment was approved here and declined there for good, and
            was in no settlement.
        """,
        tests=(
            "simulator/tests/settlement/agreement/test_pending_payments.py",
            "simulator/tests/acquiring/test_pending_at_issuer.py",
        ),
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
            without field 11 no response is possible. An id that arrived with another request (type,
            trace, amount, currency, card, original, channel, host) is refused too. A refusal
            repeats only fields that can be read. A host that cannot store answers 96. A connection
            without a sign-on within 30 seconds is closed, and so are those beyond 2,000. A response
            without field 39 is ignored.
        """,
        reason="""
            A host that approves a message without card or amount would teach the opposite of what
            real hosts do, and an unknown peer must not end the connections of others.
        """,
        tests=(
            "acquirer_mocks/tests/test_card_host.py",
            "acquirer_mocks/tests/test_card_host_hostile.py",
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
        tests=(
            "features/terminals.feature",
            "scenarios/tests/test_terminal_cards.py",
        ),
    ),
    Decision(
        "D-431",
        "PINs at the issuer",
        question="How does the issuer verify a PIN, and how often may it be wrong?",
        answer="""
            Field 52 is decrypted under the zone key, and the PIN compared by its verification value
            (PVV). A wrong one is 55; the last of three tries (or as many as the profile has) is 75,
            and so is every later PIN until the card was sent `unblock-pin`. A valid PIN begins the
            tries anew. A block that cannot be read is a wrong PIN, and a PIN for a card without one
            is 86. So is every PIN, right or wrong, where nothing shows that the card is there: its
            number was typed in, or a refund came without chip data. It is not counted. The trace
            says how many tries are left, and nothing else. Each card, by its sequence number, has
            tries of its own, changed with optimistic locking. A sequence number counts only where
            the keys show it, of a chip or a tap; a swiped card has the one of its profile. Tries,
            taps and transaction counter of a card are those of one host: a PIN that is blocked on
            the test host is not on the live host. What earlier builds kept is of the test host.
        """,
        reason="An error of its own for an unreadable block would tell which PINs are impossible.",
        tests=(
            "acquirer_mocks/tests/issuing/test_pins.py",
            "acquirer_mocks/tests/issuing/test_kept_state.py",
            "acquirer_mocks/tests/issuing/test_hosts.py",
        ),
    ),
    Decision(
        "D-432",
        "Cryptograms at the issuer",
        question="How does the issuer verify a chip, and what does it answer?",
        answer="""
            By the cryptogram version of the profile: 10, 18 and 22 of scheme 1; 16, 17, 20 and 21
            of scheme 2. A cryptogram that is not valid, or data that it needs and lacks, is
            declined with 05 or 88, as the profile has it, and is kept as a finding with 88. So is
            one over values of other lengths than EMV has, which are signed behind each other; of
            data with a tag that is there twice nothing is read. A valid cryptogram charges only
            what it was made for: another currency (5F2A) or amount (9F02: with tip and cash, in the
            smallest unit of the currency) than the payment has, and a credit (9C of 20 to 29), are
            taken like one that is not valid, in an offline approval too; the counter is used up.
            What has no chip data of its own, such as a capture, may have another amount. Dates (9A)
            are not compared: those of offline approvals are days old. A chip
            in the reader (entry mode 05) is answered with 91 (ARPC by method 1 or 2) and 8A, a
            tapped one with 8A. A card without a profile is answered with 8A and is not verified. A
            refund needs no chip data, and is for any amount.
        """,
        reason="""
            It is what issuers do: the holder saw the amount that the card signed. Test cards
            without keys go on working at terminals.
        """,
        tests=(
            "acquirer_mocks/tests/issuing/test_cryptograms.py",
            "acquirer_mocks/tests/issuing/test_moved_bytes.py",
            "acquirer_mocks/tests/issuing/test_signed_amounts.py",
            "features/terminals.feature",
        ),
    ),
    Decision(
        "D-433",
        "Transaction counters",
        question="Which counter (ATC) may follow which?",
        answer="""
            A higher one, by at most 100. The same or a lower one is declined with 05 as a repeated
            payment. A larger step is declined with 05 once: the cryptogram was valid, so that the
            issuer goes on from there. The first counter of a card may be any. Both are kept as
            findings. An advice of an offline approval may come late and is not judged by it.
        """,
        reason="A card that made payments elsewhere must not be lost for good.",
        tests=("acquirer_mocks/tests/issuing/test_terminal_payments.py",),
    ),
    Decision(
        "D-434",
        "Taps in a row",
        question="How often may a card be tapped without a PIN?",
        answer="""
            Five times, and for 150.00 EUR together; the next is declined with 65 or 1A, as the
            profile has it. A valid PIN, online or (9F34) at the card, begins a new row. A tap with
            a PIN, one of a phone that verified its holder, and refunds are not counted; other
            currencies count by number alone.
        """,
        reason="These are the limits of the rules on strong customer authentication.",
        tests=("acquirer_mocks/tests/issuing/test_terminal_payments.py",),
    ),
    Decision(
        "D-435",
        "Commands of the issuer",
        question="How does an issuer change a card?",
        answer="""
            By signed commands in templates 71 (before the second cryptogram) and 72 (after it):
            unblock-pin, block-application, unblock-application, block-card, reset-counters, and
            "put-data TAG VALUE". A script of the sandbox orders them; they come with the next
            answer to a chip in the reader whose cryptogram is valid, at most four at once.
        """,
        reason="A card that was tapped or swiped is gone when the answer comes.",
        tests=("acquirer_mocks/tests/issuing/test_cryptograms.py",),
    ),
    Decision(
        "D-436",
        "Offline approvals",
        question="What becomes of a payment that the card has approved offline?",
        answer="""
            It is approved, whatever account, script, test card or channel say, at once and for
            good; connection faults still apply. Its cryptogram is verified: where it is not valid
            the payment is kept as a finding that may be charged back. Nothing is charged back by
            itself. A card that approves gives a transaction certificate: where entry mode ICC or
            NFC_ICC has Y1 or Y3 in tag 8A without a cryptogram of eight bytes (9F26) of this kind
            (9F27, bits 01), the card has not approved, and the issuer decides as of any other
            payment.
        """,
        reason="""
            The goods are gone; what remains to the issuer is a dispute. EMV (book 3, 6.5.5.4) knows
            no approval by a card without its certificate, and without it there is nothing that a
            dispute could be decided by; the response code alone is set by the terminal.
        """,
        tests=(
            "acquirer_mocks/tests/issuing/test_terminal_payments.py",
            "simulator/tests/terminals/test_offline_claims.py",
        ),
    ),
    Decision(
        "D-437",
        "Approving a part",
        question="When does the issuer approve a part of the amount?",
        answer="""
            For the card poor, at a terminal, where the account has at least half of the amount:
            response 10 with that part in field 4. Otherwise it is 51.
        """,
        reason="Both answers can be had by the amount alone.",
        tests=("acquirer_mocks/tests/issuing/test_terminal_payments.py",),
    ),
    Decision(
        "D-438",
        "Codes on tracks",
        question="How does the issuer verify a magstripe?",
        answer="""
            By the code in its discretionary data, made over the service code of the track; the one
            in a chip is made over 999 and is refused on a magstripe. A tap in magstripe mode has a
            dynamic code instead, with the end of the counter (D-433). The expiry date of a track
            has to be the card's, else 54. A wrong code is a wrong cryptogram (D-432).
        """,
        reason="A magstripe copied from the data of a chip is the usual forgery.",
        tests=("acquirer_mocks/tests/issuing/test_tracks.py", "features/terminals.feature"),
    ),
    Decision(
        "D-439",
        "The order in which the issuer decides at a terminal",
        question="What decides where several reasons apply, and what can a script do?",
        answer="""
            Authenticity and counter, expiry, status of the card, PIN, taps, account. The steps
            `issuer` of a script set the response code in place of all of this (`response`), order
            commands (`commands`), or corrupt the answer to the cryptogram (`authentication`: wrong,
            none). A script for the acquirer decides the outcome as ever; in both cases the counter
            of an authentic card is still noticed, and the chip is answered for what was decided.
            What nothing shows to be of the card chooses and changes no counter: neither a number
            that was typed in, nor a forged payment that is reported as approved offline.
        """,
        reason="A stolen card must not be used to guess a PIN, and a forged one not to block it.",
        tests=(
            "acquirer_mocks/tests/issuing/test_terminal_payments.py",
            "acquirer_mocks/tests/issuing/test_unproven_cards.py",
        ),
    ),
)
