Feature: Responses
  Every response has the form of a payment response and shows no card number and no security code.

  @req:RSP-01 @pattern:limit
  Scenario: A payment id has exactly 32 letters and digits
    When the merchant debits 92.00 EUR
    Then the response shows id as a payment id

  @req:RSP-01
  Scenario: Two payments have two ids
    Given a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the response has a new payment id

  @req:RSP-02
  Scenario: Two responses have two request ids
    Given a debit of 92.00 EUR
    When the merchant reads it
    Then the response has a request id of its own

  @req:RSP-03
  Scenario: A card is shown with its first six digits and its expiry
    When the merchant debits 92.00 EUR
    Then the response shows
      | card.bin         | 420000     |
      | card.holder      | Jane Jones |
      | card.expiryMonth | 12         |
      | card.expiryYear  | 2099       |

  @req:RSP-03 @decision:D-45
  Scenario: A card is shown with its last four digits
    When the merchant debits 92.00 EUR with card.number "4111111111111111"
    Then the response shows card.last4Digits "1111"

  @req:RSP-03
  Scenario Outline: Neither the card number nor its security code is ever returned
    When the merchant <sends> with
      | card.number | 4012888888881881 |
      | card.cvv    | 8642             |
    Then the response does not contain "4012888888881881"
    And the response does not contain "8642"
    And the response shows no card.number
    And the response shows no card.cvv

    Examples:
      | sends            | why         |
      | debits 92.00 EUR | a success   |
      | debits 92.0 EUR  | a violation |

  @req:RSP-03
  Scenario: A payment that is read shows no card number either
    Given a debit of 92.00 EUR
    When the merchant reads it
    Then the response does not contain "4200000000000000"
    And the response shows card.bin "420000"

  @req:RSP-04
  Scenario: The result details show the acquirer's response code
    When the merchant debits 92.00 EUR
    Then the response shows resultDetails.AcquirerResponse as some text

  @req:RSP-07 @pattern:limit
  Scenario Outline: Amounts are shown with two decimals
    When the merchant debits <amount> <currency>
    Then the response shows amount as an amount

    Examples:
      | amount | currency | why                      |
      | 92     | EUR      | no decimals              |
      | 92.00  | EUR      | two decimals             |
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
    And the response shows
      | customer.givenName    | Jane        |
      | customer.surname      | Jones       |
      | billing.street1       | Main Street |
      | billing.city          | Berlin      |
      | billing.country       | DE          |
      | shipping.city         | Hamburg     |
      | cart.items[0].name    | Book        |
      | merchantTransactionId | order-4711  |

  @req:RSP-09
  Scenario Outline: No response shows the id of the referenced payment
    Given an authorized payment of 92.00 EUR
    When the merchant <refers>
    Then the response shows no referencedId

    Examples:
      | refers                   | why        |
      | captures 92.00 EUR of it | a capture  |
      | reverses it              | a reversal |

  @req:RSP-10
  Scenario: A timestamp has a date, a time and a zone
    When the merchant debits 92.00 EUR
    Then the response shows timestamp as a timestamp

  @req:RSP-10 @needs:clock @decision:D-28
  Scenario: A timestamp is the time of the response
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    When the merchant debits 92.00 EUR
    Then the response shows timestamp "2027-03-01 12:00:00+0000"

  @req:RSP-02 @pattern:limit
  Scenario: A request id has up to 69 letters, digits and hyphens
    When the merchant debits 92.00 EUR
    Then the response shows ndc as a request id

  @req:MERCH-01 @req:RSP-08
  Scenario Outline: A payment facilitator names whom it acts for
    When the merchant <sends> with
      | merchant.submerchantId | <number>   |
      | merchant.name          | Book Stall |
      | merchant.city          | Leipzig    |
      | merchant.mcc           | 5942       |
    Then the payment succeeds
    And the response shows merchant.submerchantId "<number>"
    And the response shows merchant.name "Book Stall"
    And the response shows merchant.mcc "5942"

    Examples:
      | sends                | number       | why              |
      | debits 92.00 EUR     | book-stall-7 | a sale           |
      | authorizes 92.00 USD | 4711         | an authorization |
      | credits 7.50 GBP     | Stall 7/b    | a credit         |
