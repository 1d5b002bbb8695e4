"""Decisions about the server from which merchants fetch their settlement files."""

from simulator.grammar.decisions import Decision, area

DELIVERY = area(
    "Delivery of settlement files",
    "Who fetches them, how, and what a client may take.",
    Decision(
        "D-420",
        "The file-transfer server",
        question="Who fetches reconciliation files, how, and what do they see?",
        answer="""
            An SFTP server inside the gateway. Each merchant is one user: its name is the merchant's
            id, and it logs in by a password or by keys that the control API sets. It sees its own
            outgoing folder as `/`, with `/reconciliation/YYYY-MM/` below, and reads; every request
            to change something is refused. `/reconciliation` is there, empty, before the first
            file. Only regular files and folders are there, and none
            whose name begins with a dot. No command is run and no port is forwarded. A generated
            password is shown once; stored passwords are sealed, and a snapshot takes them along.
            12 to 19 digits alone are no password, nor a text that begins as a sealed form does: an
            edited snapshot can have the sealed number of a card in the place of one.
        """,
        reason="""
            The specification says no more than that the files come from a file-transfer server.
            A file that no client can change is one that an auditor may trust.
        """,
        setting="`sftp` of a merchant, and `--sftp-port`.",
        tests=(
            "simulator/tests/adapters/sftp/test_listener.py",
            "simulator/tests/restored/test_swapped_secrets.py",
        ),
    ),
    Decision(
        "D-421",
        "Limits of SFTP clients",
        question="What may a client of the SFTP server take?",
        answer="""
            200 connections in all, 50 of one sandbox (D-673), 32 of one merchant. One has to log in
            within 60 seconds, and ends after 300 seconds without a request. Where there is no room,
            the address with most connections that have not logged in, the new one counted, loses
            its oldest. Each wrong password is answered later than the one before, up to 8 seconds,
            counted by user and by address; until then no other password for that user from that
            address is looked at, so that a client gains nothing by leaving. A login that has
            succeeded, by a key with its signature, counts those of its user from nought again, and
            of the address those for this user alone. A password that is no UTF-8 is a wrong one. A
            client sends 128 KiB before its login and 16 MiB in all, 64 KiB in a packet and 2 MiB
            into a channel that is not read, while all clients together have no more than 64 MiB
            there; it has 10 channels at once and 10,000 in all, one session in each, reads 256 KiB
            at once, and sees 10,000 entries of a folder. A merchant has 256 files and 32 folders
            open, over all its connections. A message that names a greater length or count than it
            has is refused, also one of a server that files are pushed to. Of all clients together
            one packet or request is served in each turn of the event loop: in rounds over the
            addresses of those that have not logged in and the sandboxes of those that have, and in
            a sandbox over its merchants. Addresses count as in D-664.
        """,
        reason="""
            1,000 idle connections and a list of passwords are what such servers meet first; a
            client that only reads needs a fraction of this. Clients ask for a whole file before
            they read the first answer: with 64 KiB for what they ask, one of 20 that fetched 100 MB
            waited for ever. What has come is handled without ever waiting: 150 clients that sent
            small packets at once held up payments by 6 seconds. Without rounds, an address that
            opened 300 connections a second kept the merchants of all others out, and those of one
            merchant delayed each request of another by a second. The library reads on behind the
            end of a message, so that one of nine bytes before the login held up everything for an
            hour; and files opened over 32 connections took all that the process may open, for every
            listener.
        """,
        tests=(
            "simulator/tests/adapters/sftp/test_guessing.py",
            "simulator/tests/adapters/sftp/test_hostile_clients.py",
            "simulator/tests/adapters/sftp/test_hostile_servers.py",
            "simulator/tests/adapters/sftp/test_listener.py",
            "simulator/tests/adapters/sftp/test_login.py",
            "simulator/tests/adapters/sftp/test_shares.py",
            "simulator/tests/adapters/sftp/test_turns.py",
        ),
    ),
    Decision(
        "D-673",
        "SFTP connections of one sandbox",
        question="How many connections to the SFTP server may the merchants of one sandbox have?",
        answer="""
            50 that have logged in, a quarter of all. One more is refused as a wrong password is,
            at once, until one of them has ended; the log says of which it is too many.
        """,
        reason="""
            Each merchant may have 32 of the 200: seven merchants of one sandbox took all of them,
            and no merchant of another sandbox came in.
        """,
        tests=("simulator/tests/adapters/sftp/test_shares.py",),
    ),
    Decision(
        "D-422",
        "The reconciliation file",
        question="How is the file written, named and delivered?",
        answer="""
            UTF-8 without a byte order mark, lines that end with CR LF, first the 36 names as the
            specification spells them, semicolons between columns, quotes only where a value needs
            them. Several ids in MatchedTransactions have commas between them. Amounts are never
            below zero: the direction is in Cashflow. SettlementFxRate is rounded half up to two
            decimals; TxRequestTime is written yyyy-MM-dd HH:mm:ss. TransactionId and InvoiceId
            stand in the API only; what there is nothing for is empty. The account of a capture,
            refund, reversal or chargeback is that of the payment it refers to in the end. A file is
            named {merchantAccountId}_{institute}_{settlementDate}_{nnn}.csv, has at most 1,000,000
            lines, and `.sha256` beside it; it appears whole and never changes: a correction is the
            next number.
        """,
        reason="""
            The specification gives columns and delimiter. Clients skip a file whose name they have
            seen, and read one that was rewritten twice.
        """,
        tests=(
            "simulator/tests/settlement/test_csv_files.py",
            "features/reconciliation.feature",
        ),
    ),
    Decision(
        "D-620",
        "Files that are pushed",
        question="How does the gateway bring files to the SFTP server of a merchant?",
        answer="""
            Where the control API has set a server for a merchant (`sftp-push`: host, port, user,
            folder, the host key, and a password or a private key), each delivered file is pushed
            there too, its checksum before it. Both stay in the outgoing folder. A file is written
            as `.NAME.part` and renamed when all of it is there; one that is there with the same
            content is not written again, and one of other content is not replaced: after a reset of
            the sandbox names come again, and the merchant removes the old files. Only addresses
            that webhooks may go to are connected to (D-86), a server with another host key gets no
            login, an RSA host key signs by SHA-2, and keys are exchanged by curve25519 or the
            curves P-256 and P-384. A private key is Ed25519, ECDSA or RSA of 2,048 to 4,096 bits,
            whose numbers fit each other. Passwords are as those of D-420. An attempt that fails is
            repeated on
            the clock of the sandbox after 1, 5, 15 and 60 minutes, then every 4 hours, for 3 days;
            then the file is given up, until `sandgate settle push` or the control API asks again.
            The run shows for each file how often it was tried, and where and why it failed. Files
            of one merchant go one after another, of at most four merchants at once.
        """,
        reason="""
            Acquirers and platforms push to the servers of large merchants. What waits there must
            be whole when it is seen. A long group or a test of primes would hold everybody up for
            seconds, and a pinned key is all that distinguishes the right server from another one.
        """,
        setting="`sftp-push` of a merchant.",
        tests=(
            "simulator/tests/settlement/test_pushing.py",
            "simulator/tests/adapters/sftp/test_push.py",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-720",
        "Servers that repeat a password",
        question="""
            What is shown of the words of a server that files are pushed to, if they repeat the
            password or key?
        """,
        answer="""
            None of them: neither the log nor the run nor a page nor the control API, if 6
            characters in a row (all of a shorter password) stand in them, in capitals or not, as
            they are, in JSON, percent-encoded, for a page or in base64. Of other words the first 80
            characters of the first line are shown, masked as in the journal (D-94).
        """,
        reason="""
            Some servers say who logged in and how. The gateway knows what it sent, and a part of a
            password makes the rest easy to guess.
        """,
        tests=(
            "simulator/tests/adapters/sftp/test_hostile_servers.py",
            "simulator/tests/adapters/sftp/test_server_words.py",
        ),
    ),
)
