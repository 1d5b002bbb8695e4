"""Decisions about cards and brands."""

from simulator.grammar.decisions import Decision, Switch, area

CARDS = area(
    "Cards and brands",
    "Brands, card numbers and security codes, and which account a payment is charged to.",
    Decision(
        "D-54",
        "Brands",
        question="What is the full list of brands?",
        answer="""
            The card schemes, neutral names for other accounts, and the brands that existing clients
            send; the rows are in `simulator/catalogue/brands.py`, and `sandgate explain
            paymentBrand` lists them. VIRTUAL_ACCOUNT and the wallets are charged synchronously,
            VIRTUAL_REDIRECT, online transfers and accounts with a provider redirect. A brand that
            redirects needs no account: parameters of one are kept and echoed. Card numbers of
            UNIONPAY are not checked for a check digit, and cards that are only named (MADA, WORLD)
            have numbers of any range.
        """,
        reason="""
            Existing clients send these names, and a published test card of that scheme fails the
            check digit.
        """,
        tests=(
            "simulator/tests/accounts/test_cards.py",
            "features/asynchronous.feature",
            "features/bank_accounts.feature",
            "features/checkouts.feature",
            "features/direct_debits.feature",
        ),
    ),
    Decision(
        "D-44",
        "Brands a channel accepts",
        question="How is a brand answered that is unknown, or that the channel has no account for?",
        answer="""
            An unknown brand is 100.100.501, and the explanation names the nearest known one,
            whatever account was sent with it. One that the channel does not accept is 600.200.201,
            and a card number outside the ranges of the brand 100.100.700.
        """,
        reason="""
            The list of result codes has a code for each, and a missing IBAN is no cause where the
            brand is misspelled.
        """,
        setting="`brands` of a channel.",
        tests=("simulator/tests/accounts/test_cards.py", "features/payments.feature"),
    ),
    Decision(
        "D-22",
        "Brand detection",
        question="How is brand detection switched on, and what does it know?",
        answer="""
            It is on wherever a card number is sent without a brand. The longest range that contains
            the number decides. A channel may switch it off.
        """,
        reason="The specification names the capability and its condition, but no switch.",
        setting="`brand_detection` of a channel.",
        tests=(
            "simulator/tests/accounts/test_cards.py",
            "features/payments.feature",
            "features/cards.feature",
        ),
    ),
    Decision(
        "D-19",
        "When card.cvv is required",
        question='What is the condition of the "Conditional" card.cvv?',
        answer="""
            It is never required, unless the channel says `cvv: required`; then a missing code is
            100.100.600. Its length is that of the brand.
        """,
        reason="""
            Payments with a stored card have no code; a channel for the hosted form may always want
            it.
        """,
        setting="`cvv` of a channel.",
        tests=(
            "simulator/tests/accounts/test_cards.py",
            "features/payments.feature",
            "features/cards.feature",
        ),
    ),
    Decision(
        "D-67",
        "Result codes of refused cards",
        question="Which result code has a card that cannot be charged?",
        answer="""
            100.100.500 where the brand is missing, 100.100.101 for an invalid check digit or a
            length the brand does not have, 100.100.303 for an expired card, 100.100.601 for a
            security code of another length. Others are in D-19 and D-44.
        """,
        reason="The list of result codes has a code for each.",
        tests=(
            "simulator/tests/accounts/test_cards.py",
            "features/payments.feature",
            "features/every_request.feature",
            "features/cards.feature",
            "features/accounts.feature",
        ),
    ),
    Decision(
        "D-145",
        "What accounts need",
        question="""
            When are the security code, the brand, wallet data and the id of a virtual account
            required, and which scheme has submerchants?
        """,
        answer="""
            In addition to D-19 and D-22: a channel that requires the security code does not require
            it of a wallet or of a payment that the merchant initiates (D-123). A wallet pays by the
            rules and ranges of the scheme of its card number, under its own brand or that of the
            scheme; under its own brand it needs its token, or all that the merchant decrypted: each
            missing parameter is named. VIRTUAL_ACCOUNT needs virtualAccount.accountId
            (100.210.101); a virtual brand that redirects does not. merchant.submerchantId is
            accepted and echoed with every brand and forwarded with Mastercard only: with the card
            in a wallet too, whose scheme counts here and in settlement files and fees, whatever
            paymentBrand says. Corporate, airline, cart, gift card and other merchant data are
            accepted, echoed and forwarded; nothing else depends on them.
        """,
        reason="""
            Data that cannot exist must not be required, and the specification names only one
            scheme.
        """,
        setting="`cvv` and `brand_detection` of a channel.",
        tests=(
            "simulator/tests/accounts/test_accounts.py",
            "simulator/tests/accounts/test_card_in_wallet.py",
            "features/structures.feature",
            "features/bank_accounts.feature",
            "features/everywhere.feature",
            "features/accounts.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-181",
        "Two accounts in one request",
        question="What happens when a card and a bank account are sent together?",
        answer="""
            The brand says which one is charged: the brand that was sent, else the brand of the card
            number. The other account is stored and echoed, and is not charged.
        """,
        reason="""
            A form that switched from one account to the other leaves fields of the first behind.
        """,
        tests=("simulator/tests/accounts/test_accounts.py",),
    ),
    Decision(
        "D-55",
        "Terminal models",
        question="Which six values does pos.deviceType have?",
        answer="Six neutral names. Any other value of up to 32 characters is accepted too.",
        reason="The terminal of a merchant has a name of its own.",
        switch=Switch(
            "device_types", "any", "any", "a pos.deviceType that is not listed", others=("listed",)
        ),
        tests=(
            "features/terminals.feature",
            "simulator/tests/catalogue/test_check.py",
        ),
    ),
)
