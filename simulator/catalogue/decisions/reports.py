"""Decisions about reports."""

from simulator.grammar.decisions import Decision, Switch, area

REPORTS = area(
    "Reports",
    "Queries by id, reference and time frame.",
    Decision(
        "D-171",
        "Paths of reports",
        question="Which paths do reports have?",
        answer="""
            `GET /v1/query/{id}` for one transaction; `GET /v1/query` by merchantTransactionId or by
            date.from and date.to; `GET /v3/query` and `GET /v3/query/{id}` the same in pages; `GET
            /v1/resultcodes` without authentication. An unknown id is 700.400.580 (D-13), and so is
            an unknown merchantTransactionId, with 400. A time frame without transactions is an
            empty list.
        """,
        reason="These are the requests of existing clients.",
        tests=("simulator/tests/payments/test_reports.py", "features/reporting.feature"),
    ),
    Decision(
        "D-172",
        "The time frame",
        question="Is date.to included, and which time zone do the days have?",
        answer="""
            Both days are included, in UTC and by the clock of the sandbox. Profile `field` also
            accepts times, `yyyy-MM-dd HH:mm:ss`, and includes the second one. A date.to before
            date.from is refused.
        """,
        reason="A request for a single day names it twice.",
        switch=Switch(
            "report_dates",
            "days",
            "times",
            "date.from and date.to of a report: days, or times as well",
        ),
        tests=(
            "simulator/tests/payments/test_reports.py",
            "features/reporting.feature",
            "features/field_paths.feature",
        ),
    ),
    Decision(
        "D-280",
        "A time frame without an end",
        question="May a report be asked for from a day on, without date.to?",
        answer="""
            In profile `field`: it then contains everything since date.from. Profile `specification`
            requires both.
        """,
        reason="The specification lists both as required; existing clients send the first alone.",
        switch=Switch(
            "report_end", "require", "optional", "date.to of a report that names date.from"
        ),
        tests=("simulator/tests/payments/test_reports.py", "features/field_paths.feature"),
    ),
    Decision(
        "D-173",
        "Pages and filters",
        question="How many transactions may a report contain?",
        answer="""
            Pages have `limit` transactions, 100 by default and at most 500, oldest first, beginning
            with `pageNo` 1. `paymentTypes` and `paymentMethods` filter within a page: a page may
            contain fewer than its limit, or none, and `pages` counts as if there were no filter.
            Payments of the other host are on no page and are not counted (D-88).
        """,
        reason="""
            A page costs only what it contains, wherever it is and however many transactions there
            are. Counting filtered transactions would not.
        """,
        tests=(
            "simulator/tests/payments/test_reports.py",
            "features/reporting.feature",
        ),
    ),
    Decision(
        "D-690",
        "A report that goes on",
        question="What says that a report of /v1/query has more than a page?",
        answer="""
            Its member `pages`, beside `payments`: how many pages there are, where there is more
            than one. It counts as if there were no filter: where a page has no matching
            transaction, those behind it may have some. A report of one page has no such member;
            /v3/query always has it.
        """,
        reason="""
            The specification shows no structure of reports; changes within a version are backwards
            compatible, and a member more is. A shop that looks for a lost payment must not take the
            first page for everything. What fits on one page is answered as recorded.
        """,
        tests=("simulator/tests/payments/test_reports.py", "features/reporting.feature"),
    ),
    Decision(
        "D-174",
        "Linked transactions",
        question="Which transactions are linked?",
        answer="""
            With `includeLinkedTransactions=true` the first transaction of the tree and all
            transactions that refer to it, directly or indirectly, each once. None is left out,
            however many there are: D-362 says how many may refer to one, and `limit` counts the
            transactions of a page without those linked to them. Those that the first transaction
            of a page is linked to follow it, the oldest first, then come the next one and what only
            that is linked to. A report by id is then a list that begins with the transaction asked
            for.
        """,
        reason="""
            A refund of a capture is linked to the authorization as well. The specification names no
            limit, and of a list that is cut the newest ones would be missing, which a shop looks
            for.
        """,
        tests=(
            "simulator/tests/payments/test_reports.py",
            "simulator/tests/journal/test_large_trees.py",
            "features/reporting.feature",
        ),
    ),
    Decision(
        "D-175",
        "Members of a report",
        question="Which structure does a report have?",
        answer="""
            A report by id is the payment response, with the time of the report as its timestamp.
            Other reports have the result 000.000.100 and `payments`; all reports of /v3/query have
            it and `records`, beside `pages`. Each is a payment response without buildNumber and
            ndc, with the timestamp of the transaction. Both add merchantMemo, shortId, source and
            paymentMethod. A long list is produced and sent in parts.
        """,
        reason="Recorded answers of existing gateways. The memo appears only here (PAY-10).",
        tests=("simulator/tests/payments/test_reports.py", "features/reporting.feature"),
    ),
)
