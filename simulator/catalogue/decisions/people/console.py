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
            row of rights. There is always an administrator. A change of the role signs the person
            out everywhere.
        """,
        reason="The specification names administration rights and no other ones.",
        tests=(
            "features/console.feature",
            "simulator/tests/console/test_rights.py",
            "simulator/tests/console/test_sign_in.py",
        ),
    ),
    Decision(
        "D-494",
        "Signing in",
        question="How does a person sign in?",
        answer="""
            By a name and a password of 12 to 200 characters, of which Argon2id (19 MiB, 2 rounds)
            is kept. People join by a link that works once, for two days; while none has joined,
            each start prints one for the first administrator, which opens on this machine alone. A
            sign-in holds 12 hours, or 30 minutes without a page. After five wrong passwords within
            a minute a name has to wait; one password is checked at a time, and three more wait.
        """,
        reason="A password on a command line would stand in its history.",
        tests=(
            "simulator/tests/console/test_sign_in.py",
            "simulator/tests/adapters/console/test_passwords.py",
        ),
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
            then sends X-Forwarded-Proto. Forms are taken from the console's own pages alone.
        """,
        reason="A password that is sent in plain text can be read on the way.",
        tests=("simulator/tests/console/test_reach.py", "simulator/tests/console/test_pages.py"),
    ),
)
