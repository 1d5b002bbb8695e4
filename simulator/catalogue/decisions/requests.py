"""Decisions about requests."""

from simulator.grammar.decisions import Decision, Switch, area

REQUESTS = area(
    "Requests",
    "What a request may contain: characters, sizes, unknown and malformed parameters.",
    Decision(
        "D-01",
        "Characters of letters",
        question='Which characters do the formats "A" and "letters" admit?',
        answer="""
            Letters and marks of every script, by Unicode block, the blank, hyphen, apostrophe
            (straight or typographic) and dot. In formats that also admit digits ("letters and
            digits"), letters are ASCII only.
        """,
        reason="""
            These fields hold names. A rule that refuses "Zoë" or "O'Neil" tests nothing that a
            merchant needs.
        """,
        switch=Switch(
            "letters",
            "unicode",
            "unicode",
            "characters of the formats A and letters",
            others=("ascii",),
        ),
        tests=("simulator/tests/catalogue/test_boundaries.py", "features/formats.feature"),
    ),
    Decision(
        "D-02",
        "Unknown parameters",
        question="What happens to a parameter that the specification does not name?",
        answer="""
            It is refused, and the answer names the nearest known parameter. Profile `field` ignores
            unknown parameters, and keys that no map admits: one that is ignored neither requires
            another parameter nor replaces one. Brackets that are not paired are refused in both
            profiles.
        """,
        reason="""
            A misspelled parameter that is silently ignored is the most expensive mistake of an
            integration.
        """,
        switch=Switch("unknown_parameters", "refuse", "ignore", "unknown parameters"),
        tests=(
            "simulator/tests/payments/test_api_payments.py",
            "simulator/tests/http/paths/test_absent_parameters.py",
            "features/errors.feature",
            "features/shown.feature",
        ),
    ),
    Decision(
        "D-03",
        "Empty values",
        question="Is `descriptor=` a parameter that was sent?",
        answer="""
            No. A parameter with an empty value counts as absent, also where its format begins at no
            characters, as that of customParameters[name]: it is not stored and not echoed.
        """,
        reason="Existing clients send empty values for data they do not have.",
        tests=(
            "simulator/tests/http/test_forms.py",
            "features/formats.feature",
            "features/payments.feature",
        ),
    ),
    Decision(
        "D-04",
        "Malformed parameters",
        question="""
            How are repeated names, gaps in indexes, NUL characters, bytes that are not UTF-8, and
            values without a name answered?
        """,
        answer="""
            Each of them is a violation that names the parameter. The value is never repeated in the
            answer.
        """,
        reason="Guessing which of two amounts was meant would be worse than any refusal.",
        tests=("simulator/tests/http/test_forms.py", "features/transport.feature"),
    ),
    Decision(
        "D-270",
        "A name sent twice",
        question="Is a parameter that is sent twice refused where both values are equal?",
        answer="""
            Every repetition is refused (D-04). In profile `field` a name that is sent several times
            with one value counts once, also once in the query and once in the body; of a custom
            parameter with several values the last is kept; other names with different values are
            refused.
        """,
        reason="""
            Samples and clients of existing gateways repeat entityId, paymentBrand and custom
            parameters.
        """,
        switch=Switch("repeated_names", "refuse", "equal", "names that are sent more than once"),
        tests=("simulator/tests/http/test_forms.py", "features/field_requests.feature"),
    ),
    Decision(
        "D-668",
        "Two accounts in one request",
        question="Which account pays where a request names several?",
        answer="""
            None: the request is refused, naming the further ones. Each of card.number,
            mobileWallet.paymentToken, virtualAccount.accountId, bankAccount.iban or .number, and in
            a checkout registrationId, names an account by itself; at POST /v1/payments and
            /v1/registrations, which take none, registrationId is refused in profile `field` too
            (D-02). What a merchant fixes of accounts in a checkout is for several brands, and does
            not count. With `accept` a stored account pays, else a wallet token, else a card, else
            the account of the brand. What refers to a payment takes no account (D-678).
        """,
        reason="""
            The specification has one account for each payment, and no known client sends two; one
            of them was charged, and nothing said which.
        """,
        switch=Switch(
            "one_account", "require", "require", "two accounts in one request", others=("accept",)
        ),
        tests=("simulator/tests/accounts/test_two_accounts.py",),
    ),
    Decision(
        "D-271",
        "Customers without names",
        question="May customer parameters be sent without given name and surname?",
        answer="""
            No, as the specification says (CUST-01). In profile `field` any customer parameter may
            be sent alone, in payments, checkouts and updates.
        """,
        reason="Existing clients send customer.ip or customer.email alone.",
        switch=Switch("customer_names", "require", "optional", "names of a customer"),
        tests=("simulator/tests/catalogue/test_tolerated.py", "features/field_requests.feature"),
    ),
    Decision(
        "D-272",
        "Texts in addresses",
        question="""
            Existing clients send the name of a region as state, and their own name of a shipping
            method: are they accepted?
        """,
        answer="""
            Only what the specification lists or admits. Profile `field` accepts any text in
            billing.state (48 characters), shipping.state (50), shipping.city (80) and
            shipping.method (255).
        """,
        reason="Existing clients send `West Yorkshire`, names in Arabic, and `Standard, 2 days`.",
        switch=Switch("address_texts", "strict", "tolerant", "states, cities, shipping methods"),
        tests=("simulator/tests/catalogue/test_tolerated.py", "features/field_requests.feature"),
    ),
    Decision(
        "D-273",
        "Decimals of risk.amount",
        question="May risk.amount be a whole number?",
        answer="It has two decimals, as the specification says. Profile `field` accepts none too.",
        reason="Existing clients send the amount of a payment, which may be whole, as risk.amount.",
        switch=Switch("risk_amount", "decimals", "whole", "decimals of risk.amount"),
        tests=("simulator/tests/catalogue/test_tolerated.py", "features/field_requests.feature"),
    ),
    Decision(
        "D-75",
        "Percent signs that encode nothing",
        question="What do `100%`, `%zz` and `%4` mean in a form or a query?",
        answer="""
            The percent sign stands for itself, and so do the characters after it. Bytes that do not
            decode to UTF-8 are still refused (D-04).
        """,
        reason="""
            The servers that merchants know do the same, and curl sends forms exactly as they were
            written: `100%` in a memo means 100%.
        """,
        tests=("simulator/tests/http/test_forms.py",),
    ),
    Decision(
        "D-05",
        "Size of a request",
        question="How large may a request be?",
        answer="""
            10,000 parameters, 1 MiB, and 255 bytes in the name of a parameter. A larger request
            is answered 413, and nothing of it is read. A checkout, which is added to, has as many
            parameters and 1,048,576 characters in all. A registration and a schedule have at most
            500 parameters and 32,768 characters, names included, and a checkout that prepares a
            registration 400 and 24,576. One that grows beyond that is refused with 400; one of an
            earlier build that has more may still change. What would store a record of more than
            64 MiB is refused with 400 as well.
        """,
        reason="""
            1,000 cart items with ten fields each are 10,000 parameters, and 1 MiB holds them at
            ordinary lengths. Others wait while so many are read and shown. A registration and a
            schedule are read, listed and paid with again and again, without a further request.
        """,
        tests=(
            "simulator/tests/http/test_forms.py",
            "simulator/tests/http/test_precedence.py",
            "simulator/tests/checkouts/test_large_wholes.py",
            "simulator/tests/restored/test_large_records.py",
            "features/transport.feature",
        ),
    ),
    Decision(
        "D-268",
        "How many wrong parameters an answer names",
        question="How many wrong parameters does an answer name?",
        answer="""
            All of them, but at most 1,000: the first in the order of the catalogue. The journal
            keeps the first 200.
        """,
        reason="""
            A request may have 10,000 parameters. The second thousand helps no developer, and an
            answer must not cost more than its request.
        """,
        tests=("simulator/tests/journal/test_linear_masking.py",),
    ),
    Decision(
        "D-266",
        "Control characters",
        question="""
            Which characters are control characters, and where may they stand? The specification
            says "alphanumeric or any characters" of AN.
        """,
        answer="""
            C0, DEL, C1, the separators of lines and paragraphs (U+2028, U+2029), and the
            embeddings, overrides and isolates of directions (U+202A to U+202E, U+2066 to U+2069). A
            text (AN) may have line breaks and tabs (LF, CR, TAB) and no other of them; every other
            format has none. No format admits U+FFFD, the sign for what could not be read: it is
            left where text was decoded wrongly before it was sent. Logs and commands show each as
            an escape, such as `\\x1b`.
        """,
        reason="""
            Gift messages and descriptions have lines. The others are typed by no shopper, and move
            the cursor of a terminal or turn what stands beside them.
        """,
        tests=(
            "simulator/tests/catalogue/test_samples.py",
            "simulator/tests/journal/test_logs.py",
            "simulator/tests/commands/test_output.py",
        ),
    ),
    Decision(
        "D-78",
        "Content-Encoding",
        question="Are compressed request bodies accepted?",
        answer="""
            No. A body with any Content-Encoding but `identity` is answered 415 with 200.100.103 and
            `Accept-Encoding: identity`. This check comes after the size and before the media type.
            Documents and snapshots sent to the control API are checked in the same way. Without a
            body the header has no meaning.
        """,
        reason="""
            Read as it is, a compressed form is noise, and the error would name a byte that is not
            UTF-8. Decompressing would let a few bytes become many.
        """,
        tests=(
            "simulator/tests/http/test_forms.py",
            "simulator/tests/http/test_precedence.py",
            "simulator/tests/http/test_control_errors.py",
        ),
    ),
    Decision(
        "D-06",
        "Integer digits of an amount",
        question="""
            Existing clients know a pattern with 12 integer digits, the specification writes 10:
            which holds?
        """,
        answer="""
            10 digits; 12 in profile `field`. A message to the card host has room for 10 (D-184).
        """,
        reason="Recorded answers of existing gateways show the pattern with 12 digits.",
        switch=Switch("amount_digits", "10", "12", "integer digits of an amount"),
        tests=(
            "simulator/tests/catalogue/test_boundaries.py",
            "simulator/tests/acquiring/test_external.py",
        ),
    ),
    Decision(
        "D-07",
        "Postcodes",
        question="""
            Existing clients send a blank, as in `A1 2BC`, which the format excludes: is it
            accepted?
        """,
        answer="""
            Only letters and digits are accepted. Profile `field` also accepts the blank and the
            hyphen.
        """,
        reason="Real postcodes contain them.",
        switch=Switch("postcode", "alphanumeric", "tolerant", "characters of a postcode"),
        tests=("simulator/tests/catalogue/test_check.py",),
    ),
    Decision(
        "D-08",
        "Phone numbers",
        question="Existing clients send values such as `(?!?)555-5555`: are they accepted?",
        answer="""
            Only the characters of the specification are accepted. Profile `field` accepts any
            characters.
        """,
        reason="The test suites of existing clients must run unchanged in profile `field`.",
        switch=Switch("phone", "strict", "tolerant", "characters of a phone number"),
        tests=("simulator/tests/catalogue/test_check.py",),
    ),
    Decision(
        "D-09",
        "Short merchant references",
        question="Existing clients send a merchantTransactionId such as `123`: is it accepted?",
        answer="It must have 8 to 255 characters, in profile `field` 1 to 255.",
        reason="The test suites of existing clients must run unchanged in profile `field`.",
        switch=Switch(
            "short_references", "refuse", "accept", "a merchantTransactionId under 8 characters"
        ),
        tests=(
            "simulator/tests/catalogue/test_check.py",
            "simulator/tests/payments/test_api_payments.py",
        ),
    ),
    Decision(
        "D-10",
        "Booleans",
        question="Existing clients send `1` for true: is it accepted?",
        answer="Only `true` and `false` are accepted. Profile `field` also accepts `1` and `0`.",
        reason="The test suites of existing clients must run unchanged in profile `field`.",
        switch=Switch("booleans", "words", "digits", "true and false alone, or 1 and 0 as well"),
        tests=("simulator/tests/catalogue/test_check.py",),
    ),
    Decision(
        "D-31",
        "Currencies and decimals",
        question="Which edition of ISO 4217 applies, and how many decimals does an amount have?",
        answer="""
            The currencies are those of the installed pycountry. Every amount has two decimals,
            whatever the currency.
        """,
        reason="Two decimals is the rule of the wire.",
        setting="A channel may list the `currencies` it accepts.",
        tests=("simulator/tests/catalogue/test_check.py",),
    ),
    Decision(
        "D-32",
        "Place and spelling of entityId",
        question="May a query carry entityId, and is the older spelling accepted?",
        answer="""
            entityId may stand in the body or in the query, and `authentication.entityId` means the
            same: both may be sent with one value, and are refused with two. A POST reads no other
            parameter from its query.
        """,
        reason="""
            Existing clients send it in the query of GET and DELETE. A card number in a query would
            appear in every log on the way.
        """,
        tests=(
            "simulator/tests/http/test_forms.py",
            "simulator/tests/payments/test_api_payments.py",
            "features/authentication.feature",
        ),
    ),
    Decision(
        "D-38",
        "Trailing slash",
        question="Is `/v1/payments/` a path?",
        answer="It means the same as the path without the slash.",
        reason="Existing clients rely on it.",
        tests=("simulator/tests/http/test_forms.py", "features/transport.feature"),
    ),
    Decision(
        "D-700",
        "Slashes at the start of a path",
        question="Is `//v1/payments` a path?",
        answer="""
            No: its first part is empty, so it is answered 404 like any mistyped path, also where
            the slash was sent as `%2f`. The listener of the ACS answers the same.
        """,
        reason="A client that joins its address wrongly learns of it before it goes live.",
        tests=(
            "simulator/tests/http/test_forms.py",
            "acquirer_mocks/tests/test_three_d_secure_bad_input.py",
        ),
    ),
    Decision(
        "D-53",
        "Lengths that are not shown",
        question="How long may a value be whose format shows no limit?",
        answer="""
            givenName and surname 4,096 characters, the token of a wallet 16,384, URLs 2,048; the
            lists and the expression of a job, and initialTransactionId, 255; the numbers of a job 9
            digits.
        """,
        reason="Everything has a limit, and these are far above any realistic value.",
        tests=("simulator/tests/catalogue/test_boundaries.py",),
    ),
    Decision(
        "D-178",
        "What becomes of a field",
        question="What do most of the fields do?",
        answer="""
            Each field is echoed in the answer, has an effect, or is accepted: stored with the
            payment and forwarded to the party it is meant for. `sandgate explain NAME` says which.
        """,
        reason="A field that is silently dropped looks like one that works.",
        tests=("simulator/tests/catalogue/test_effects.py",),
    ),
)
