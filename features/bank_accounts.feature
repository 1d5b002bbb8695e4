Feature: Bank accounts, virtual accounts and wallets
  A merchant is paid from accounts that are no cards: by direct debit, by transfer, by a wallet.

  @req:SVC-05 @decision:D-54
  Scenario: A direct debit by a national account is processed
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder   | Jane Jones |
      | bankAccount.number   | 0532013000 |
      | bankAccount.bankCode | 37040044   |
      | bankAccount.country  | DE         |
    Then the payment succeeds
    And the answer shows
      | paymentBrand         | DIRECTDEBIT_SEPA |
      | amount               | 92.00            |
      | bankAccount.holder   | Jane Jones       |
      | bankAccount.number   | 0532013000       |
      | bankAccount.bankCode | 37040044         |

  @req:SVC-06 @req:BANK-03 @req:BANK-07 @decision:D-54
  Scenario: A SEPA direct debit with a mandate is processed
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder                  | Jane Jones                          |
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.bic                     | COBADEFFXXX                         |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
      | bankAccount.mandate.reference       | R1234567890123456789012345678901    |
    Then the payment succeeds
    And the answer shows
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
      | bankAccount.mandate.reference       | R1234567890123456789012345678901    |

  @req:SVC-06 @decision:D-142
  Scenario: A direct debit without a mandate is given one
    When the merchant debits 92.00 EUR from the account of a shopper
    Then the payment succeeds
    And the answer shows bankAccount.mandate.id as some text
    And the answer shows bankAccount.mandate.dateOfSignature as some text

  @req:SVC-06 @needs:control @decision:D-150
  Scenario Outline: The number of a bank account stands in no journal
    Given a direct debit of 92.00 EUR from <account>
    When the merchant reads it
    Then the answer shows bankAccount.iban "<account>"
    And the journal nowhere contains "<account>"

    Examples:
      | account                | why          |
      | DE89370400440532013000 | digits alone |
      | GB82WEST12345698765432 | with letters |

  @req:BANK-07 @decision:D-141
  Scenario Outline: Bank account data that contradict themselves are refused
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder | Jane Jones             |
      | bankAccount.iban   | DE89370400440532013000 |
      | bankAccount.bic    | COBADEFFXXX            |
      | <parameter>        | <value>                |
    Then the payment is refused with <code>

    Examples:
      | parameter            | value                  | code        | why                     |
      | bankAccount.iban     | DE89370400440532013001 | 100.100.101 | wrong check digits      |
      | bankAccount.iban     | DE8937040044053201300  | 100.100.101 | a digit short           |
      | bankAccount.bic      | COBAQQFF               | 100.200.103 | no country is called QQ |
      | bankAccount.bankCode | 10000000               | 100.200.103 | of another bank         |
      | bankAccount.country  | FR                     | 100.200.100 | the IBAN is of DE       |

  @req:BANK-05 @decision:D-144
  Scenario: A direct debit is not due on a day that has passed
    When the merchant debits 92.00 EUR from the account of a shopper, due on 2020-02-29
    Then the payment is refused with 100.500.301

  @req:BANK-05 @needs:clock @decision:D-144
  Scenario Outline: A direct debit is collected on its due day
    Given the clock stands at "2027-03-01T12:00:00Z"
    And a direct debit of 92.00 EUR that is due on 2027-03-31
    And <time> pass
    When the merchant reads it
    Then the answer shows result.code "<code>"
    And the answer is about it

    Examples:
      | time     | code        | why                          |
      | 29 days  | 800.400.501 | the day has not begun        |
      | 30 days  | 000.100.110 | it is collected on that day  |

  @req:BANK-04 @decision:D-141
  Scenario: The mandate and the due date change nothing of the risk check
    Given a direct debit of 92.00 EUR by a shopper
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder                  | Jane Jones                          |
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.bic                     | COBADEFFXXX                         |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
    Then the payment succeeds
    And the answer shows the risk score of it

  @req:SVC-06 @decision:D-54
  Scenario: A direct debit is refunded
    Given a direct debit of 92.00 EUR by a shopper
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds

  @req:SVC-06 @decision:D-30
  Scenario: A direct debit is charged again
    Given a direct debit of 92.00 EUR by a shopper
    When the merchant rebills 15.00 EUR on it
    Then the rebill succeeds

  @req:SVC-06 @decision:D-54
  Scenario: Money is sent to a bank account
    When the merchant credits 92.00 EUR to the account of a shopper
    Then the payment succeeds
    And the answer shows paymentType "CD"
    And the answer shows paymentBrand "SEPA"

  @req:SVC-07 @req:RSP-06 @decision:D-54
  Scenario: A bank transfer answers with the account to pay to
    When the merchant asks for a transfer of 92.00 EUR
    Then the payment succeeds
    And the answer shows merchant.bankAccount.holder as some text
    And the answer shows merchant.bankAccount.number as some text
    And the answer shows merchant.bankAccount.country as some text

  @req:SVC-07 @decision:D-54 @decision:D-30
  Scenario: Money that comes in later is booked for a bank transfer
    Given a transfer of 92.00 EUR that was asked for
    When the merchant reports 92.00 EUR received for it
    Then the receipt succeeds

  @req:SVC-07 @decision:D-46
  Scenario: No more money comes in than was asked for
    Given a transfer of 92.00 EUR that was asked for
    When the merchant reports 92.01 EUR received for it
    Then the receipt is refused with 700.400.100

  @req:SVC-07 @decision:D-141
  Scenario: A bank transfer is not collected
    When the merchant debits 92.00 EUR by transfer
    Then the payment is refused with 600.200.310

  @req:RSP-06 @decision:D-54
  Scenario: A direct debit shows the account of the merchant
    When the merchant debits 92.00 EUR from the account of a shopper
    Then the answer shows merchant.bankAccount.holder as some text
    And the answer shows merchant.bankAccount.number as some text

  @req:RSP-06
  Scenario: A card payment shows no account of the merchant
    When the merchant debits 92.00 EUR
    Then the answer shows no merchant.bankAccount

  @req:RSP-06 @needs:control @decision:D-143
  Scenario: A merchant has its own account shown
    Given a merchant whose account is NL16BOFS7923048958
    When the merchant asks for a transfer of 92.00 EUR
    Then the answer shows merchant.bankAccount.number "NL16BOFS7923048958"
    And the answer shows merchant.bankAccount.holder "Jones Books"

  @req:SVC-04 @req:VIRT-01 @decision:D-54
  Scenario Outline: A virtual account payment is processed
    When the merchant debits 92.00 EUR from the virtual account of <length> characters
    Then the payment succeeds
    And the answer shows virtualAccount.accountId as some text

    Examples:
      | length | why          |
      | 1      | the shortest |
      | 100    | the longest  |

  @req:VIRT-01 @decision:D-145
  Scenario: A virtual account has an id
    When the merchant debits 92.00 EUR from a virtual account without an id
    Then the payment is refused with 100.210.101

  @req:SVC-03 @req:WAL-01 @decision:D-54
  Scenario Outline: A wallet payment is accepted as decrypted data
    When the merchant debits 92.00 EUR by wallet with mobileWallet.source "<source>"
    Then the payment succeeds
    And the answer shows paymentBrand "MOBILE_WALLET"
    And the answer shows card.bin "420000"
    And the answer nowhere contains "4200000000000000"

    Examples:
      | source | why            |
      | web    | in the browser |
      | app    | in an app      |

  @req:SVC-03 @decision:D-54
  Scenario Outline: A wallet payment as decrypted data needs all of it
    When the merchant debits 92.00 EUR by wallet without <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                   | why                    |
      | card.number                 | nothing to charge      |
      | threeDSecure.verificationId | what the wallet signed |
      | threeDSecure.eci            | how it signed          |

  @req:SVC-03 @decision:D-145
  Scenario: The card of a wallet keeps the rules of its scheme
    When the merchant debits 92.00 EUR by wallet with card.number "4200000000000001"
    Then the payment is refused with 100.100.101
