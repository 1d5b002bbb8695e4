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

  @field:E17 @pattern:limit
  Scenario Outline: Amounts with two decimals or none are accepted
    When the merchant debits <amount> EUR
    Then the payment succeeds
    And the response shows amount "<shown>"

    Examples:
      | amount | shown | why          |
      | 10     | 10.00 | no decimals  |
      | 92     | 92.00 | no decimals  |
      | 92.00  | 92.00 | two decimals |

  @field:E17 @decision:D-674 @pattern:limit
  Scenario: An amount of twelve digits has its form, and the acquirer declines it
    When the merchant debits 123456789012.00 EUR
    Then the payment is declined with 800.100.174

  @field:E17 @field:E25 @pattern:limit
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

  @field:E53
  Scenario Outline: A customer parameter is accepted without the names of the customer
    When the merchant sends a debit with
      | <name> | <value> |
    Then the payment succeeds
    And the response shows <name> "<value>"

    Examples:
      | name                        | value            | why                     |
      | customer.ip                 | 192.0.2.17       | a plug-in sends it      |
      | customer.email              | jane@shop.example | a plug-in sends it      |
      | customer.merchantCustomerId | 4711             | a plug-in sends it      |
      | customer.phone              | 030 123          | any of the others       |
      | customer.givenName          | Jane             | one name alone          |

  @field:E53
  Scenario: A checkout is prepared for a customer without names
    When the merchant prepares a checkout for 92.00 EUR with customer.email "jane@shop.example"
    Then the response shows result.code "000.200.100"

  @field:E53
  Scenario: A checkout is paid for a customer without names
    Given a checkout for 92.00 EUR with customer.ip "192.0.2.17"
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the payment succeeds

  @field:E58
  Scenario Outline: A name sent twice with one value counts once
    When the merchant sends a debit and repeats <name> in the <place>
    Then the payment succeeds

    Examples:
      | name         | place | why                |
      | entityId     | body  | a sample repeats   |
      | entityId     | query | a client does both |
      | paymentBrand | body  | a sample repeats   |
      | paymentBrand | query | a client does both |
      | amount       | body  | any other name     |

  @field:E58
  Scenario: A name sent twice with two values is refused
    When the merchant sends a debit and repeats amount with the value "93.00"
    Then the request is refused, naming amount

  @field:E58
  Scenario: A custom parameter sent twice with two values is accepted
    When the merchant sends a debit with customParameters[order] "1" and again with "2"
    Then the payment succeeds
    And the response shows customParameters[order] as some text

  @field:E67
  Scenario Outline: Addresses contain any text
    When the merchant sends a debit with
      | <name> | <value> |
    Then the payment succeeds
    And the response shows <name> "<value>"

    Examples:
      | name            | value                    | why                        |
      | billing.state   | West Yorkshire           | longer than ten characters |
      | billing.state   | الرياض                   | Arabic letters             |
      | shipping.state  | Baden-Württemberg        | a hyphen and an umlaut     |
      | shipping.city   | 12 City Centre, Leeds    | digits and a comma         |
      | shipping.method | Standard delivery (2-3 d) | the words of the shop      |

  @field:E67
  Scenario Outline: A risk amount is a whole number or has decimals
    When the merchant sends a debit with
      | risk.amount | <amount> |
    Then the payment succeeds

    Examples:
      | amount | why             |
      | 92     | no decimals     |
      | 92.00  | two decimals    |

  @field:E15
  Scenario Outline: A name whose brackets do not pair is refused where unknown names are ignored
    When the merchant debits 92.00 EUR with <name> "x"
    Then the request is refused, naming <name>
    And the error of <name> has a message with "brackets do not pair"

    Examples:
      | name                    | why                        |
      | customParameters[note   | one that opens             |
      | customParametersnote]   | one that closes            |
      | customParameters[note]] | one that closes once more  |

  @field:E15
  Scenario: A name that is not known is ignored where its brackets pair
    When the merchant debits 92.00 EUR with noSuchParameters[note] "x"
    Then the payment succeeds
