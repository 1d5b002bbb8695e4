"""Decisions about secrets."""

from simulator.grammar.decisions import Decision, area

SECRETS = area(
    "Secrets",
    "How card numbers, bank accounts, codes and credentials are stored and shown.",
    Decision(
        "D-42",
        "The security code of a card",
        question="How long is card.cvv kept?",
        answer="It is never stored: not sealed, and not while an attempt is open.",
        reason="""
            No later step needs it (an open attempt is reversed, never repeated), and an append-only
            log cannot forget.
        """,
        tests=("simulator/tests/payments/test_attempts.py",),
    ),
    Decision(
        "D-94",
        "Masking",
        question="How are secrets shown in journal, trace, log and errors?",
        answer="""
            Masked are: secret fields of the catalogue, names that suggest a secret, unknown names
            that begin with `card.`, runs of 12 to 19 digits that pass the check digit or contain a
            number of a known brand, longer runs, tokens and keys. A card number keeps its first six
            and last four digits. A value of six characters or more that was masked under its name
            is also masked in the rest of the entry. Ids of 32 hex digits stay readable.
        """,
        reason="""
            A number typed into the wrong field is the one that leaks. The price is an order number
            that looks like a card and is masked too.
        """,
        tests=(
            "simulator/tests/journal/test_masking.py",
            "simulator/tests/journal/test_api_journal.py",
        ),
    ),
    Decision(
        "D-107",
        "Card numbers in free fields",
        question="""
            What becomes of a card number that a merchant sends as a reference or a custom
            parameter?
        """,
        answer="It is stored and echoed as it was sent. Journal, trace, log and errors mask it.",
        reason="""
            References must come back unchanged, and a run of digits that passes the check digit may
            be an order number.
        """,
        tests=("simulator/tests/journal/test_masking.py",),
    ),
    Decision(
        "D-150",
        "Bank account numbers",
        question="How are bank accounts stored and shown?",
        answer="""
            They are not card data: they are stored in the clear and echoed whole to the merchant.
            Journal, trace and log show an IBAN or an account number by its country and last four
            characters; one of fewer than eight characters is hidden. Bank code, BIC, holder and
            mandate stay readable.
        """,
        reason="Responses must repeat what was sent, while a journal is passed around.",
        tests=("simulator/tests/journal/test_masking.py", "features/bank_accounts.feature"),
    ),
)
