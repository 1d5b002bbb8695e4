Feature: Errors
  A refusal says what was expected and what came, and gives nothing away.

  @req:ERR-06
  Scenario: Every wrong parameter is named
    When the merchant debits 92.0 eur with
      | card.expiryMonth | 13 |
      | billing.country  | de |
      | customer.sex     | X  |
    Then the request is refused, naming amount, currency, card.expiryMonth, billing.country, customer.sex

  @req:ERR-06
  Scenario: What is missing is named beside what is wrong
    When the merchant debits 92.0 EUR without card.number
    Then the request is refused, naming amount, card.number

  @req:ERR-06
  Scenario Outline: The value of a secret is never repeated
    When the merchant debits 92.00 EUR with <secret> "<value>"
    Then the request is refused, naming <secret>
    And the answer nowhere contains "<value>"

    Examples:
      | secret      | value                 | why             |
      | card.number | 42000000000000001234X | a number too long |
      | card.cvv    | 98765                 | a code too long |

  @req:ERR-06
  Scenario: A number that fails its check digit is not repeated
    When the merchant debits 92.00 EUR with card.number "4200000000000001"
    Then the payment is refused
    And the answer nowhere contains "4200000000000001"

  @req:ERR-06
  Scenario: A wrong parameter is named with the value that came
    When the merchant debits 92.0 EUR
    Then the request is refused, naming amount
    And amount is explained with the value "92.0"

  @req:ERR-06
  Scenario: A missing parameter is named without a value
    When the merchant debits 92.00 EUR without currency
    Then the request is refused, naming currency
    And currency is explained without a value

  @req:ERR-06 @decision:D-02
  Scenario Outline: A parameter nobody knows is refused with the nearest that is known
    When the merchant debits 92.00 EUR with <unknown> "Jane"
    Then the request is refused, naming <unknown>
    And <unknown> is explained by "<known>"

    Examples:
      | unknown            | known              | why                       |
      | customer.givenname | customer.givenName | names are case-sensitive  |
      | biling.city        | billing.city       | a letter is missing       |
      | card.holdr         | card.holder        | a letter is missing       |

  @req:ERR-06
  Scenario: A refused request stores nothing
    When the merchant debits 92.0 EUR
    Then the request is refused, naming amount
    And the answer shows no id

  @req:ERR-01 @req:RSP-01 @needs:declines
  Scenario: A declined payment is a payment with an id of its own
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the payment is declined with 800.100.152
    And the answer shows id as a payment id

  @req:ERR-01 @needs:declines @decision:D-17
  Scenario Outline: A declined payment shows its brand and no amount
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the answer shows paymentBrand "VISA"
    And the answer shows no <member>

    Examples:
      | member     | why               |
      | amount     | nothing was paid  |
      | currency   | nothing was paid  |
      | descriptor | nothing was paid  |

  @req:ERR-03 @req:RSP-02
  Scenario Outline: Every answer carries the same four things
    When <something happens>
    Then the answer shows result.code as a result code
    And the answer shows buildNumber as some text
    And the answer shows timestamp as a timestamp
    And the answer shows ndc as a request id

    Examples:
      | something happens                                                    | why                 |
      | the merchant debits 92.00 EUR                                        | a success           |
      | the merchant debits 92.0 EUR                                         | a violation         |
      | the merchant debits 92.00 EUR with card.number "4200000000000001"    | a wrong check digit |
      | the merchant debits 92.00 EUR without any credentials                | no credentials      |
      | the merchant debits 92.00 EUR with the token "bm9ib2R5fG5vdGhpbmc="  | a wrong token       |
      | the merchant asks for something that does not exist                  | a mistyped address  |
      | the merchant reads a payment that nobody made                        | an unknown payment  |
      | the merchant captures a payment that nobody made                     | an unknown reference |

  @req:ERR-03 @req:RSP-02 @needs:declines
  Scenario: A decline carries the same four things
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the answer shows result.code as a result code
    And the answer shows buildNumber as some text
    And the answer shows timestamp as a timestamp
    And the answer shows ndc as a request id

  @req:END-09
  Scenario: What does not exist is not found
    When the merchant asks for something that does not exist
    Then it is not found

  @req:ERR-01 @req:AUTH-03 @decision:D-59
  Scenario: Unreadable credentials are told before wrong parameters
    When the merchant debits 92.0 EUR without any credentials
    Then the credentials are refused as unreadable

  @req:ERR-01 @req:AUTH-04 @decision:D-59
  Scenario: An unknown token is told before wrong parameters
    When the merchant debits 92.0 EUR with the token "bm9ib2R5fG5vdGhpbmc="
    Then the credentials are refused as unknown

  @req:ERR-01 @req:AUTH-04 @decision:D-59
  Scenario: An unknown entity is told before wrong parameters
    When the merchant debits 92.0 EUR naming the entity "8ac7a4c7000000000000000000000000"
    Then the credentials are refused as unknown

  @req:ERR-01 @req:END-08 @decision:D-59
  Scenario: Wrong parameters are told before a payment that nobody made
    Given a payment that nobody made
    When the merchant captures 92.0 EUR of it
    Then the request is refused, naming amount

  @req:ERR-01 @req:END-08 @decision:D-59 @decision:D-46 @decision:D-60
  Scenario: A forbidden capture is told before what the acquirer would say
    Given an authorised payment of 92.00 EUR
    When the merchant captures 92.01 EUR of it, forcing 800.100.152
    Then the capture is refused with 700.400.100
