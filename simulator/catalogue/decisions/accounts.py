"""Decisions about bank accounts and chargebacks."""

from simulator.grammar.decisions import Decision, Switch, area

ACCOUNTS = area(
    "Bank accounts and chargebacks",
    "Checks of bank accounts, mandates, due dates, chargebacks and returned debits.",
    Decision(
        "D-141",
        "Checks of bank accounts",
        question="""
            What is checked of a bank account beyond its format, which brands accept which payments,
            and what may a risk check use of it?
        """,
        answer="""
            Checked are the check digits and the form of an IBAN (100.100.101), the form and the
            country of a BIC, a bank code that is not that of the IBAN (both 100.200.103), and a
            country that is not that of the IBAN (100.200.100). Bank codes and BICs need not be in
            any list. Country, bank code, BIC and bank name that the lists know for an IBAN are
            added to what was sent; nothing that was sent is changed. DIRECTDEBIT_SEPA accepts PA,
            DB and RG, by IBAN or by national account; SEPA accepts those and CD; PREPAYMENT accepts
            PA only (D-275). Other types are 600.200.310, a brand without its account is
            100.100.100. The parameters that risk checks do not use are the rows NOT_SCREENED of
            `simulator/catalogue/fields/adjustments.py`.
        """,
        reason="""
            A typing error must be found here, a bank that is missing in our copy of the lists must
            not be refused. Existing clients compare for the code of the first.
        """,
        tests=(
            "simulator/tests/accounts/test_banks.py",
            "features/bank_accounts.feature",
            "features/direct_debits.feature",
        ),
    ),
    Decision(
        "D-275",
        "Debits by bank transfer",
        question="May a bank transfer, which the shopper initiates, be a debit?",
        answer="""
            No: PREPAYMENT accepts PA. In profile `field` it also accepts DB and PA.CP, which
            succeed at once.
        """,
        reason="Existing clients send DB for it.",
        switch=Switch("transfer_debit", "refuse", "accept", "DB of a bank transfer"),
        tests=("simulator/tests/accounts/test_banks.py", "features/field_brands.feature"),
    ),
    Decision(
        "D-142",
        "Mandates",
        question="What happens to a direct debit without a mandate, or with an incomplete one?",
        answer="""
            A debit (DB, PA.CP, RG) without any mandate parameter gets a mandate: its id is SGM and
            the id of the payment, and it is signed today. A mandate id without a date is signed
            today; a date in the future is refused with 100.500.302. A reference without id and date
            stays as it was sent. A credit (CD) gets no mandate, also not that of the registration
            that it is paid out to.
        """,
        reason="""
            A shop that manages no mandates can start without, and a shop that manages its own finds
            them unchanged.
        """,
        tests=(
            "simulator/tests/accounts/test_banks.py",
            "features/bank_accounts.feature",
            "features/direct_debits.feature",
        ),
    ),
    Decision(
        "D-143",
        "The account that shoppers transfer to",
        question="Where does merchant.bankAccount.* come from?",
        answer="""
            From `bank_account` of the channel. Where that is not set, it is an invented account
            with valid check digits at the central bank of the country, held by the channel; in a
            sandbox with a seed it is set to one as the channel is made (D-118).
            Responses to payments of bank brands show it, and those to what refers to them, and so
            do the answers and notifications of a registration of a bank account.
        """,
        reason="""
            A transfer cannot be tried without an account number, and no real account may receive
            money by mistake.
        """,
        setting="`bank_account` of a channel.",
        tests=(
            "simulator/tests/accounts/test_banks.py",
            "simulator/tests/recurring/test_bank_registrations.py",
            "features/bank_accounts.feature",
        ),
    ),
    Decision(
        "D-144",
        "The due date of a direct debit",
        question="What does transactionDueDate do?",
        answer="""
            With a transactionDueDate in the future a DB or PA.CP is pending with 800.400.501 until
            that day begins, in UTC and by the sandbox's clock. Then it ends with the outcome that
            the acquirer returned when the payment was created, and its ledger entries are posted.
            With today, or no date, it ends at once. A date in the past is refused with 100.500.301.
            There is no upper limit: the 30 minutes of D-47 are for codes of the group 000.200. With
            other brands and types the date is echoed and has no effect.
        """,
        reason="""
            The merchant gets what must be handled: a payment that is pending for weeks and then
            final. A script that was armed for one payment stays with that payment.
        """,
        tests=(
            "simulator/tests/accounts/test_banks.py",
            "features/bank_accounts.feature",
            "features/direct_debits.feature",
            "features/notified.feature",
            "features/accounts.feature",
        ),
    ),
    Decision(
        "D-147",
        "Chargebacks and chargeback reversals",
        question="Who may create a chargeback, what does it do, and what may follow it?",
        answer="""
            CB refers to a DB, CP, RF, RB or PA.CP, or to a CR; CR refers to a CB. The acquirer is
            not called: both report something that has already happened. A CB reduces the open
            amount of its payment as a refund does, by default by all of it (a larger amount is
            700.400.400); the rest can still be refunded. Each payment can be charged back once
            (700.300.500). A CR restores up to the amount of its CB, once (700.400.410). A CB of a
            CR charges that back again, and nothing can follow it (700.400.411). The payment is
            "charged back" while a chargeback holds any part of it. The ledger posts the entries of
            the payment reversed, and posts them again for a CR. So a CB of a refund, which did not
            reach the shopper, gives the merchant back what it refunded: its settlement line has
            Cashflow POS, and that of its CR has NEG. Merchants may report both by POST
            /v1/payments/{id}; a channel with `chargebacks: false` refuses with 700.400.402.
        """,
        reason="""
            Public descriptions of the workflow. A sandbox has no back office of a bank, so the
            merchant takes its part. A chargeback takes back the payment that it is about; Cashflow
            is the direction of the balance, which the ledger knows (RCN-08).
        """,
        setting="`chargebacks` of a channel.",
        tests=(
            "simulator/tests/payments/test_chargebacks.py",
            "simulator/tests/payments/test_payment_tree.py",
            "simulator/tests/settlement/agreement/test_later_states.py",
            "features/chargebacks.feature",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-667",
        "Refunds of credits",
        question="Which way does the money of an RF go that refers to a CD?",
        answer="""
            Back to the merchant, as that of any refund goes back where it came from: the ledger
            posts it from clearing to merchant, its settlement line has Cashflow POS, and the issuer
            takes it from the card. A chargeback of such a refund takes it from the merchant again.
        """,
        reason="""
            Public descriptions of the workflow let RF follow CD and do not say what it moves. A
            refund that went to the shopper once more would take the credit from the merchant twice.
        """,
        tests=(
            "simulator/tests/settlement/agreement/test_later_states.py",
            "simulator/tests/acquiring/test_issuer.py",
            "features/reconciliation.feature",
        ),
    ),
    Decision(
        "D-148",
        "The result code of a chargeback",
        question="Which result code has a chargeback?",
        answer="""
            That of chargebackResultCode. Where it is not sent, or is in no list, the code is
            000.100.200. The status is 200. A CR succeeds with the code of other payments of its
            test mode.
        """,
        reason="""
            Reconciliation calls result.code of a chargeback its reason, and clients know the group
            by its number.
        """,
        tests=("simulator/tests/payments/test_chargebacks.py", "features/chargebacks.feature"),
    ),
    Decision(
        "D-149",
        "Returned direct debits",
        question="How does a chargeback happen that the merchant does not report?",
        answer="""
            An approval of a behaviour may contain `returned: {days, code}`. That many days of the
            sandbox's clock after the money moved, the amount that is still open is charged back
            with that reason and the source SYSTEM, whatever `chargebacks` of the channel says. It
            is not refused however many payments refer to the debit (D-362), nor is a chargeback of
            a settlement file. Where nothing is open, the debit was charged back before, be it in
            part (D-147: once a payment), or the channel is gone, nothing happens; while a refund or
            reversal is pending, the return waits for its end. The behaviours `returned-debit` and
            `disputed` do this.
        """,
        reason="A direct debit that succeeds and is returned days later is what shops forget.",
        tests=(
            "simulator/tests/accounts/test_banks.py",
            "simulator/tests/accounts/test_returned_debits.py",
            "features/chargebacks.feature",
        ),
    ),
)
