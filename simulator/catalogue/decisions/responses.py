"""Decisions about responses."""

from simulator.grammar.decisions import Decision, Switch, area

RESPONSES = area(
    "Responses",
    "Status, result codes and members of responses, and which of several errors is answered.",
    Decision(
        "D-12",
        "Form of an ndc",
        question="What does an ndc consist of?",
        answer="""
            The entity id, a hyphen and 32 hex digits; the hex digits alone while no entity is
            known. Profile `field` writes an underscore in place of the hyphen.
        """,
        reason="""
            The specification admits letters, digits and hyphens; recorded answers have an
            underscore.
        """,
        switch=Switch(
            "ndc",
            "hyphen",
            "underscore",
            "the character between entity id and random part of an ndc",
        ),
        tests=("simulator/tests/payments/test_api_payments.py",),
    ),
    Decision(
        "D-290",
        "What the OpenAPI documents promise",
        question="Which responses do the OpenAPI documents describe, and for whom?",
        answer="""
            Every response of every operation: each status, each header beside those of the
            transport, each member of the body, which is closed. `/openapi.json` is the document of
            the server's profile; read with an access token it is that of the token's sandbox. The
            tests and `sandgate check` compare each response they receive with the document. What a
            generator makes names of (titles, components, tags, operations, the values of an enum)
            is unique in a document without regard to case; values that differ in case alone,
            as those of sortOrder, are a pattern.
        """,
        reason="""
            A strict generated client fails at what its document does not name, and a generator at
            a name that is there twice.
        """,
        tests=(
            "simulator/tests/http/paths/test_generated_names.py",
            "simulator/tests/http/test_openapi.py",
            "simulator/tests/kit/described.py",
            "features/mutants/tests/test_descriptions.py",
        ),
    ),
    Decision(
        "D-13",
        "Status for unknown ids",
        question="""
            The specification says 404, existing gateways answer 400: which status has a request
            that names an unknown id?
        """,
        answer="404, with the result code that clients match on. Profile `field` answers 400.",
        reason="The result code says more to a client than the status.",
        switch=Switch("unknown_id", "404", "400", "status of a request that names an unknown id"),
        tests=(
            "simulator/tests/payments/test_api_payments.py",
            "simulator/tests/payments/test_references.py",
            "features/checkouts.feature",
        ),
    ),
    Decision(
        "D-15",
        "Where referencedId appears",
        question="""
            The specification shows referencedId in webhooks only, some clients insist on it in the
            response: is it there?
        """,
        answer="In webhooks only. Profile `field` shows it in responses as well.",
        reason="The specification says so; existing clients fail without it.",
        switch=Switch("referenced_id", "webhook", "answer", "where referencedId appears"),
        tests=("simulator/tests/catalogue/test_switches.py", "features/field_paths.feature"),
    ),
    Decision(
        "D-16",
        "Success codes",
        question="Which success code has which payment?",
        answer="""
            000.100.110 in testMode INTERNAL, 000.100.112 in EXTERNAL. What refers to a payment has
            that of its testMode, whatever it sends itself: it goes where that one went.
        """,
        reason="""
            Clients compare the code for equality, and take 000.100.112 for a test that reached the
            processor.
        """,
        tests=(
            "simulator/tests/payments/test_api_payments.py",
            "features/payments.feature",
            "features/notified.feature",
        ),
    ),
    Decision(
        "D-17",
        "Members of a declined payment",
        question="Which of the conditional members does the response to a declined payment have?",
        answer="id, type, brand, card and result. It has no amount, currency or descriptor.",
        reason="Recorded answers show the same.",
        switch=Switch(
            "declined_amount",
            "omit",
            "omit",
            "amount, currency, descriptor of a declined payment",
            others=("show",),
        ),
        tests=(
            "simulator/tests/payments/test_api_payments.py",
            "simulator/tests/catalogue/test_switches.py",
            "features/errors.feature",
        ),
    ),
    Decision(
        "D-18",
        "Bodies of 401, 403, 404, 405, 413 and 500",
        question="What do the bodies of these responses contain?",
        answer="""
            A result with buildNumber, timestamp and ndc. The codes are 800.900.300 (401 and 403),
            200.300.404 (404), 200.300.403 (405), 200.100.103 (413) and 999.999.999 (500). An
            unknown entity and an entity of another merchant get the same answer, so that a caller
            cannot tell them apart.
        """,
        reason="""
            Every response carries a result, and these codes are the ones of the catalogue that
            describe the case.
        """,
        tests=(
            "simulator/tests/http/test_precedence.py",
            "features/authentication.feature",
            "features/transport.feature",
        ),
    ),
    Decision(
        "D-274",
        "Texts of results and their explanations",
        question="What is result.description, and where does a response say more?",
        answer="""
            result.description is exactly the text of the code. What explains a refusal (what was
            expected, what came) is resultDetails.ExtendedDescription, up to 2,048 characters, or
            result.parameterErrors where parameters are invalid. One text is longer than that of its
            code: 200.300.404 for a checkout that is unknown, expired or paid. A throttled request
            is not explained: the specification names the members of that body.
        """,
        reason="""
            Existing clients compare the description for equality, and the specification has
            resultDetails for further details.
        """,
        tests=(
            "simulator/tests/http/test_explanations.py",
            "features/field_answers.feature",
        ),
    ),
    Decision(
        "D-20",
        "Status of a declined payment",
        question="""
            The specification says 400, some sources say 200: which status has a declined payment?
        """,
        answer="400, also when the payment is read later.",
        reason="The specification says so.",
        switch=Switch(
            "decline_status", "400", "400", "status of a declined payment", others=("200",)
        ),
        tests=("simulator/tests/catalogue/test_switches.py",),
    ),
    Decision(
        "D-21",
        "Truncated names",
        question="Is a name that is truncated also shown truncated?",
        answer="""
            givenName and surname are truncated to 48 characters before anything else is done with
            them; values of up to 4,096 characters are accepted (D-53).
        """,
        reason="What was processed is what is shown.",
        tests=("simulator/tests/payments/test_api_payments.py",),
    ),
    Decision(
        "D-23",
        "Descriptor of a payment that sent none",
        question="What does a response show as descriptor when the merchant sent none?",
        answer="""
            The short id and the name of the channel: `1234.5678.9012 Sandgate Channel`. A short id
            begins with 0 to 4, so that no journal takes it for the number of a card.
        """,
        reason="Existing gateways do the same, and clients expect a descriptor in every success.",
        setting="""
            `descriptor_use: fixed` of a channel shows its descriptor even when the merchant sent
            another one (PAY-13).
        """,
        tests=(
            "simulator/tests/adapters/test_ids_and_clock.py",
            "simulator/tests/payments/test_api_payments.py",
            "features/payments.feature",
        ),
    ),
    Decision(
        "D-25",
        "Letters of result.cvvResponse",
        question="Which values does result.cvvResponse have?",
        answer="""
            M: the code matches, N: it does not match, P: not processed, S: the code should be on
            the card, U: not supported.
        """,
        reason="These are the letters that card schemes use.",
        tests=("scenarios/tests/test_loader.py",),
    ),
    Decision(
        "D-27",
        "Form of ids",
        question="What do ids consist of, beyond 32 letters and digits?",
        answer="32 lower-case hex digits, of which the first is an 8.",
        reason="""
            Some clients compare an id with a number. An id that begins with a letter or a zero
            breaks them.
        """,
        tests=("simulator/tests/payments/test_api_payments.py",),
    ),
    Decision(
        "D-28",
        "Time zone of a timestamp",
        question="What is the Z in `yyyy-MM-dd hh:mm:ssZ`?",
        answer="`+0000`, the offset of UTC.",
        reason="Recorded answers show the same.",
        tests=("simulator/tests/payments/test_api_payments.py", "features/responses.feature"),
    ),
    Decision(
        "D-39",
        "HEAD, OPTIONS and other methods",
        question="How are methods answered that the specification does not mention?",
        answer="""
            OPTIONS is answered 200 with an Allow header and a result. Every other method that a
            path does not have is answered 405. A HEAD request with a body is answered 400; a
            Content-Length of 0 is no body.
        """,
        reason="Every answer is JSON with a result.",
        tests=("simulator/tests/catalogue/test_switches.py",),
    ),
    Decision(
        "D-40",
        "Ids of refused requests",
        question="""
            Does the answer to a request that is refused for its state or its card carry an id?
        """,
        answer="""
            Yes, with the type, brand and card that were sent. No payment exists under that id.
        """,
        reason="Recorded answers have an id, and the merchant's support needs something to quote.",
        tests=("simulator/tests/payments/test_api_payments.py",),
    ),
    Decision(
        "D-45",
        "card.last4Digits and paymentType in responses",
        question="""
            The specification shows bin and expiry of a card: do responses also show its last four
            digits, and the payment type?
        """,
        answer="Both are shown.",
        reason="Most clients read them, and some refuse a response without them.",
        tests=("simulator/tests/payments/test_api_payments.py", "features/responses.feature"),
    ),
    Decision(
        "D-49",
        "Members that the specification does not name",
        question="May a response have members that the specification does not name?",
        answer="""
            The schemas of responses are closed where unknown parameters are refused, and open where
            they are ignored (D-02).
        """,
        reason="""
            A strict reader finds the mistakes of this gateway; a tolerant reader works with other
            gateways.
        """,
        setting="It follows D-02.",
        tests=("simulator/tests/http/test_openapi.py",),
    ),
    Decision(
        "D-58",
        "Response to a payment that refers to another",
        question="""
            Which of the conditional members does the response to a capture, refund or reversal
            have?
        """,
        answer="Type, amount, currency, descriptor and result; neither card nor paymentBrand.",
        reason="Recorded answers show the same, and the payment it refers to has shown them.",
        tests=("features/back_office.feature",),
    ),
    Decision(
        "D-59",
        "Order of errors",
        question="Which error is answered when a request has several?",
        answer="""
            The first of: TLS, path, method, header, token, throttling, size and encoding, entity,
            parameters, unknown id, state, acquirer. All invalid parameters are named, in the order
            of the specification; what the channel of a payment requires is named next, before its
            account is judged. Of a request that is added to a whole its own parameters are judged
            first (D-701).
        """,
        reason="""
            A caller who is not authenticated learns nothing, and the acquirer is not called for a
            request that fails anyway.
        """,
        tests=(
            "simulator/tests/http/test_precedence.py",
            "features/errors.feature",
            "features/throttling.feature",
            "features/transport.feature",
        ),
    ),
    Decision(
        "D-114",
        "A full disk",
        question="What does a merchant get while the server cannot write?",
        answer="""
            503 with 999.999.888 and Retry-After. Nothing of the request is stored; what becomes of
            a payment that was stored before its response came says D-687. Reads still work, and the
            disk is tried again at most once a second.
        """,
        reason="""
            In the list of result codes this code stands for the data store, and a test of clients
            that retry needs a status that asks for it.
        """,
        tests=(
            "simulator/tests/sandboxes/test_full_disk.py",
            "simulator/tests/adapters/store/test_commit.py",
            "simulator/tests/adapters/fleet/test_peers.py",
        ),
    ),
    Decision(
        "D-305",
        "Too many changes of one record",
        question="What does a client get whose change loses to other changes at every try?",
        answer="""
            A change that meets another one is decided again, up to a hundred times within a few
            seconds. After that nothing of the request is stored: 503 with 999.999.888 and
            Retry-After. Where the acquirer was called already, the payment is stored with an open
            attempt: 500 with 999.999.999 and without Retry-After, since the payment may be charged
            and must not be sent again. The attempt is reversed (D-687). A reset or restore ends
            what is under way; where the access token is valid after it, the answer is the same 503:
            nothing is kept. It is 500 where a card host may have charged, or where it is not known
            whether the reset is stored, and 403 where the token is not valid any more.
        """,
        reason="""
            A client repeats what is answered 503, and gives up at 403. A payment that may have been
            charged must never invite the first.
        """,
        tests=(
            "simulator/tests/adapters/store/test_transact.py",
            "simulator/tests/adapters/store/test_stale_records.py",
            "simulator/tests/sandboxes/test_ended_waits.py",
            "simulator/tests/adapters/postgresql/test_epochs_of_members.py",
        ),
    ),
    Decision(
        "D-687",
        "A response that could not be stored",
        question="""
            What becomes of a payment whose attempt was stored, and whose response the disk or the
            database did not take?
        """,
        answer="""
            The client gets 500 with 999.999.999 and no Retry-After, as in D-305: the payment is
            stored and must not be sent again. Its attempt ends by itself as a start ends it (D-33):
            it is reversed at the acquirer, in the test mode EXTERNAL by an advice (0420), and fails
            with 900.100.301. That is tried again each second until it is stored; after an internal
            error after a second, then after twice as long each time, up to 32 seconds. Where the
            connection to PostgreSQL was lost during a write and did not come back in time to ask
            what was stored, the answer is 500 as well; the sandbox answers 503 until it is known.
        """,
        reason="""
            503 invites the client to send the request again, and the first one may be charged. A
            pending capture holds its authorization.
        """,
        tests=(
            "simulator/tests/lost_writes/test_open_attempts.py",
            "simulator/tests/adapters/postgresql/test_open_attempts.py",
            "simulator/tests/adapters/postgresql/test_unknown_outcomes.py",
        ),
    ),
    Decision(
        "D-688",
        "A change of a sandbox that may not last",
        question="""
            What is answered to a reset, a deletion or a change of a sandbox whose record has taken
            its place on the disk, where the disk then does not make that durable?
        """,
        answer="""
            500 with 999.999.999 and no Retry-After, as where the connection to PostgreSQL is lost
            (D-687): the record stands, and a power cut may undo it. The gateway goes on with what
            stands on the disk, so that no start finds another record. No request begins in the
            sandbox, 503 as in D-114, before the disk has made it durable; that is tried with each
            request for it, and keeps no other sandbox back. What is under way goes on, but for a
            reset or a deletion. A change of people, classes, lessons or recordings is answered
            likewise.
        """,
        reason="""
            503 says that nothing was stored. To put the former record back would need a disk that
            has just failed.
        """,
        tests=(
            "simulator/tests/lost_writes/test_unsynced_changes.py",
            "simulator/tests/adapters/sandboxes/test_sandbox_files.py",
        ),
    ),
)
