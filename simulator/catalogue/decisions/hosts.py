"""Decisions about connections, hosts and throttling."""

from simulator.grammar.decisions import Decision, Switch, area

HOSTS = area(
    "Connections, hosts and throttling",
    "Limits of connections, TLS, the test and live host, and throttling.",
    Decision(
        "D-70",
        "Limits of a connection",
        question="Which limits does a connection have?",
        answer="""
            The request line may have 8 KiB (else 414) and the header 64 KiB and 128 fields (else
            431). The header must arrive within 10 seconds and the body within 60 seconds (else
            408). Chunk extensions and trailers may have 16 KiB beside what chunks need (else 400).
            An idle connection is closed after 75 seconds, and one whose client takes its answer so
            late; a long answer that is made while it is sent is taken at 64 KiB a second on the
            whole, apart from such a time. A listener has up to 4,000 connections;
            one more closes the one that has waited longest of the sandbox, or the address of
            clients, that holds most. A request that is answered counts as waiting after a second;
            its connection is also closed once its client has left, which is looked for every ten
            seconds. It is carried out all the same, and counts as under way until then.
        """,
        reason="""
            Everything that a client can send has a limit. Requests can wait for minutes, and
            no other client may be kept out by them.
        """,
        tests=(
            "simulator/tests/http/test_server.py",
            "simulator/tests/http/test_requests.py",
            "simulator/tests/http/connections/test_slow_takers.py",
            "simulator/tests/adapters/test_waiting_connections.py",
        ),
    ),
    Decision(
        "D-695",
        "Many requests of one sandbox at once",
        question="In which order do requests begin that come at the same time?",
        answer="""
            In the order in which they come, but of one sandbox in a turn of the event loop only
            those that come within ten milliseconds of its first one. The others begin in the next
            turns, in their order; of several such sandboxes each has one in a round. Whose a
            request is, is taken from the last one of its connection; one of no sandbox, and the
            first one, takes a turn of its address (D-664). What members of a fleet send on begins
            at once. Of those whose body is longer than 16 KiB, one goes on in a turn when its body
            is there, in rounds over the sandboxes.
        """,
        reason="""
            A request may take ten milliseconds where a sandbox has hundreds of scripts, and thirty
            connections of it would hold everybody for a third of a second. Which sandbox a request
            is for is only known once its token is looked at; clients keep their connections.
        """,
        tests=("simulator/tests/http/connections/test_owner_turns.py",),
    ),
    Decision(
        "D-664",
        "New connections of one client",
        question="How are connections served that clients open faster than they can be served?",
        answer="""
            Handshakes of TLS, the first requests of connections, requests of no sandbox, and the
            ends of connections that their clients close take turns: each address of clients has one
            in a round, and all of them together have two milliseconds before open connections are
            served again. Twenty connections are accepted before that at most. Of one address the
            oldest comes first; where more than 100 wait, the newest. A client of TLS that has
            closed its end before its turn costs no handshake; one of plain HTTP that has done so is
            dropped where more than 100 wait. A listener has up to 2,000 handshakes under way; one
            more ends the oldest of the address that has most. Each has 10 seconds. An address of
            IPv6 counts with all of its /64 network.
        """,
        reason="""
            A handshake costs as much as a payment and comes before any token. In the order in which
            they come, the new connections of all clients would wait behind those of one. Clients of
            the same address cannot be distinguished before they send a request: where one of them
            opens more connections than can be served, those of the others wait or are closed. A
            subscriber has at least a /64 network of IPv6. IPv4 addresses count one by one: a client
            with hundreds of them, as each program on the machine itself has those of 127.0.0.0/8,
            has as many turns.
        """,
        tests=(
            "simulator/tests/http/connections/test_new_connections.py",
            "simulator/tests/http/connections/test_turns_of_addresses.py",
            "simulator/tests/http/connections/test_address_turns.py",
            "simulator/tests/http/connections/test_handshakes.py",
            "simulator/tests/http/connections/test_sources.py",
            "load/tests/proof/test_floods.py",
        ),
    ),
    Decision(
        "D-713",
        "What a peer of TLS may let the gateway compute",
        question="How much of TLS may come without data, and how are keys exchanged?",
        answer="""
            32 records in a row, and 128 KiB in a handshake and then as long as a connection lasts,
            where a peer is a client of the gateway and where it receives notifications. One more
            closes the connection, and so does a hello of a client of more than 16 KiB. Keys are
            exchanged on the curve P-256 alone, by TLS 1.3, or by the suites ECDHE of TLS 1.2.
        """,
        reason="""
            A handshake has about ten records, and a peer that sends data sends a key update now and
            then. OpenSSL goes on with records as long as they come: one client that sends key
            updates, or its handshake a byte a record, would hold everybody up for good. In a group
            of numbers, as long as the other side likes, one exchange takes seconds.
        """,
        tests=("simulator/tests/http/connections/test_tls_records.py",),
    ),
    Decision(
        "D-71",
        "Requests that two readers would read differently",
        question="How is malformed HTTP answered?",
        answer="""
            Refused are Content-Length beside Transfer-Encoding, a repeated Host or Content-Length,
            transfer codings other than chunked (501), folded headers, HTTP/1.1 without Host,
            versions other than 1.0 and 1.1, a request line with other blanks than one space between
            its parts, and lines that end without CR.
        """,
        reason="Such requests are used to smuggle others past a proxy.",
        tests=("simulator/tests/http/test_server.py",),
    ),
    Decision(
        "D-260",
        "Long bodies",
        question="When is a long body read, and how many may come at once?",
        answer="""
            A body over 16 KiB is read after the token, the throttle and the stated length were
            checked: a request that is refused for these is answered unread, and its connection is
            closed. All requests that are still arriving may hold 20 MiB together; beyond that, of
            the sandbox that holds most, the one that holds most is answered 503.
        """,
        reason="""
            Clients without a token could otherwise fill the memory. Requests of ordinary length
            come through while long ones are refused, and those of one sandbox while another one
            has many.
        """,
        tests=("load/tests/proof/test_floods.py", "simulator/tests/http/test_limits.py"),
    ),
    Decision(
        "D-356",
        "Answers that are not taken",
        question="What becomes of an answer whose client reads slowly, or not at all?",
        answer="""
            A client has 75 seconds to take an answer. What is left of all long answers may be 32
            MiB together; beyond that, of the sandbox that has most of it, the connection is closed
            that has been waited for longest. One answer alone of a sandbox may be of any size,
            until all have four times as much. Where there are too many connections, one that does
            not take its answer counts as waiting. Pages of the console and traces of payments are
            made eight at a time, one for a person or, by the control API, a sandbox; what waits for
            its turn has read nothing yet, and nothing is made for a client that has left by then.
        """,
        reason="""
            The gateway's pages are long, and anybody may ask for them: clients that read nothing
            could otherwise fill the memory, and take the place of others.
        """,
        tests=(
            "simulator/tests/http/test_server.py",
            "simulator/tests/http/test_limits.py",
            "simulator/tests/console/pages/test_long_steps.py",
        ),
    ),
    Decision(
        "D-358",
        "Requests of one sandbox that wait",
        question="How many requests of a sandbox may be under way at once?",
        answer="""
            2,000, half the connections of a listener; and 100 that wait for a message, an entry of
            the journal or the end of all work. One more is answered 503 with Retry-After, before
            anything of it is done. Where sandboxes together take every connection of a listener,
            one more is served all the same: it takes the place of one of the sandbox that holds
            most (D-70). Requests that only read are served all the time, but snapshots:
            one of a sandbox is taken at a time, and two in the gateway; eight more of the sandbox
            wait, and the next one is answered 503 with Retry-After.
        """,
        reason="""
            Scripts and clocks can have a request wait for minutes: one sandbox could otherwise take
            every connection, and no other would be served. A snapshot copies all that a sandbox
            holds: many at once would delay the payments of others. The load test of one developer
            is one sandbox, which may have as many payments under way as the test has clients.
        """,
        tests=(
            "simulator/tests/adapters/test_waiting_connections.py",
            "simulator/tests/sandboxes/test_crowded_sandboxes.py",
            "simulator/tests/sandboxes/test_snapshots_at_once.py",
        ),
    ),
    Decision(
        "D-699",
        "What a sandbox may store",
        question="How much may a sandbox store?",
        answer="""
            Records of 1 GiB, which the gateway has in memory. With more, a request that could store
            something is answered 503 with 999.999.888, and an execution of a schedule fails with
            that code. What is under way comes to its end, everything can be read, and a reset makes
            room. A gateway with a database has no such limit.
        """,
        reason="""
            Schedules go on storing payments without a request: a thousand of 30 KB each took
            25 MB a second, until the memory of the machine was full.
        """,
        tests=("simulator/tests/sandboxes/test_full_sandboxes.py",),
    ),
    Decision(
        "D-261",
        "Names in the Host header",
        question="Which names may a Host header have?",
        answer="""
            An IP address, `localhost` or a name below it, the name in `--host`, and those in
            `--public-url` and `--public-acs-url`. Any other name is answered 421 with 200.100.103.
        """,
        reason="""
            A page of another site can let its name point at this machine, and the browser of a
            developer would then let that page read metrics and post to the ACS. An address cannot
            be redirected in this way.
        """,
        setting="`--public-url`",
        tests=("simulator/tests/http/test_hosts.py",),
    ),
    Decision(
        "D-37",
        "TLS and certificates",
        question="Which certificate does a sandbox gateway have?",
        answer="""
            A local CA, created at the first start, signs the certificate of the server: for
            loopback, for the host of `--host`, of `--public-url` and of `--public-acs-url`, and
            with `--host 0.0.0.0` for the addresses of the machine's interfaces. Plain HTTP is
            served beside HTTPS. With `--require-tls` plain HTTP is answered 400 with 200.100.199.
        """,
        reason="""
            A sandbox has no name that a public CA would sign. No client opens 0.0.0.0 on another
            machine, or takes a certificate for it: what is printed is 127.0.0.1 for this machine,
            and for others, as in links that shoppers and classes open, the machine's own address.
        """,
        setting="`--require-tls`",
        tests=(
            "simulator/tests/http/test_tls.py",
            "simulator/tests/http/test_precedence.py",
            "simulator/tests/adapters/test_own_addresses.py",
        ),
    ),
    Decision(
        "D-72",
        "The plain address with --require-tls",
        question="What does the plain HTTP address do when TLS is required?",
        answer="""
            The live host and the control API are HTTPS only. The plain listener stays open and
            answers 400 with 200.100.199.
        """,
        reason="A closed port explains nothing.",
        setting="`--require-tls`",
        tests=("simulator/tests/commands/serving/test_serve.py",),
    ),
    Decision(
        "D-88",
        "The live host",
        question="What is the live host of a sandbox, and which success code does it have?",
        answer="""
            It is the same sandbox at another port, with tokens and limits of its own. A token of
            one host is answered 403 on the other, and payments of one host are unknown on the
            other; entities and cards are the same. A live payment that sends no testMode also ends
            in the simulator and succeeds with 000.000.000; one that sends a testMode is answered as
            on the test host. A payment that refers to another is live if that one was live,
            whatever testMode it sends itself (D-16).
        """,
        reason="""
            The switch of a client from test to live is what needs a test, and no money can move
            here.
        """,
        tests=(
            "simulator/tests/payments/test_hosts.py",
            "features/external.feature",
            "features/hosts.feature",
            "features/plans.feature",
        ),
    ),
    Decision(
        "D-87",
        "Throttling windows",
        question="""
            When does a throttling window begin, what counts in it, and what is a limit counted for?
        """,
        answer="""
            Windows are fixed on the clock of the sandbox and aligned to the minute, those of an
            hour to the hour and those of a day to midnight UTC. A request counts once its header
            and token are accepted, whatever its result; a throttled request counts in no window.
            Counts are kept for each sandbox, host, merchant and operation, and in rows of scope
            `object` for each id in the path. They are in memory only: a restart, a reset or another
            table starts them at zero. Once the windows of a sandbox have counted 1,000,000 objects
            in all, further ones are throttled until one of these windows ends.
        """,
        reason="""
            A test can say when a fixed window ends. A limit of N means N, because nothing can
            happen between check and count. Counts that are dropped with their window cost nothing
            later.
        """,
        setting="The rows of the throttle table.",
        tests=(
            "simulator/tests/throttling/test_windows.py",
            "simulator/tests/throttling/test_api_throttling.py",
            "features/throttling.feature",
            "features/credentials.feature",
        ),
    ),
    Decision(
        "D-76",
        "Limits and windows of a throttle table",
        question="Which numbers may a throttle table have?",
        answer="""
            A limit of 1 or more, and a window of seconds that divide a minute or of whole minutes
            that divide a day.
        """,
        reason="""
            Other windows cannot be aligned as D-87 says, so a client could not know when one ends.
            A limit of zero is an outage, which a behaviour can simulate under its own name.
        """,
        tests=("simulator/tests/throttling/test_tables.py",),
    ),
    Decision(
        "D-89",
        "Status of a throttled request",
        question="Which HTTP status has 800.120.100, and does the answer say when to retry?",
        answer="""
            429 with Retry-After: the whole seconds of real time until the last of the windows that
            refuse the request ends. While the sandbox's clock is frozen it is the number of seconds
            by which to advance it. The id of the answer belongs to no payment (D-40). With
            `D-89=400` the status is 400, still with Retry-After.
        """,
        reason="429 is the status that HTTP clients know how to obey.",
        switch=Switch(
            "throttle_status", "429", "429", "status of a throttled request", others=("400",)
        ),
        tests=(
            "simulator/tests/throttling/test_api_throttling.py",
            "simulator/tests/http/test_precedence.py",
            "features/transport.feature",
        ),
    ),
    Decision(
        "D-90",
        "The default throttle table",
        question="Which throttling limits apply by default?",
        answer="""
            The table `sandbox`: 1,000,000 requests a minute of a merchant to one operation. A
            sandbox that names no table uses those that the server was started with.
        """,
        reason="""
            One process answers at most some 12,000 requests a second, so neither a test suite nor
            the load test of one developer reaches the limit, while every request is counted and
            every figure is measured with throttling on.
        """,
        setting="""
            `--throttle`, `--live-throttle`, and `throttle` and `live_throttle` of a sandbox: `off`,
            `sandbox`, `field`, or rows.
        """,
        tests=(
            "simulator/tests/throttling/test_windows.py",
            "simulator/tests/throttling/test_tables.py",
        ),
    ),
    Decision(
        "D-91",
        "The throttle table `field`",
        question="Which limits does an existing gateway have?",
        answer="""
            The published ones of operations that are served, counted per object wherever the path
            names one. Where sources differ the stricter one holds: the status of a checkout twice a
            minute (others say nine times), queries twice a minute (others say without limit). A
            table of your own with a row for an operation that is not served is refused.
        """,
        reason="A client that respects the stricter limit respects both.",
        setting="A table of your own.",
        tests=("simulator/tests/throttling/test_windows.py", "features/throttling.feature"),
    ),
)
