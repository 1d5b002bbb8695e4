Feature: Requests in profile field
  Requests of existing clients that a literal reading of the formats would refuse are accepted.

  @field:E10
  Scenario: The older name of the entity is accepted beside a token
    When the merchant debits 92.00 EUR with authentication.entityId instead of entityId
    Then the payment succeeds

  @field:E14
  Scenario: An empty value is no parameter
    When the merchant sends a debit with
      | descriptor         |  |
      | merchantInvoiceId  |  |
      | billing.street2    |  |
      | customer.birthDate |  |
    Then the payment succeeds
    And the response shows no billing
    And the response shows no customer

  @field:E15
  Scenario: Unknown parameters are ignored
    When the merchant sends a debit with
      | shipping.givenName                | Jane      |
      | shipping.surname                  | Jones     |
      | integrity                         | true      |
      | standingInstruction.recurringType | RECURRING |
      | threeDSecure.flow                 | challenge |
      | customParameters[a b]             | c         |
    Then the payment succeeds
    And the response shows no shipping

  @field:E15
  Scenario: Custom parameters are echoed in profile field
    When the merchant sends a debit with
      | customParameters[SHOPPER_session] | 4711 |
      | customParameters[CTPE_DESCRIPTOR] | x    |
    Then the payment succeeds
    And the response shows customParameters[SHOPPER_session] "4711"

  @field:E16
  Scenario Outline: A boolean may be a word or a digit
    When the merchant debits 92.00 EUR with createRegistration "<value>"
    Then the payment succeeds
    And the response shows registrationId as an id of profile field

    Examples:
      | value | why              |
      | true  | in words         |
      | 1     | as PHP writes it |

  @field:E16
  Scenario Outline: A false boolean creates no registration
    When the merchant debits 92.00 EUR with createRegistration "<value>"
    Then the payment succeeds
    And the response shows no registrationId

    Examples:
      | value | why              |
      | false | in words         |
      | 0     | as PHP writes it |

  @field:E17
  Scenario Outline: Amounts with two decimals or none are accepted
    When the merchant debits <amount> EUR
    Then the payment succeeds
    And the response shows amount "<shown>"

    Examples:
      | amount          | shown           | why           |
      | 10              | 10.00           | no decimals   |
      | 92              | 92.00           | no decimals   |
      | 92.00           | 92.00           | two decimals  |
      | 123456789012.00 | 123456789012.00 | twelve digits |

  @field:E17 @field:E25
  Scenario Outline: A malformed amount is refused with the pattern
    When the merchant debits <amount> EUR
    Then the request is refused, naming amount
    And the error of amount shows the value "<amount>"
    And the error of amount has a message with "must match ^[0-9]{1,12}(\.[0-9]{2})?$"

    Examples:
      | amount        | why             |
      | 92.0          | one decimal     |
      | -20.20        | a sign          |
      | 1234567890123 | thirteen digits |

  @field:E18
  Scenario: A merchantTransactionId may be used by another payment
    Given a debit of 92.00 EUR with merchantTransactionId "test123"
    When the merchant debits 92.00 EUR with merchantTransactionId "test123"
    Then the payment succeeds
    And the response has a new payment id

  @field:E18
  Scenario: A merchantTransactionId may be used by the capture of its payment
    Given an authorized payment of 92.00 EUR with the reference "test123"
    When the merchant captures 92.00 EUR of it with the reference "test123"
    Then the capture succeeds

  @field:E19
  Scenario: An authorization is captured at once
    When the merchant debits 92.00 EUR with paymentType "PA.CP"
    Then the payment succeeds
    And the response shows paymentType "PA.CP"

  @field:E19 @field:E25
  Scenario: An unknown payment type is refused with the list of types
    When the merchant debits 92.00 EUR with paymentType "XX"
    Then the request is refused, naming paymentType
    And the error of paymentType has a message with "must be one of [PA, DB, CD, PA.CP]"

  @field:E20 @needs:declines
  Scenario Outline: A custom parameter forces a result code and is echoed
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment is refused with <code>
    And the response shows customParameters[forceResultCode] "<code>"

    Examples:
      | code        | why                |
      | 800.100.151 | a plug-in sends it |
      | 600.200.100 | a library sends it |

  @field:E20 @needs:declines
  Scenario Outline: A forced success succeeds
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment succeeds

    Examples:
      | code        | why              |
      | 000.000.000 | the first group  |
      | 000.100.110 | the second group |
      | 000.300.000 | the third group  |
      | 000.600.000 | the third group  |

  @field:E20 @needs:declines
  Scenario Outline: A forced review succeeds with a manual review
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment succeeds with a manual review

    Examples:
      | code        | why                   |
      | 000.400.000 | suspected of fraud    |
      | 000.400.020 | the first group       |
      | 000.400.100 | the last of the group |

  @field:E21
  Scenario: The brand is detected from the card number
    When the merchant sends a debit without a brand
    Then the payment succeeds
    And the response shows paymentBrand "VISA"

  @field:E15
  Scenario Outline: Values that existing clients send are accepted
    When the merchant sends a debit with
      | customer.givenName | Jane    |
      | customer.surname   | Jones   |
      | <name>             | <value> |
    Then the payment succeeds
    And the response shows <name> "<value>"

    Examples:
      | name                  | value         | why                |
      | billing.postcode      | A1 2BC        | with a blank       |
      | billing.postcode      | TE1 2ST       | with a blank       |
      | customer.phone        | (?!?)555-5555 | unusual separators |
      | customer.mobile       | (?!?)555-5555 | unusual separators |
      | merchantTransactionId | abc123        | shorter than eight |
      | merchantTransactionId | test123       | shorter than eight |
      | merchantTransactionId | 123           | shorter than eight |
