Feature: Requests of clients in the field
  What existing clients send, and a literal reading of the formats would refuse, is taken in the
  profile field.

  @field:E10
  Scenario: The older name of the entity stands beside a token
    When the merchant debits 92.00 EUR naming its entity by the older name
    Then the payment succeeds

  @field:E14
  Scenario: An empty value is no parameter
    When the merchant sends an ordinary debit, and in it
      | descriptor         |  |
      | merchantInvoiceId  |  |
      | billing.street2    |  |
      | customer.birthDate |  |
    Then the payment succeeds
    And the answer shows no billing
    And the answer shows no customer

  @field:E15
  Scenario: Unknown parameters are ignored
    When the merchant sends an ordinary debit, and in it
      | shipping.givenName                 | Jane      |
      | shipping.surname                   | Jones     |
      | integrity                          | true      |
      | standingInstruction.recurringType  | RECURRING |
      | threeDSecure.flow                  | challenge |
      | customParameters[a b]              | c         |
    Then the payment succeeds
    And the answer shows no shipping

  @field:E15
  Scenario: A parameter of the merchant's own comes back
    When the merchant sends an ordinary debit, and in it
      | customParameters[SHOPPER_session] | 4711 |
      | customParameters[CTPE_DESCRIPTOR] | x    |
    Then the payment succeeds
    And the answer shows customParameters[SHOPPER_session] "4711"

  @field:E16
  Scenario Outline: A boolean comes in words or in digits
    When the merchant debits 92.00 EUR with createRegistration "<value>"
    Then the payment succeeds
    And the answer shows registrationId as an id of the field

    Examples:
      | value | why              |
      | true  | in words         |
      | 1     | as PHP writes it |

  @field:E16
  Scenario Outline: A boolean that says no leaves no registration
    When the merchant debits 92.00 EUR with createRegistration "<value>"
    Then the payment succeeds
    And the answer shows no registrationId

    Examples:
      | value | why              |
      | false | in words         |
      | 0     | as PHP writes it |

  @field:E17
  Scenario Outline: Amounts with two decimals or none are right
    When the merchant debits <amount> EUR
    Then the payment succeeds
    And the answer shows amount "<shown>"

    Examples:
      | amount          | shown           | why                 |
      | 10              | 10.00           | no decimals         |
      | 92              | 92.00           | no decimals         |
      | 92.00           | 92.00           | two decimals        |
      | 123456789012.00 | 123456789012.00 | twelve digits       |

  @field:E17 @field:E25
  Scenario Outline: An amount of another form is refused with the pattern
    When the merchant debits <amount> EUR
    Then the request is refused, naming amount
    And amount is explained with the value "<amount>"
    And amount is explained by "must match ^[0-9]{1,12}(\.[0-9]{2})?$"

    Examples:
      | amount        | why             |
      | 92.0          | one decimal     |
      | -20.20        | a sign          |
      | 1234567890123 | thirteen digits |

  @field:E18
  Scenario: A reference is used again by another payment
    Given a debit of 92.00 EUR with merchantTransactionId "test123"
    When the merchant debits 92.00 EUR with merchantTransactionId "test123"
    Then the payment succeeds
    And the answer is not about it

  @field:E18
  Scenario: A reference is used again by the capture of its payment
    Given an authorised payment of 92.00 EUR with the reference "test123"
    When the merchant captures 92.00 EUR of it with the reference "test123"
    Then the capture succeeds

  @field:E19
  Scenario: An authorisation is captured at once
    When the merchant debits 92.00 EUR with paymentType "PA.CP"
    Then the payment succeeds
    And the answer shows paymentType "PA.CP"

  @field:E19 @field:E25
  Scenario: The list of payment types is the gateway's own
    When the merchant debits 92.00 EUR with paymentType "XX"
    Then the request is refused, naming paymentType
    And paymentType is explained by "must be one of [PA, DB, CD, PA.CP]"

  @field:E20 @needs:declines
  Scenario Outline: A parameter forces a refusal, and is echoed
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment is refused with <code>
    And the answer shows customParameters[forceResultCode] "<code>"

    Examples:
      | code        | why                 |
      | 800.100.151 | a plug-in forces it |
      | 600.200.100 | a library forces it |

  @field:E20 @needs:declines
  Scenario Outline: A forced success is known by its group
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment succeeds

    Examples:
      | code        | why              |
      | 000.000.000 | the first group  |
      | 000.100.110 | the second group |
      | 000.300.000 | the third group  |
      | 000.600.000 | the third group  |

  @field:E20 @needs:declines
  Scenario Outline: A forced review is known by its group
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment succeeds, to be reviewed

    Examples:
      | code        | why                   |
      | 000.400.000 | suspected of fraud    |
      | 000.400.020 | the first group       |
      | 000.400.100 | the last of the group |

  @field:E21
  Scenario: The number tells the brand
    When the merchant sends an ordinary debit without a brand
    Then the payment succeeds
    And the answer shows paymentBrand "VISA"

  @field:E15
  Scenario Outline: Values that working clients send are taken
    When the merchant sends an ordinary debit, and in it
      | customer.givenName | Jane    |
      | customer.surname   | Jones   |
      | <name>             | <value> |
    Then the payment succeeds
    And the answer shows <name> "<value>"

    Examples:
      | name                  | value         | why                          |
      | billing.postcode      | A1 2BC        | with a blank                 |
      | billing.postcode      | TE1 2ST       | with a blank                 |
      | customer.phone        | (?!?)555-5555 | signs no number has          |
      | customer.mobile       | (?!?)555-5555 | signs no number has          |
      | merchantTransactionId | abc123        | shorter than eight           |
      | merchantTransactionId | test123       | shorter than eight           |
      | merchantTransactionId | 123           | shorter than eight           |
