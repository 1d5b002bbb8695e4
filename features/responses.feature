Feature: Responses
  Every answer has the shape of a payment response, shows what the merchant needs and no secret.

  @req:RSP-01
  Scenario: A payment id has exactly 32 letters and digits
    When the merchant debits 92.00 EUR
    Then the answer shows id as a payment id

  @req:RSP-01
  Scenario: Two payments have two ids
    Given a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the answer is not about it

  @req:RSP-02
  Scenario: Two answers have two request ids
    Given a debit of 92.00 EUR
    When the merchant reads it
    Then the answer has a request id of its own

  @req:RSP-03
  Scenario: A card is shown by its first six digits and its expiry
    When the merchant debits 92.00 EUR
    Then the answer shows
      | card.bin         | 420000     |
      | card.holder      | Jane Jones |
      | card.expiryMonth | 12         |
      | card.expiryYear  | 2099       |

  @req:RSP-03 @decision:D-45
  Scenario: A card is shown by its last four digits as well
    When the merchant debits 92.00 EUR with card.number "4111111111111111"
    Then the answer shows card.last4Digits "1111"

  @req:RSP-03
  Scenario Outline: Neither the card number nor its security code is ever returned
    When the merchant <sends> with
      | card.number | 4012888888881881 |
      | card.cvv    | 8642             |
    Then the answer nowhere contains "4012888888881881"
    And the answer nowhere contains "8642"
    And the answer shows no card.number
    And the answer shows no card.cvv

    Examples:
      | sends              | why         |
      | debits 92.00 EUR   | a success   |
      | debits 92.0 EUR    | a violation |

  @req:RSP-03
  Scenario: A payment that is read shows no card number either
    Given a debit of 92.00 EUR
    When the merchant reads it
    Then the answer nowhere contains "4200000000000000"
    And the answer shows card.bin "420000"

  @req:RSP-04 @decision:D-64
  Scenario: The acquirer's own code is among the details
    When the merchant debits 92.00 EUR
    Then the answer shows resultDetails.AcquirerResponse as some text

  @req:RSP-07
  Scenario Outline: Amounts are shown with two decimals
    When the merchant debits <amount> <currency>
    Then the answer shows amount as an amount

    Examples:
      | amount | currency | why                      |
      | 92     | EUR      | none sent                |
      | 92.00  | EUR      | two sent                 |
      | 92     | JPY      | a currency that has none |

  @req:RSP-08
  Scenario: Structures of the request are echoed
    When the merchant debits 92.00 EUR with
      | customer.givenName    | Jane        |
      | customer.surname      | Jones       |
      | billing.street1       | Main Street |
      | billing.city          | Berlin      |
      | billing.country       | DE          |
      | shipping.city         | Hamburg     |
      | cart.items[0].name    | Book        |
      | merchantTransactionId | order-4711  |
    Then the payment succeeds
    And the answer shows
      | customer.givenName    | Jane        |
      | customer.surname      | Jones       |
      | billing.street1       | Main Street |
      | billing.city          | Berlin      |
      | billing.country       | DE          |
      | shipping.city         | Hamburg     |
      | cart.items[0].name    | Book        |
      | merchantTransactionId | order-4711  |

  @req:RSP-09
  Scenario Outline: The id of the earlier payment appears in no answer
    Given an authorised payment of 92.00 EUR
    When the merchant <refers>
    Then the answer shows no referencedId

    Examples:
      | refers                   | why        |
      | captures 92.00 EUR of it | a capture  |
      | reverses it              | a reversal |

  @req:RSP-10
  Scenario: A timestamp has a date, a time and a zone
    When the merchant debits 92.00 EUR
    Then the answer shows timestamp as a timestamp

  @req:RSP-10 @needs:clock @decision:D-28
  Scenario: A timestamp tells when the answer was made
    Given the clock stands at "2027-03-01T12:00:00Z"
    When the merchant debits 92.00 EUR
    Then the answer shows timestamp "2027-03-01 12:00:00+0000"

  @req:RSP-02
  Scenario: A request id has up to 69 letters, digits and hyphens
    When the merchant debits 92.00 EUR
    Then the answer shows ndc as a request id
