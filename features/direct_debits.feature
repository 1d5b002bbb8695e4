Feature: Accounts of every kind
  A bank account is named by an IBAN or a number, and by a BIC or a bank code. Each is taken, shown and
  collected as it was named.

  @req:BANK-01 @req:BANK-02 @req:SVC-05 @req:SVC-06 @needs:brands
  Scenario Outline: An account may be named in every way that is complete
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder   | Jane Jones |
      | bankAccount.iban     | <iban>     |
      | bankAccount.number   | <number>   |
      | bankAccount.bankCode | <bank>     |
      | bankAccount.bic      | <bic>      |
      | bankAccount.country  | DE         |
    Then the payment succeeds
    And the response shows bankAccount.<shown> "<value>"
    And the response shows bankAccount.holder "Jane Jones"

    Examples:
      | iban                   | number     | bank     | bic         | shown    | value                  | why                  |
      | DE89370400440532013000 |            |          | COBADEFFXXX | iban     | DE89370400440532013000 | IBAN and BIC         |
      | DE89370400440532013000 |            |          | COBADEFF    | bic      | COBADEFF               | a BIC of eight       |
      | DE89370400440532013000 |            | 37040044 |             | bankCode | 37040044               | IBAN and bank code   |
      |                        | 0532013000 | 37040044 |             | number   | 0532013000             | number and bank code |
      |                        | 0532013000 |          | COBADEFFXXX | bic      | COBADEFFXXX            | number and BIC       |
      | DE89370400440532013000 |            | 37040044 | COBADEFFXXX | bic      | COBADEFFXXX            | both of a bank       |

  @req:BANK-01 @req:BANK-02 @needs:brands
  Scenario Outline: An account that is named in part is refused with every request
    When the merchant sends these with <kind>
      | bankAccount.iban | <iban> |
      | bankAccount.bic  | <bic>  |
    Then the request is refused, naming one of <missing>

    Examples:
      | kind           | iban                   | bic         | missing                               | why        |
      | a direct debit |                        | COBADEFFXXX | bankAccount.number, bankAccount.iban  | no account |
      | a direct debit | DE89370400440532013000 |             | bankAccount.bankCode, bankAccount.bic | no bank    |

  @req:BANK-06 @req:BANK-07 @pattern:limit
  Scenario Outline: A holder has 4 to 128 characters
    When the merchant sends bankAccount.holder "<holder>" with a direct debit
    Then <outcome>

    Examples:
      | holder          | outcome                                           | why              |
      | Bo              | the request is refused, naming bankAccount.holder | two characters   |
      | Jo1             | the request is refused, naming bankAccount.holder | three characters |
      | Bo J            | the payment succeeds                              | the shortest     |
      | Zoë Müller-Lüst | the payment succeeds                              | any characters   |

  @req:BANK-06 @req:RSP-08
  Scenario: The holder of a bank account is shown as it was sent
    When the merchant sends bankAccount.holder "Zoë Müller-Lüst" with a direct debit
    Then the payment succeeds
    And the response shows bankAccount.holder "Zoë Müller-Lüst"

  @req:BANK-07 @req:SVC-06 @needs:brands
  Scenario Outline: An IBAN of any country is accepted with its own check digits
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder  | Jane Jones |
      | bankAccount.iban    | <iban>     |
      | bankAccount.bic     | <bic>      |
      | bankAccount.country | <country>  |
    Then the payment succeeds
    And the response shows bankAccount.iban "<iban>"
    And the response shows bankAccount.country "<country>"

    Examples:
      | iban                            | bic      | country | why                            |
      | AT611904300234573201            | MARKATW1 | AT      | twenty characters              |
      | NL91ABNA0417164300              | MARKNL2A | NL      | letters after the check digits |
      | FR1420041010050500013M02606     | MARKFRPP | FR      | a letter in the middle         |
      | GB82WEST12345698765432          | MARKGB2L | GB      | twenty-two characters          |
      | NO9386011117947                 | MARKNOKK | NO      | the shortest of all            |
      | MT84MALT011000012345MTLCAST001S | MARKMTMT | MT      | the longest of all             |

  @req:BANK-07 @needs:brands @code:D-141
  Scenario Outline: A wrong check digit of any country is refused
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder | Jane Jones |
      | bankAccount.iban   | <iban>     |
      | bankAccount.bic    | <bic>      |
    Then the payment is refused with 100.100.101

    Examples:
      | iban                   | bic      | why                |
      | AT621904300234573201   | MARKATW1 | the check digits   |
      | AT611904300234573202   | MARKATW1 | the last digit     |
      | GB82WEST12345698765423 | MARKGB2L | two digits swapped |
      | NL91ABNB0417164300     | MARKNL2A | a letter           |

  @req:BANK-05 @needs:clock @decision:D-144 @pattern:limit
  Scenario Outline: A due date may be today or later
    Given the sandbox clock is frozen at "2027-03-01T<time>Z"
    When the merchant debits 92.00 EUR from the shopper's bank account, due on <day>
    Then the response shows result.code "<code>"

    Examples:
      | time     | day        | code        | why                   |
      | 00:00:00 | 2027-02-28 | 100.500.301 | yesterday             |
      | 00:00:00 | 2027-03-01 | 000.100.110 | today                 |
      | 23:59:59 | 2027-03-01 | 000.100.110 | the last second of it |
      | 23:59:59 | 2027-03-02 | 800.400.501 | tomorrow              |
      | 12:00:00 | 2028-02-29 | 800.400.501 | a leap day            |

  @req:BANK-05 @needs:clock @decision:D-144 @pattern:limit
  Scenario Outline: A direct debit is collected at the first instant of its due date
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    And a direct debit of 92.00 EUR that is due on <day>
    And the sandbox clock is frozen at "<instant>"
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | day        | instant              | code        | why                  |
      | 2027-03-31 | 2027-03-30T23:59:59Z | 800.400.501 | the second before    |
      | 2027-03-31 | 2027-03-31T00:00:00Z | 000.100.110 | the first of the day |
      | 2027-03-02 | 2027-03-01T23:59:59Z | 800.400.501 | the second before    |
      | 2027-03-02 | 2027-03-02T00:00:00Z | 000.100.110 | the first of the day |

  @req:BANK-05 @needs:clock @needs:brands @decision:D-144 @pattern:limit
  Scenario Outline: A direct debit by any brand is collected on its due date
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    And the merchant has sent transactionDueDate "2027-03-31" with <kind>
    And the sandbox clock is frozen at "<instant>"
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | kind                   | instant              | code        | why                  |
      | a direct debit by SEPA | 2027-03-30T23:59:59Z | 800.400.501 | the second before    |
      | a direct debit by SEPA | 2027-03-31T00:00:00Z | 000.100.110 | the first of the day |

  @req:BANK-05 @needs:clock @needs:control
  Scenario: The acquirer receives the due date of a direct debit
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    When the merchant debits 92.00 EUR from the shopper's bank account, due on 2027-03-31
    Then the acquirer received transactionDueDate

  @req:BANK-05 @req:RSP-08 @needs:brands
  Scenario: A due date that is far off is shown
    When the merchant debits 92.00 EUR from the shopper's bank account, due on 2099-12-31
    Then the response shows transactionDueDate "2099-12-31"

  @req:BANK-05 @needs:clock @req:RSP-08
  Scenario: The due date of a direct debit is shown
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    When the merchant debits 92.00 EUR from the shopper's bank account, due on 2027-03-31
    Then the response shows transactionDueDate "2027-03-31"
    And the response shows amount "92.00"

  @req:BANK-03 @needs:clock @decision:D-142 @pattern:limit
  Scenario Outline: A mandate was signed before it is used
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    When the merchant sends these with a direct debit
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | <day>                               |
    Then <outcome>

    Examples:
      | day        | outcome                                 | why      |
      | 2027-03-01 | the payment succeeds                    | today    |
      | 2027-03-02 | the payment is refused with 100.500.302 | tomorrow |

  @req:BANK-03 @pattern:limit
  Scenario Outline: A mandate has exactly its characters with every request
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind           | name                          | value                                | why      |
      | a direct debit | bankAccount.mandate.id        | A123456789012345678901234567890123   | one less |
      | a direct debit | bankAccount.mandate.id        | A12345678901234567890123456789012345 | one more |
      | a direct debit | bankAccount.mandate.id        | A123456789012345678901234567890123-  | a hyphen |
      | a direct debit | bankAccount.mandate.reference | R123456789012345678901234567890      | one less |
      | a direct debit | bankAccount.mandate.reference | R12345678901234567890123456789012    | one more |

  @req:SVC-06 @req:SVC-07 @req:RSP-07 @needs:brands @pattern:values
  Scenario Outline: A direct debit has its own amount and currency
    When the merchant sends these with a direct debit
      | amount   | <amount>   |
      | currency | <currency> |
    Then the payment succeeds
    And the response shows
      | amount   | <amount>   |
      | currency | <currency> |

    Examples:
      | amount     | currency | why              |
      | 0.01       | EUR      | the smallest     |
      | 1234567.89 | EUR      | many digits      |
      | 10.50      | CHF      | another currency |

  @req:SVC-06 @req:END-08 @needs:brands @pattern:limit @code:D-46
  Scenario Outline: A direct debit is refunded up to its amount
    Given a direct debit of 92.00 EUR
    And 30.00 EUR of it is refunded
    When the merchant refunds <amount> EUR of it
    Then <outcome>

    Examples:
      | amount | outcome                                | why         |
      | 62.00  | the refund succeeds                    | all of it   |
      | 62.01  | the refund is refused with 700.400.200 | a cent more |

  @req:SVC-07 @req:END-08 @needs:brands @code:D-46 @pattern:limit
  Scenario Outline: Receipts add up to the amount that was requested
    Given a requested transfer of 92.00 EUR
    And a receipt of 30.00 EUR for it
    When the merchant reports <amount> EUR received for it
    Then <outcome>

    Examples:
      | amount | outcome                                 | why         |
      | 62.00  | the receipt succeeds                    | all of it   |
      | 62.01  | the receipt is refused with 700.400.100 | a cent more |

  @req:SVC-07 @req:RSP-06 @needs:brands @pattern:values
  Scenario Outline: A transfer is requested in every currency
    When the merchant requests a transfer of <amount> <currency>
    Then the payment succeeds
    And the response shows
      | amount      | <amount>   |
      | currency    | <currency> |
      | paymentType | PA         |

    Examples:
      | amount | currency | why              |
      | 92.00  | EUR      | an ordinary one  |
      | 0.01   | CHF      | another currency |

  @req:SVC-04 @req:VIRT-01
  Scenario Outline: A virtual account pays by every type, with its own id
    When the merchant sends a payment with only these parameters
      | paymentBrand             | VIRTUAL_ACCOUNT |
      | paymentType              | <type>          |
      | amount                   | <amount>        |
      | currency                 | <currency>      |
      | virtualAccount.accountId | <account>       |
    Then the payment succeeds
    And the response shows
      | paymentType              | <type>          |
      | paymentBrand             | VIRTUAL_ACCOUNT |
      | amount                   | <amount>        |
      | currency                 | <currency>      |
      | virtualAccount.accountId | <account>       |

    Examples:
      | type | amount | currency | account           | why            |
      | DB   | 92.00  | EUR      | jane@shop.example | an address     |
      | PA   | 0.01   | USD      | 4711              | digits         |
      | CD   | 7.50   | GBP      | acc/47 ü          | any characters |

  @req:SVC-04 @req:VIRT-01 @req:SVC-11 @pattern:place
  Scenario: A virtual account may be stored
    When the merchant stores an account of
      | paymentBrand             | VIRTUAL_ACCOUNT |
      | virtualAccount.accountId | acc-4711        |
    Then the registration succeeds
    And the response shows virtualAccount.accountId "acc-4711"

  @req:SVC-06 @req:SVC-13 @decision:D-142 @pattern:place @req:BANK-03
  Scenario: A stored bank account is collected by its own IBAN and mandate
    Given a stored bank account
    When the merchant debits 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows bankAccount.iban "DE89370400440532013000"
    And the response shows the mandate of the registration
    And the response shows amount "9.90"

  @req:TOK-02 @code:D-119
  Scenario: The holder of a stored bank account is not overridden
    Given a stored bank account
    When the merchant debits 9.90 EUR from the registration with
      | bankAccount.holder | Ann Other |
      | overrideHolder     | true      |
    Then the payment succeeds
    And the response shows bankAccount.holder "Jane Jones"

  @req:BANK-04 @needs:scripts @decision:D-164
  Scenario Outline: A risk check of a bank account sees no mandate and no due date
    Given the risk system accepts 1 payment an hour from an account
    And a direct debit of 92.00 EUR
    When the merchant sends <name> "<value>" with a direct debit
    Then the payment is declined with 800.120.101

    Examples:
      | name                          | value                               | why             |
      | bankAccount.mandate.id        | A1234567890123456789012345678901234 | another mandate |
      | bankAccount.mandate.reference | R1234567890123456789012345678901    | a reference     |

  @req:SVC-06 @req:BANK-07 @req:BANK-01 @req:BANK-02 @req:BANK-03 @req:BANK-06 @needs:control
  Scenario Outline: The acquirer receives the account that is debited
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder            | Jane Jones                       |
      | bankAccount.<first>           | <one>                            |
      | bankAccount.<second>          | <two>                            |
      | bankAccount.country           | DE                               |
      | bankAccount.mandate.reference | R1234567890123456789012345678901 |
    Then the payment succeeds
    And the acquirer received DB of 92.00 EUR
    And the acquirer received bankAccount.<first>
    And the acquirer received bankAccount.<second>
    And the acquirer received bankAccount.mandate.reference

    Examples:
      | first  | one                    | second   | two         | why            |
      | iban   | DE89370400440532013000 | bic      | COBADEFFXXX | IBAN and BIC   |
      | number | 0532013000             | bankCode | 37040044    | a national one |
