@req:SVC-24 @needs:inbox
Feature: Webhooks
  A merchant that listens is notified of what happens to its payments, and misses nothing of it.

  @req:EVT-01
  Scenario Outline: A payment of every type is notified
    Given the merchant listens
    When the merchant <sends> 92.00 EUR
    Then 1 notification has arrived
    And the notification is of type PAYMENT
    And the notification shows paymentType "<type>"

    Examples:
      | sends      | type | why                          |
      | authorises | PA   | money is reserved            |
      | debits     | DB   | money is taken at once       |
      | credits    | CD   | money goes to the cardholder |

  @req:EVT-01 @needs:clock
  Scenario: A notification carries what the answer said
    Given the clock stands still
    And the merchant listens
    When the merchant debits 92.00 EUR with
      | merchantTransactionId | order-4711  |
      | customer.givenName    | Jane        |
      | customer.surname      | Jones       |
      | billing.city          | Berlin      |
      | cart.items[0].name    | Book        |
    Then the notification carries everything the answer shows

  @req:EVT-01 @needs:declines @needs:clock
  Scenario: A declined payment is notified with its reason
    Given the clock stands still
    And the merchant listens
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the notification shows result.code "800.100.152"
    And the notification carries everything the answer shows

  @req:EVT-01 @needs:clock
  Scenario: A capture is notified like any payment
    Given the clock stands still
    And an authorised payment of 92.00 EUR
    And the merchant listens
    When the merchant captures 30.00 EUR of it
    Then 1 notification has arrived
    And the notification carries everything the answer shows

  @req:EVT-01 @req:ERR-06
  Scenario Outline: What was never a payment is notified to nobody
    Given the merchant listens
    When the merchant debits <amount> EUR with card.number "<number>"
    Then 0 notifications have arrived

    Examples:
      | amount | number           | why                 |
      | 92.0   | 4200000000000000 | a violation         |
      | 92.00  | 4200000000000001 | a wrong check digit |

  @req:EVT-01 @req:RSP-03
  Scenario: A notification shows neither the card number nor its security code
    Given the merchant listens
    When the merchant debits 92.00 EUR with
      | card.number | 4012888888881881 |
      | card.cvv    | 864              |
    Then the notification nowhere contains "4012888888881881"
    And the notification shows no card.cvv

  @req:EVT-02 @decision:D-82
  Scenario: A new payment is notified as created
    Given the merchant listens
    When the merchant debits 92.00 EUR
    Then the notification is of type PAYMENT and action CREATED

  @req:EVT-02 @needs:clock @needs:scripts @decision:D-82
  Scenario Outline: A payment that was pending is notified again when it is final
    Given the merchant listens
    And the acquirer <decides> 1 payment after a minute
    And a debit of 92.00 EUR
    When 1 minute passes
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows result.code "<code>"

    Examples:
      | decides  | code        | why                   |
      | approves | 000.100.110 | the acquirer takes    |
      | declines | 800.100.152 | the acquirer does not |

  @req:EVT-01 @req:EVT-02
  Scenario: A registration that a payment leaves is notified beside the payment
    Given the merchant listens to REGISTRATION alone
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action CREATED
    And the notification is about the registration of the answer

  @req:EVT-01 @decision:D-85
  Scenario: A merchant hears of the types it listens to alone
    Given the merchant listens to PAYMENT alone
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then 1 notification has arrived
    And the notification is of type PAYMENT

  @req:EVT-03 @req:RSP-09
  Scenario: A notification of a capture says what it refers to
    Given an authorised payment of 92.00 EUR
    And the merchant listens
    When the merchant captures 30.00 EUR of it
    Then the notification refers to it
    And the answer shows no referencedId

  @req:EVT-03
  Scenario: A notification of a first payment refers to nothing
    Given the merchant listens
    When the merchant debits 92.00 EUR
    Then the notification shows no referencedId

  @req:EVT-03
  Scenario Outline: A notification says what was presented to the shopper
    Given the merchant listens
    When the merchant debits <amount> <currency>
    Then the notification shows presentationAmount "<shown>"
    And the notification shows presentationCurrency "<currency>"
    And the answer shows no presentationAmount

    Examples:
      | amount | currency | shown | why              |
      | 92.00  | EUR      | 92.00 | two decimals     |
      | 92     | JPY      | 92.00 | none were sent   |

  @req:EVT-02 @decision:D-81
  Scenario: A payment that is captured is not notified again itself
    Given an authorised payment of 92.00 EUR
    And the merchant listens
    When the merchant captures 92.00 EUR of it
    Then 1 notification has arrived
    And the notification shows paymentType "CP"

  @req:EVT-06 @needs:clock @needs:scripts
  Scenario: A notification that is lost on its way is sent again
    Given the merchant listens
    And the first 3 attempts to deliver are lost
    And a debit of 92.00 EUR
    When 1 day passes
    Then 1 notification has arrived

  @req:EVT-06 @needs:clock @needs:scripts @decision:D-84
  Scenario Outline: A notification is sent again after ever longer times
    Given the clock stands still
    And the merchant listens
    And the first <lost> attempts to deliver are lost
    And a debit of 92.00 EUR
    When <time> pass
    Then <count> notifications have arrived

    Examples:
      | lost | time                      | count | why                  |
      | 1    | 59 seconds                | 0     | not yet              |
      | 1    | 60 seconds                | 1     | after 1 minute       |
      | 2    | 2 minutes and 59 seconds  | 0     | not yet              |
      | 2    | 3 minutes                 | 1     | after 2 more         |
      | 3    | 7 minutes                 | 1     | after 4 more         |
      | 4    | 15 minutes                | 1     | after 8 more         |
      | 5    | 30 minutes                | 1     | after 15 more        |
      | 6    | 60 minutes                | 1     | after 30 more        |
      | 7    | 119 minutes and 59 seconds | 0    | not yet              |
      | 7    | 120 minutes               | 1     | after an hour more   |
      | 8    | 25 hours and 59 minutes   | 0     | not yet              |
      | 8    | 26 hours                  | 1     | after a day more     |
      | 9    | 50 hours                  | 1     | after another day    |

  @req:EVT-06 @needs:clock @needs:scripts @decision:D-84
  Scenario: A notification that nobody takes is given up after 30 days
    Given the merchant listens
    And every attempt to deliver is lost
    And a debit of 92.00 EUR
    When 31 days pass
    Then 0 notifications have arrived
    And the gateway has given the notification up

  @req:EVT-06 @needs:clock @needs:scripts
  Scenario: Nothing is lost of several notifications that fail together
    Given the merchant listens
    And the first 2 attempts to deliver are lost
    And a debit of 92.00 EUR
    And a debit of 93.00 EUR
    And a debit of 94.00 EUR
    When 1 day passes
    Then 3 notifications have arrived
    And each notification has an identity of its own

  @req:EVT-06 @needs:clock @needs:scripts @decision:D-85
  Scenario Outline: A notification that cannot be read is sent again
    Given the merchant listens
    And the first notification <is spoiled>
    And a debit of 92.00 EUR
    When 1 minute passes
    Then 2 notifications have arrived
    And the first of them cannot be read
    And the notification shows amount "92.00"
    And all notifications have one identity

    Examples:
      | is spoiled                     | why                |
      | is damaged                     | a digit is wrong   |
      | is encrypted with another key  | nobody can open it |

  @req:EVT-06 @needs:scripts @decision:D-84
  Scenario: A notification that comes twice has one identity
    Given the merchant listens
    And notifications come twice
    When the merchant debits 92.00 EUR
    Then 2 notifications have arrived
    And all notifications have one identity

  @needs:clock @needs:scripts
  Scenario: A tester lets notifications come late
    Given the clock stands still
    And the merchant listens
    And notifications come five minutes late
    And a debit of 92.00 EUR
    When 4 minutes and 59 seconds pass
    Then 0 notifications have arrived

  @needs:scripts @needs:clock
  Scenario: A tester lets notifications come in the wrong order
    Given the clock stands still
    And the merchant listens
    And the next notification waits for the one after it
    And a debit of 92.00 EUR
    When the merchant debits 93.00 EUR
    Then 2 notifications have arrived
    And the notification shows amount "92.00"

  @req:EVT-06 @decision:D-84
  Scenario: A notification is sent again when the tester asks for it
    Given the merchant listens
    And a debit of 92.00 EUR
    When the tester sends the notification again
    Then 2 notifications have arrived
    And all notifications have one identity

  @req:AUTH-06 @needs:control
  Scenario: A merchant hears nothing of another
    Given a merchant with a neighbour
    And the merchant listens to its own payments
    When the neighbour debits 92.00 EUR
    Then 0 notifications have arrived

  @decision:D-85 @needs:control
  Scenario: Who listens for the whole house hears of every merchant
    Given a merchant with a neighbour
    And the merchant listens
    When the neighbour debits 92.00 EUR
    Then 1 notification has arrived

  @req:AUTH-06 @needs:control
  Scenario: A merchant hears nothing of another sandbox
    Given the merchant listens
    When a stranger debits 92.00 EUR
    Then 0 notifications have arrived

  @decision:D-85
  Scenario: A merchant may listen without hearing who its customers are
    Given the merchant listens to nothing of its customers
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane   |
      | customer.surname   | Jones  |
      | billing.city       | Berlin |
    Then the notification shows amount "92.00"
    And the notification shows no customer
    And the notification nowhere contains "Berlin"

  @decision:D-85
  Scenario Outline: A notification travels encrypted unless the merchant wants it plain
    Given the merchant listens by <format>
    When the merchant debits 92.00 EUR
    Then the notification travels as <form>
    And the notification shows amount "92.00"

    Examples:
      | format  | form                        | why                        |
      | hex     | hex text, encrypted         | what a receiver gets first |
      | wrapped | hex text in JSON, encrypted | for receivers of JSON      |
      | json    | plain JSON                  | for who looks on           |
