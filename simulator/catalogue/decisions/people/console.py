"""Decisions about the console."""

from simulator.grammar.decisions import Decision, area

CONSOLE = area(
    "The console",
    "The people who look after a gateway, and what they see in the browser.",
    Decision(
        "D-493",
        "Roles",
        question="Who is a user with administration rights?",
        answer="""
            A person in the role administrator. An operator acts in sandboxes, a trainer in those of
            lessons and classes alone, a viewer reads. Each page asks for one right, and a role is a
            row of rights. The last administrator stays one. A change of the role signs the person
            out everywhere. Who may not change a sandbox is shown eight signs of what opens a page
            of its shoppers: of ids of checkouts, of challenges (acsTransID, threeDSServerTransID)
            and of packed messages. A link or search by these eight leads on, by more or fewer
            none: an answer to more of them would say whether they are right, one after the other.
            A story that is kept is cut likewise, as lessons are played by people who may only read
            the sandbox it comes from; to keep one, a person has to be allowed to act in that.
        """,
        reason="""
            The specification names administration rights and no other ones. The id of a checkout
            alone opens its form and pays with a stored card; that of a challenge answers it.
        """,
        tests=(
            "features/console.feature",
            "simulator/tests/console/test_rights.py",
            "simulator/tests/console/test_sign_in.py",
            "simulator/tests/console/hostile/test_openings.py",
            "simulator/tests/console/hostile/test_sign_by_sign.py",
            "simulator/tests/console/pages/test_offered_rights.py",
        ),
    ),
    Decision(
        "D-494",
        "Signing in",
        question="How does a person sign in?",
        answer="""
            By a name and a password of 12 to 200 characters, of which Argon2id (19 MiB, 2 rounds)
            is kept. People join by a link that works once, for two days; while there is no
            administrator, each start prints one for the first, which opens on this machine alone. A
            sign-in holds 12 hours, or 30 minutes without a page; who came by the link of a class
            has no password to sign in with again, so theirs holds 12 hours whatever they do. After
            five wrong passwords within a minute a name has to wait; one password is checked at a
            time, and a hundred more wait.
        """,
        reason="A password on a command line would stand in its history.",
        tests=(
            "simulator/tests/console/test_sign_in.py",
            "simulator/tests/adapters/console/test_passwords.py",
        ),
    ),
    Decision(
        "D-704",
        "Many sign-ins",
        question="How many sign-ins are there at once?",
        answer="""
            A thousand. The next displaces the one that was seen longest ago of the person who has
            the most, the new one counted.
        """,
        reason="Who signs in again and again, as by the link of a class, signs no other out.",
        tests=("simulator/tests/adapters/console/test_people_file.py",),
    ),
    Decision(
        "D-495",
        "Values of access tokens in the console",
        question="How is an access token shown to administrators?",
        answer="""
            On request: lists have the last four digits. The entry in the audit log is durable
            before the value leaves. A token that was rotated or issued shows its value once in the
            page that follows.
        """,
        reason="A value in a list would be seen by others who look at the screen.",
        tests=("features/console.feature", "simulator/tests/console/test_tokens.py"),
    ),
    Decision(
        "D-630",
        "Words of the console",
        question="Which of the words that people see in the console are in its text file?",
        answer="""
            All that its pages and services say, errors included. What the gateway says everywhere,
            by the API and the command line too, appears as it is said there: texts of result codes,
            rules of parameters, names of parties and behaviours, and what the control API expects
            of a clock, a script or an answer to a held message.
        """,
        reason="""
            Another language is one more file. An error that reads otherwise in the browser than in
            the answer of the API would be looked for in vain.
        """,
        tests=("simulator/tests/console/test_texts.py",),
    ),
    Decision(
        "D-632",
        "The host that the console shows",
        question="Of which host are records shown, and may those of the live one be changed?",
        answer="""
            Of the one that is chosen in the frame, the test host at first: payments, checkouts,
            registrations, schedules, decisions of the risk system and throttle windows; the
            workbench and the first payments of a sandbox's own page go to it. Journal, ledger,
            webhooks and settlement are of both, and so is what is searched by an id or a
            merchantTransactionId. The live host is only looked at until the person allows changes,
            which ends with the sign-in or the choice of the test host. The choice is kept with the
            sign-in. Changes of the live host are what is done, by a page or in the shell, to one of
            its payments: to capture, refund or reverse it, to let a held message of it go on in
            whatever way, to deliver an event of it again, and to remove it with all else in a
            sandbox, also while it is held and not stored yet. What steers a sandbox as a whole is
            of both hosts: clock, scripts, breakpoints and settlement.
        """,
        reason="A refund that was meant for the test host is not taken back.",
        tests=(
            "simulator/tests/console/test_hosts.py",
            "simulator/tests/console/pages/test_offered.py",
        ),
    ),
    Decision(
        "D-633",
        "Names under which a gateway of one machine is opened",
        question="What is shown under a name that may be that of a site?",
        answer="""
            Nothing that needs no credentials. Where only this machine reaches the gateway, the
            console, the first payments by a button and the credentials on its own pages are there
            under an address, localhost, or a name below localhost. The APIs ask for a token or a
            key, and answer under every name.
        """,
        reason="""
            A site may have its name lead to this machine once its page is loaded, and read there as
            if the gateway were its own.
        """,
        tests=("simulator/tests/console/test_reach.py", "simulator/tests/http/test_landing.py"),
    ),
    Decision(
        "D-691",
        "A form that is sent again",
        question="What does the form of a capture, refund or reversal do that is sent twice?",
        answer="""
            One thing: each page has forms with a mark of its own, and the payment is stored
            together with a key of the mark, also of two at once and at two members of a fleet. The
            second shows the payment that the first has made; with another amount it is refused. One
            that was refused may be sent again. Without a mark nothing is done.
        """,
        reason="A double click, or a page that is loaded again, moved the money twice.",
        tests=(
            "simulator/tests/console/hostile/test_once.py",
            "simulator/tests/adapters/fleet/test_console_forms.py",
        ),
    ),
    Decision(
        "D-483",
        "Search by the last four digits of a card",
        question="How is a payment found by the last four digits of its card?",
        answer="""
            The newest 2,000 payments of the merchant are looked through, and on request the 2,000
            before them. No index is kept.
        """,
        reason="People search seldom, and every payment would pay for an index.",
        tests=("simulator/tests/console/test_lists.py",),
    ),
    Decision(
        "D-496",
        "Where the console may be opened",
        question="Who may open the console from another machine?",
        answer="""
            Where only this machine reaches the gateway, plain HTTP will do. Else the console asks
            for https, either the gateway's own or that of the proxy that console-proxy names, which
            then sends X-Forwarded-Proto. Forms are taken from the console's own pages alone. A
            gateway for which a proxy is named is one that other machines reach. What any proxy or
            tunnel passes on, as its headers say, comes from another machine: the gateway's own
            pages show no credentials to it, and no first administrator is made by it. A link for
            others that is made at this machine, as of a class or an invitation, begins with the
            https address of `--public-url`, or else with the machine's own.
        """,
        reason="""
            A password that is sent in plain text can be read on the way. To the gateway, all that
            comes by a proxy on this machine seems to come from here.
        """,
        tests=(
            "simulator/tests/console/test_reach.py",
            "simulator/tests/console/test_pages.py",
            "simulator/tests/console/links/test_shared_links.py",
        ),
    ),
)
