"""Decisions about registrations and series."""

from simulator.grammar.decisions import Decision, Switch, area

REGISTRATIONS = area(
    "Registrations and series",
    "Stored accounts, their lifetime, and recurring payments.",
    Decision(
        "D-119",
        "Registrations: paths, responses, result codes",
        question="""
            Which paths do registrations have, what do responses contain, and which codes have
            invalid ids?
        """,
        answer="""
            The paths are those of existing gateways: `POST /v1/registrations`; `GET`, `POST`,
            `DELETE /v1/registrations/{id}`; `POST .../{id}/payments` and `.../{id}/extendlife`. An
            RG needs neither paymentType nor amount. The response has id, brand, result, account and
            what was stored with it; removal and extension return id and result. Codes of ids, each
            with the status of D-13: unknown 100.150.200, of another form 100.150.101, the id of a
            payment 100.150.204, of a declined RG 100.150.203, of a pending one 100.150.201. Where
            a parameter names a registration, as registrationId of a schedule or in a checkout, they
            come with 400 and its name. A payment uses brand and account of the registration, even
            where others were sent; `overrideHolder=true` fills an empty holder and never replaces
            one. All channels of a merchant share its registrations. In profile `field`,
            `GET /v1/payments/{id}` also accepts the id of a registration.
        """,
        reason="""
            Recorded by existing clients. The specification says that such an endpoint exists, and
            that {id} may be that of a registration.
        """,
        switch=Switch(
            "registration_read", "refuse", "answer", "a registration's id at GET /v1/payments/{id}"
        ),
        tests=(
            "simulator/tests/recurring/test_registrations.py",
            "simulator/tests/recurring/test_api_registrations.py",
            "simulator/tests/recurring/test_registration_ids.py",
            "features/registrations.feature",
            "features/recurring.feature",
            "features/everywhere.feature",
            "features/others.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-120",
        "What is left of a removed registration",
        question="What does removing a registration do?",
        answer="""
            Card, account, customer, addresses and custom parameters are removed from the
            registration, from the RG that created it and the checkout that the RG was made in, from
            the entries of the journal about the three and of lists that show the RG, and from
            stored webhook events (D-331); only the fact that it existed is kept, under its
            merchantTransactionId. Using it is refused with 100.150.202; reading it is answered like
            an unknown id, with that code. Earlier payments stay as they are. The log is append-
            only, so that older lines stay in it until compaction: a card number in them is sealed
            with the key of the sandbox, and what D-42 never stores is not in them.
        """,
        reason="""
            To a merchant who investigates, a registration that was removed and one that never
            existed are different answers.
        """,
        tests=("simulator/tests/recurring/test_registrations.py", "features/registrations.feature"),
    ),
    Decision(
        "D-677",
        "The code of a removal",
        question="Which success code has the removal of a registration with testMode EXTERNAL?",
        answer="""
            000.100.110, as with INTERNAL (E50): no test system of a processor takes part. On the
            live host it is 000.000.000 where no testMode is sent. What creates or charges a
            registration has the code of its test mode (D-184).
        """,
        reason="Existing clients compare the answer to a removal for equality.",
        tests=("simulator/tests/recurring/test_api_registrations.py",),
    ),
    Decision(
        "D-678",
        "createRegistration with what refers to a payment",
        question="What does createRegistration do with a CP, RF, RV, RB, RC, CB or CR?",
        answer="""
            Nothing, like an account that is sent with one: these have no payment details of their
            own that could be stored. The answer has no registrationId.
        """,
        reason="""
            A merchant stores the account with the payment that is referred to. Clients send all
            parameters of an order with its capture.
        """,
        tests=("simulator/tests/recurring/test_api_registrations.py",),
    ),
    Decision(
        "D-121",
        "Changing a registration",
        question="Which request changes a registration, and what may it change?",
        answer="""
            `POST /v1/registrations/{id}` changes expiry and holder of a card; holder, bank name,
            country and mandate of a bank account; customer, addresses, corporate and custom
            parameters. What is not sent stays. An expired card is refused with 100.100.303, and a
            part of an account that the registration does not have with 100.150.205. The number
            never changes: another number is another registration. What names an account
            (a number, an IBAN, a BIC, a bank code, a wallet token) is refused there, at a payment
            by registration and at the reschedule of a schedule, in profile `field` too, where
            other unknown parameters are ignored (D-02); so are registrationId and
            registrations[n].id at a change and a reschedule.
        """,
        reason="""
            The event action UPDATED exists, and a renewed card is its purpose. A success for an
            account that is not taken would charge the old one.
        """,
        tests=(
            "simulator/tests/recurring/test_registrations.py",
            "features/registrations.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-122",
        "How long a registration is kept",
        question="How long is a registration kept, and what does an extension do?",
        answer="""
            A card is kept until 14 months after the end of the month in which it expires, any other
            account until 14 months after the last successful payment with it, by the clock of the
            sandbox. Then it is removed as a merchant removes one. `extendlife` adds 24 months,
            once: a second extension, or one of a registration that expired, is refused with
            100.150.206; one of a registration that was removed otherwise or never existed with
            100.350.316.
        """,
        reason="These are the numbers of existing gateways.",
        tests=("simulator/tests/recurring/test_retention.py", "features/registrations.feature"),
    ),
    Decision(
        "D-123",
        "Series of payments, and references of acquirers",
        question="""
            Which values of mode, source and recurringType go together, who assigns
            initialTransactionId, and who checks it?
        """,
        answer="""
            All four pairs of INITIAL, REPEATED with CIT, MIT are accepted. recurringType may be
            sent with them and must not contradict the mode (100.900.500). A payment is
            merchant-initiated where the source is MIT, or where recurringType is REPEATED and
            neither mode nor source is sent; then no shopper is redirected and no card.cvv is
            required. The acquirer assigns a reference with the final success of an INITIAL payment
            of source CIT, in standingInstruction.initialTransactionId and
            resultDetails.CardholderInitiatedTransactionID; that of the simulator has 15 letters and
            digits, and never looks like a card number, which would be masked where it is shown.
            What refers to a payment (a capture, say, or a refund) gets none and begins no series,
            though it may repeat the standingInstruction of its order. A
            merchant-initiated payment that sends a reference must send one that the merchant
            received on that host, through any channel; where it sends none, the acquirer gets that
            of the registration. Otherwise the payment is refused with 600.200.501. It may use
            another account and belong to another kind of series, since cards are renewed.
            industryPractice is refused with source CIT.
        """,
        reason="""
            Merchants charge through another channel than the one that registered, and all that is
            known of existing gateways is that the reference is replayed.
        """,
        setting="""
            `agreements` of a channel: `known`; `any`, which also accepts references of other
            gateways; `required`, which demands one.
        """,
        tests=(
            "simulator/tests/recurring/test_series.py",
            "features/recurring.feature",
            "features/others.feature",
            "features/series.feature",
            "features/accounts.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-124",
        "When a series requires 3-D Secure data",
        question="""
            For which payments are expiry, frequency and number of a standing instruction mandatory?
        """,
        answer="""
            For a PA, DB or PA.CP of type RECURRING or INSTALLMENT that is neither
            merchant-initiated nor by a schedule (D-193), where the channel is enrolled for the
            brand (D-117), or where results of another MPI are sent and not by a wallet. Missing
            parameters are named under COF-03.
        """,
        reason="For these payments the issuer asks the shopper to agree to a plan.",
        setting="`three_d_secure` of a channel.",
        tests=(
            "simulator/tests/recurring/test_series.py",
            "features/recurring.feature",
            "features/every_request.feature",
        ),
    ),
    Decision(
        "D-125",
        "Limits of a standing instruction",
        question="Does the gateway enforce expiry, frequency and number of installments?",
        answer="""
            There is no authorization after the expiry, not the first either, and not more
            installments than their number; otherwise 600.200.501. A PA, DB or PA.CP that rests on
            an agreement is one of its authorizations, whether merchant or shopper initiates it: a
            merchant-initiated one that is not INITIAL, and one of source CIT that is REPEATED, of
            type RECURRING or INSTALLMENT, or sends the reference. The first payment counts if it
            moves money; declined payments do not count, pending ones do. Not counted are a
            payment with an industryPractice, which follows an earlier authorization, and an
            UNSCHEDULED one of source CIT beside an agreement of another type: it is a purchase of
            its own. The days between two authorizations are enforced with `D-125=all` only. A limit
            that a payment sends itself narrows that of its agreement; where there is none, D-698
            says what it limits. Profile `field` enforces nothing.
        """,
        reason="""
            The specification words both as limits; but tests charge twice in one second, and should
            not have to move a clock for that.
        """,
        switch=Switch(
            "agreement_limits",
            "limits",
            "ignore",
            "expiry and number of a standing instruction, or its frequency too",
            others=("all",),
        ),
        tests=(
            "simulator/tests/recurring/test_agreements.py",
            "features/recurring.feature",
            "features/series.feature",
        ),
    ),
    Decision(
        "D-698",
        "Limits without an agreement",
        question="""
            What do expiry, frequency and number of installments limit where no shopper's payment
            of source CIT has begun an agreement that has them?
        """,
        answer="""
            A series of its own: that of a schedule with all that replace it, else of a
            registration, else of a reference, and there of each standingInstruction.type; a payment
            without a type counts in all of them. It begins with an approved payment that is
            INITIAL, or that stores the registration, and with it all that is sent later counts
            anew. Where no payment has begun it, it begins with the first one that sends a number of
            installments or a frequency, and each execution of a schedule is one of its own series.
            What counts, and when it is refused with 600.200.501, is as in D-125, and a payment can
            count in an agreement as well. It has no reference, and lets the merchant charge nothing
            that needs one (D-123). Card data that is sent anew each time is of no series. A
            schedule ends with the last payment that its series and its agreement leave.
        """,
        reason="""
            A limit that was accepted holds also where the merchant initiated the first payment; and
            two plans for one card must not use up each other.
        """,
        setting="It follows D-125.",
        tests=(
            "simulator/tests/recurring/test_own_series.py",
            "simulator/tests/schedules/test_limits.py",
            "features/series.feature",
            "features/plans.feature",
        ),
    ),
    Decision(
        "D-126",
        "Migrated registrations",
        question="What does recurringMigration.* create?",
        answer="""
            An approved RG with recurringMigration.* creates a registration with an agreement, whose
            reference is connectorTxId1 if that was sent; merchant-initiated payments need nothing
            else. All its parameters are stored, returned with the registration, and sent to the
            acquirer with the RG. An RG at `POST /v1/payments` accepts them too; other payment types
            refuse them. Limits come from standingInstruction.* sent with it.
        """,
        reason="The reference is what identifies the first payment at the previous acquirer.",
        tests=("simulator/tests/recurring/test_series.py", "features/recurring.feature"),
    ),
)
