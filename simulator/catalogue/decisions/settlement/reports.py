"""Decisions about reports of settlement."""

from simulator.grammar.decisions import Decision, area

REPORTS = "simulator/tests/settlement/test_reports.py"

SETTLEMENT_REPORTS = area(
    "Reports of settlement",
    "What a merchant reads by the API of what was settled.",
    Decision(
        "D-392",
        "Sums of settlements over the API",
        question="How does a merchant read by the API what was settled?",
        answer="""
            `GET /reports/v1/reconciliations/aggregations` with date.from and date.to, both
            settlement dates, and maybe a currency answers `aggregations`: one entry for each bank
            day of an institute and merchant account, oldest first, with id, count of lines, amount
            (in less out, lines of type FEE among them), fee (what lines of payments were charged)
            and net (amount less fee; the payout counts in neither). An entity shows what belongs to
            its merchant on the host that is asked (D-528). testMode is checked and filters nothing.
        """,
        reason="""
            The specification gives API names to the fields of a record and no path; clients of the
            field call this one. A file holds payments of both test modes, and of one host.
        """,
        tests=(REPORTS, "features/reconciliation.feature"),
    ),
    Decision(
        "D-393",
        "Records of a settlement over the API",
        question="How are the records behind a sum read?",
        answer="""
            `GET /reports/v1/reconciliations/aggregations/{id}` answers all of them as `records`,
            under the API names of their columns, in the order of the file; sortOrder=DESC turns it
            round. The path with v2 answers a hundred a page, with `pages`, and only those of one
            reconciliationType where it is sent. What is empty is left out. Of "card or bankAccount"
            the account of the brand is named. `matchedTransactions.reason` says in words what a
            match rests on.
        """,
        reason="""
            Every record of an entry settles on the same day, so that SettlementTxDate orders
            nothing beyond the file. A page costs the same wherever it stands.
        """,
        tests=(REPORTS, "features/reconciliation.feature"),
    ),
    Decision(
        "D-522",
        "Settlement of a payment",
        question="How does a merchant see at a payment that it is settled?",
        answer="""
            `GET /v1/payments/{id}` has reconciliationId in resultDetails from the moment the bank
            day of the payment is booked: the id of the sums of that day, merchant account and
            institute, under which the reports of settlement have its records. It is where the line
            of the payment belongs; one that an institute left out is missed there.
        """,
        reason="The key was seen in answers of existing gateways, without an explanation.",
        tests=(REPORTS,),
    ),
    Decision(
        "D-523",
        "Notification of a settlement",
        question="Is a merchant notified when a bank day is settled?",
        answer="""
            Profile `field` sends an event of type SETTLEMENT and action CREATED for each merchant
            account of a run once its file is delivered: what the report of sums has of it, and the
            names of the files. It is stored with the end of the run, so it is sent once.
        """,
        reason="""
            The specification names two types of events; profile `field` knows others already
            (D-80).
        """,
        tests=("simulator/tests/settlement/test_announcing.py",),
    ),
    Decision(
        "D-528",
        "Settlement of the live host",
        question="Are payments of both hosts settled together?",
        answer="""
            No: at its institute a merchant account has a number for each host, and so batches,
            payouts, files, sums and records of its own there. That of the test host is the id of
            the account; on the live host a capital stands in the place of its first digit, an L for
            the 8. A run settles the bank day of both. The number of the live host costs the
            monthly fee only where the day of that fee has a movement of it. Reports of a host know
            no settlement of the other.
        """,
        reason="""
            A payment of one host does not exist on the other (D-88). An id has 32 digits, and so
            many has the merchant number in a format with columns of fixed width.
        """,
        tests=(REPORTS,),
    ),
    Decision(
        "D-707",
        "Long brands",
        question="""
            What does a record name whose brand is longer than the 16 characters of `Brand`, such as
            SOFORTUEBERWEISUNG?
        """,
        answer="""
            Its beginning, as the files of the institutes do, in the file and over the API alike.
            The payment itself has the whole name.
        """,
        reason="""
            `paymentBrand` of a payment has up to 32 characters, that of a record 16. A longer one
            would break a reader that keeps to the format.
        """,
        tests=("simulator/tests/settlement/test_control.py",),
    ),
    Decision(
        "D-679",
        "Tests on the live host",
        question="Is a payment settled that was sent to the live host with a testMode?",
        answer="""
            No: it has no line, no payout and no reconciliationId. What refers to it is a test as
            well, and not settled either; what refers to a live payment is live, whatever it sends
            (D-88). On the test host payments of both test modes are settled, where nothing but
            tests is.
        """,
        reason="""
            The specification says that INTERNAL is useful when testing connectivity against the
            live host. A merchant who does so would be paid for goods that were not sold.
        """,
        tests=("simulator/tests/settlement/agreement/test_institutes.py",),
    ),
)
