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
        tests=("simulator/tests/payments/test_reports.py",),
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
            contain fewer than its limit, and `pages` counts as if there were no filter.
        """,
        reason="""
            A page costs only what it contains, wherever it is and however many transactions there
            are. Counting filtered transactions would not.
        """,
        tests=("simulator/tests/payments/test_reports.py",),
    ),
    Decision(
        "D-174",
        "Linked transactions",
        question="Which transactions are linked?",
        answer="""
            With `includeLinkedTransactions=true` the first transaction of the tree and all
            transactions that refer to it, directly or indirectly, each once and at most 1,000. A
            report by id is then a list.
        """,
        reason="A refund of a capture is linked to the authorization as well.",
        tests=("simulator/tests/payments/test_reports.py",),
    ),
    Decision(
        "D-175",
        "Members of a report",
        question="Which structure does a report have?",
        answer="""
            A report by id is the payment response. Other reports have the result 000.000.100 and
            `payments`; all reports of /v3/query have it and `records`, beside `pages`. Each is a
            payment response without buildNumber and ndc, with the timestamp of the transaction.
            Both add merchantMemo, shortId, source and paymentMethod. A long list is produced and
            sent in parts.
        """,
        reason="Recorded answers of existing gateways. The memo appears only here (PAY-10).",
        tests=("simulator/tests/payments/test_reports.py", "features/reporting.feature"),
    ),
    Decision(
        "D-420",
        "The file-transfer server",
        question="Who fetches reconciliation files, how, and what do they see?",
        answer="""
            An SFTP server inside the gateway. Each merchant is one user: its name is the merchant's
            id, and it logs in by a password or by keys that the control API sets. It sees its own
            outgoing folder as `/`, with `/reconciliation/YYYY-MM/` below, and reads; every request
            to change something is refused. Only regular files and folders are there, and none
            whose name begins with a dot. No command is run and no port is forwarded. A generated
            password is shown once; stored passwords are sealed, and a snapshot takes them along.
        """,
        reason="""
            The specification says no more than that the files come from a file-transfer server.
            A file that no client can change is one that an auditor may trust.
        """,
        setting="`sftp` of a merchant, and `--sftp-port`.",
        tests=("simulator/tests/adapters/sftp/test_listener.py",),
    ),
    Decision(
        "D-421",
        "Limits of SFTP clients",
        question="What may a client of the SFTP server take?",
        answer="""
            200 connections in all, 32 of one merchant. One has to log in within 60 seconds, and
            ends after 300 seconds without a request; where there is no room, the oldest that has
            not logged in makes some. Each wrong password is answered later than the one before, up
            to 8 seconds, counted by user and by address. A client sends 128 KiB before its login
            and 16 MiB in all, reads 256 KiB at once, has 64 files and folders open at once, and
            sees 10,000 entries of a folder.
        """,
        reason="""
            1,000 idle connections and a list of passwords are what such servers meet first; a
            client that only reads needs a fraction of this.
        """,
        tests=(
            "simulator/tests/adapters/sftp/test_listener.py",
            "simulator/tests/adapters/sftp/test_login.py",
        ),
    ),
)
