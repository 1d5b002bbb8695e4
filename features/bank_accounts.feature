Feature: Bank accounts, virtual accounts and wallets
  A merchant is paid without a card: by direct debit, bank transfer, virtual account or wallet.

  @req:SVC-05 @needs:brands
  Scenario: A direct debit by a national account number succeeds
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder   | Jane Jones |
      | bankAccount.number   | 0532013000 |
      | bankAccount.bankCode | 37040044   |
      | bankAccount.country  | DE         |
    Then the payment succeeds
    And the response shows
      | paymentBrand         | DIRECTDEBIT_SEPA |
      | amount               | 92.00            |
      | bankAccount.holder   | Jane Jones       |
      | bankAccount.number   | 0532013000       |
      | bankAccount.bankCode | 37040044         |

  @req:SVC-06 @req:BANK-03 @req:BANK-07 @needs:brands
  Scenario: A SEPA direct debit with a mandate succeeds
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder                  | Jane Jones                          |
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.bic                     | COBADEFFXXX                         |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
      | bankAccount.mandate.reference       | R1234567890123456789012345678901    |
    Then the payment succeeds
    And the response shows
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
      | bankAccount.mandate.reference       | R1234567890123456789012345678901    |

  @req:SVC-06 @decision:D-142
  Scenario: A direct debit without a mandate gets one
    When the merchant debits 92.00 EUR from the shopper's bank account
    Then the payment succeeds
    And the response shows bankAccount.mandate.id as some text
    And the response shows bankAccount.mandate.dateOfSignature as some text

  @req:SVC-06 @needs:control @decision:D-150
  Scenario Outline: The journal does not show bank account numbers
    Given a direct debit of 92.00 EUR from <account>
    When the merchant reads it
    Then the response shows bankAccount.iban "<account>"
    And the journal does not contain "<account>"

    Examples:
      | account                | why          |
      | DE89370400440532013000 | digits alone |
      | GB82WEST12345698765432 | with letters |

  @req:BANK-07 @needs:brands @code:D-141
  Scenario Outline: Contradicting bank account data are refused
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
  Scenario: A due date in the past is refused
    When the merchant debits 92.00 EUR from the shopper's bank account, due on 2020-02-29
    Then the payment is refused with 100.500.301

  @req:BANK-05 @needs:clock @decision:D-144 @pattern:limit
  Scenario Outline: A direct debit is collected on its due date
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    And a direct debit of 92.00 EUR that is due on 2027-03-31
    And <time> pass
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response has the id of the payment

    Examples:
      | time    | code        | why                 |
      | 29 days | 800.400.501 | before the due date |
      | 30 days | 000.100.110 | on the due date     |

  @req:BANK-04 @needs:brands
  Scenario: The mandate does not change the risk score
    Given a direct debit of 92.00 EUR
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder                  | Jane Jones                          |
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.bic                     | COBADEFFXXX                         |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
    Then the payment succeeds
    And the response shows the risk score of the payment

  @req:SVC-06 @needs:brands
  Scenario: A direct debit is refunded
    Given a direct debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds

  @req:SVC-06 @decision:D-30
  Scenario: A direct debit is rebilled
    Given a direct debit of 92.00 EUR
    When the merchant rebills 15.00 EUR on it
    Then the rebill succeeds

  @req:SVC-06 @needs:brands
  Scenario: A credit is sent to a bank account
    When the merchant credits 92.00 EUR to the shopper's bank account
    Then the payment succeeds
    And the response shows paymentType "CD"
    And the response shows paymentBrand "SEPA"

  @req:SVC-07 @req:RSP-06 @needs:brands
  Scenario: A bank transfer shows the merchant's bank account to pay to
    When the merchant requests a transfer of 92.00 EUR
    Then the payment succeeds
    And the response shows merchant.bankAccount.holder as some text
    And the response shows merchant.bankAccount.number as some text
    And the response shows merchant.bankAccount.country as some text

  @req:SVC-07 @decision:D-54 @decision:D-30
  Scenario: A receipt is recorded for a bank transfer
    Given a requested transfer of 92.00 EUR
    When the merchant reports 92.00 EUR received for it
    Then the receipt succeeds

  @req:SVC-07 @needs:brands @code:D-46 @pattern:limit
  Scenario: A receipt may not exceed the requested amount
    Given a requested transfer of 92.00 EUR
    When the merchant reports 92.01 EUR received for it
    Then the receipt is refused with 700.400.100

  @req:SVC-07 @decision:D-141
  Scenario: A bank transfer cannot be debited
    When the merchant debits 92.00 EUR by transfer
    Then the payment is refused with 600.200.310

  @req:RSP-06 @needs:brands
  Scenario: A direct debit shows the merchant's bank account
    When the merchant debits 92.00 EUR from the shopper's bank account
    Then the response shows merchant.bankAccount.holder as some text
    And the response shows merchant.bankAccount.number as some text

  @req:RSP-06
  Scenario: A card payment shows no bank account of the merchant
    When the merchant debits 92.00 EUR
    Then the response shows no merchant.bankAccount

  @req:RSP-06 @needs:control @decision:D-143
  Scenario: The merchant's own bank account is shown
    Given a merchant with the bank account NL16BOFS7923048958
    When the merchant requests a transfer of 92.00 EUR
    Then the response shows merchant.bankAccount.number "NL16BOFS7923048958"
    And the response shows merchant.bankAccount.holder "Jones Books"

  @req:SVC-04 @req:VIRT-01 @needs:brands @pattern:limit
  Scenario Outline: A virtual account payment succeeds
    When the merchant debits 92.00 EUR from the virtual account of <length> characters
    Then the payment succeeds
    And the response shows virtualAccount.accountId as some text

    Examples:
      | length | why          |
      | 1      | the shortest |
      | 100    | the longest  |

  @req:VIRT-01 @code:D-145
  Scenario: A virtual account payment requires an account id
    When the merchant debits 92.00 EUR from a virtual account without an id
    Then the payment is refused with 100.210.101

  @req:SVC-03 @req:WAL-01 @needs:brands
  Scenario Outline: A wallet payment with decrypted data succeeds
    When the merchant debits 92.00 EUR by wallet with mobileWallet.source "<source>"
    Then the payment succeeds
    And the response shows paymentBrand "MOBILE_WALLET"
    And the response shows card.bin "420000"
    And the response does not contain "4200000000000000"

    Examples:
      | source | why            |
      | web    | in the browser |
      | app    | in an app      |

  @req:SVC-03 @needs:brands
  Scenario Outline: A wallet payment with decrypted data requires all of it
    When the merchant debits 92.00 EUR by wallet without <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                   | why               |
      | card.number                 | nothing to charge |
      | card.expiryMonth            | no expiry         |
      | card.expiryYear             | no expiry         |
      | mobileWallet.source         | where it is used  |
      | threeDSecure.verificationId | the cryptogram    |
      | threeDSecure.eci            | the ECI           |

  @req:SVC-03 @needs:brands
  Scenario: A card alone is no wallet payment
    When the merchant sends a debit with
      | paymentBrand | MOBILE_WALLET |
    Then the request is refused, naming mobileWallet.source, threeDSecure.eci, threeDSecure.verificationId

  @req:SVC-03 @code:D-145
  Scenario: The card number of a wallet is validated
    When the merchant debits 92.00 EUR by wallet with card.number "4200000000000001"
    Then the payment is refused with 100.100.101
