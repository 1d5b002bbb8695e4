@req:SVC-24
Feature: Webhooks
  A merchant with a webhook endpoint is notified of the events of its payments, and loses none.

  @req:EVT-01 @needs:inbox
  Scenario Outline: A payment of every type is notified
    Given the merchant has a webhook endpoint
    When the merchant <sends> 92.00 EUR
    Then 1 notification has arrived
    And the notification is of type PAYMENT
    And the notification shows paymentType "<type>"

    Examples:
      | sends      | type | why                          |
      | authorizes | PA   | an authorization             |
      | debits     | DB   | a sale                       |
      | credits    | CD   | money goes to the cardholder |

  @req:EVT-01 @needs:inbox
  Scenario: A notification has the content of the response
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR with
      | merchantTransactionId | order-4711 |
      | customer.givenName    | Jane       |
      | customer.surname      | Jones      |
      | billing.city          | Berlin     |
      | cart.items[0].name    | Book       |
    Then the notification payload equals the response

  @req:EVT-01 @req:EVT-02 @needs:inbox @decision:D-81
  Scenario Outline: Each operation on a payment is notified once, with its own amount
    Given <before>
    And the merchant has a webhook endpoint
    When <does>
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED
    And the notification shows paymentType "<type>"
    And the notification shows amount "<amount>"
    And the notification shows presentationAmount "<amount>"
    And the notification shows presentationCurrency "EUR"
    And the notification refers to the payment

    Examples:
      | before                            | does                                          | type | amount | why                        |
      | an authorized payment of 92.00 EUR | the merchant captures 30.00 EUR of it        | CP   | 30.00  | a capture in part          |
      | an authorized payment of 92.00 EUR | the merchant captures 92.00 EUR of it        | CP   | 92.00  | a whole capture            |
      | a debit of 92.00 EUR               | the merchant refunds 12.34 EUR of it         | RF   | 12.34  | a refund in part           |
      | a debit of 92.00 EUR               | the merchant refunds 92.00 EUR of it         | RF   | 92.00  | a whole refund             |
      | an authorized payment of 92.00 EUR | the merchant reverses it                     | RV   | 92.00  | a reversal of all          |
      | a debit of 92.00 EUR               | the merchant rebills 7.00 EUR on it          | RB   | 7.00   | a rebill                   |

  @req:EVT-01 @req:EVT-02 @needs:declines @needs:inbox
  Scenario: A declined capture is notified with its reason
    Given an authorized payment of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant captures 30.00 EUR of it, with the forced result 800.100.152
    Then 1 notification has arrived
    And the notification shows result.code "800.100.152"
    And the notification refers to the payment
    And the notification payload equals the response

  @req:EVT-01 @needs:inbox
  Scenario Outline: A refused operation on a payment is not notified
    Given <before>
    And the merchant has a webhook endpoint
    When <does>
    Then 0 notifications have arrived

    Examples:
      | before                             | does                                  | why                    |
      | an authorized payment of 92.00 EUR | the merchant captures 92.01 EUR of it | more than is open      |
      | an authorized payment of 92.00 EUR | the merchant refunds 1.00 EUR of it   | nothing was captured   |
      | a debit of 92.00 EUR               | the merchant captures 1.00 EUR of it  | a sale is not captured |
      | an unknown payment                 | the merchant reverses it              | it does not exist      |

  @req:EVT-01 @needs:declines @needs:inbox
  Scenario: A declined payment is notified with its reason
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the notification shows result.code "800.100.152"
    And the notification payload equals the response

  @req:EVT-01 @needs:inbox
  Scenario: A capture is notified like any payment
    Given an authorized payment of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant captures 30.00 EUR of it
    Then 1 notification has arrived
    And the notification payload equals the response

  @req:EVT-01 @req:ERR-06 @needs:inbox
  Scenario Outline: A refused payment is not notified
    Given the merchant has a webhook endpoint
    When the merchant debits <amount> EUR with card.number "<number>"
    Then 0 notifications have arrived

    Examples:
      | amount | number           | why                 |
      | 92.0   | 4200000000000000 | a violation         |
      | 92.00  | 4200000000000001 | a wrong check digit |

  @req:EVT-01 @req:RSP-03 @needs:inbox
  Scenario: A notification shows neither the card number nor its security code
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR with
      | card.number | 4012888888881881 |
      | card.cvv    | 864              |
    Then the notification does not contain "4012888888881881"
    And the notification shows no card.cvv

  @req:EVT-02 @needs:inbox @decision:D-82
  Scenario: A new payment is notified as CREATED
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR
    Then the notification is of type PAYMENT and action CREATED

  @req:EVT-02 @needs:clock @needs:inbox @needs:scripts @decision:D-82
  Scenario Outline: A pending payment is notified again when it is final
    Given the merchant has a webhook endpoint
    And the acquirer <decides> 1 payment after a minute
    And a debit of 92.00 EUR
    When 1 minute passes
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows result.code "<code>"

    Examples:
      | decides  | code        | why                   |
      | approves | 000.100.110 | the acquirer approves |
      | declines | 800.100.152 | the acquirer declines |

  @req:EVT-01 @req:EVT-02 @needs:inbox
  Scenario: A registration created by a payment is notified
    Given the merchant has a webhook endpoint for REGISTRATION events
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action CREATED
    And the notification is for the registration of the response

  @req:EVT-01 @req:EVT-02 @needs:inbox
  Scenario Outline: A registration of every kind is notified when it is made
    Given <before>
    And the merchant has a webhook endpoint for REGISTRATION events
    When <does>
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action <action>

    Examples:
      | before        | does                                 | action  | why                  |
      | a stored card | the merchant stores a card           | CREATED | a card alone         |
      | a stored card | the merchant stores a bank account   | CREATED | a bank account       |

  @req:EVT-01 @needs:inbox
  Scenario: A payment from a registration creates none and notifies of none
    Given a stored card
    And the merchant has a webhook endpoint for REGISTRATION events
    When the merchant debits 9.90 EUR from the registration
    Then 0 notifications have arrived

  @req:EVT-01 @needs:inbox
  Scenario: A registration is not notified to an endpoint for payments
    Given the merchant has a webhook endpoint for PAYMENT events
    When the merchant stores a card
    Then 0 notifications have arrived

  @req:EVT-01 @needs:inbox @decision:D-85
  Scenario: An endpoint gets events of its types only
    Given the merchant has a webhook endpoint for PAYMENT events
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then 1 notification has arrived
    And the notification is of type PAYMENT

  @req:EVT-03 @req:RSP-09 @needs:inbox
  Scenario: A notification of a capture refers to the payment
    Given an authorized payment of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant captures 30.00 EUR of it
    Then the notification refers to the payment
    And the response shows no referencedId

  @req:EVT-03 @needs:inbox
  Scenario: A notification of a refund refers to what is refunded
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    And the merchant has a webhook endpoint
    When the merchant refunds 10.00 EUR of the capture
    Then the notification refers to the capture

  @req:EVT-03 @needs:inbox
  Scenario: A notification of an initial payment has no referencedId
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR
    Then the notification shows no referencedId

  @req:EVT-03 @needs:inbox
  Scenario Outline: A notification shows the amount presented to the shopper
    Given the merchant has a webhook endpoint
    When the merchant debits <amount> <currency>
    Then the notification shows presentationAmount "<shown>"
    And the notification shows presentationCurrency "<currency>"
    And the response shows no presentationAmount

    Examples:
      | amount | currency | shown | why                   |
      | 92.00  | EUR      | 92.00 | two decimals          |
      | 92     | JPY      | 92.00 | sent without decimals |

  @req:EVT-02 @needs:inbox @decision:D-81
  Scenario: A capture does not notify the authorization again
    Given an authorized payment of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant captures 92.00 EUR of it
    Then 1 notification has arrived
    And the notification shows paymentType "CP"

  @req:EVT-03 @needs:inbox
  Scenario Outline: Amounts of every kind are shown as they were presented
    Given the merchant has a webhook endpoint
    When the merchant debits <amount> <currency>
    Then the notification shows amount "<amount>"
    And the notification shows currency "<currency>"
    And the notification shows presentationAmount "<amount>"
    And the notification shows presentationCurrency "<currency>"

    Examples:
      | amount     | currency | why                 |
      | 0.01       | EUR      | the smallest        |
      | 1234567.89 | USD      | many digits         |
      | 10.50      | GBP      | a zero at its end   |

  @req:EVT-06 @needs:clock @needs:inbox @needs:scripts
  Scenario: A lost notification is delivered again
    Given the merchant has a webhook endpoint
    And the first 3 delivery attempts are lost
    And a debit of 92.00 EUR
    When 1 day passes
    Then 1 notification has arrived

  @req:EVT-06 @needs:clock @needs:inbox @needs:scripts @decision:D-84 @pattern:limit
  Scenario Outline: A notification is delivered again after increasing intervals
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint
    And the first <lost> delivery attempts are lost
    And a debit of 92.00 EUR
    When <time> pass
    Then <count> notifications have arrived

    Examples:
      | lost | time                       | count | why                |
      | 1    | 59 seconds                 | 0     | not yet            |
      | 1    | 60 seconds                 | 1     | after 1 minute     |
      | 2    | 2 minutes and 59 seconds   | 0     | not yet            |
      | 2    | 3 minutes                  | 1     | after 2 more       |
      | 3    | 7 minutes                  | 1     | after 4 more       |
      | 4    | 15 minutes                 | 1     | after 8 more       |
      | 5    | 30 minutes                 | 1     | after 15 more      |
      | 6    | 60 minutes                 | 1     | after 30 more      |
      | 7    | 119 minutes and 59 seconds | 0     | not yet            |
      | 7    | 120 minutes                | 1     | after an hour more |
      | 8    | 25 hours and 59 minutes    | 0     | not yet            |
      | 8    | 26 hours                   | 1     | after a day more   |
      | 9    | 50 hours                   | 1     | after another day  |

  @req:EVT-06 @needs:clock @needs:inbox @needs:scripts @decision:D-84 @pattern:limit
  Scenario: A notification that is never accepted is given up after 30 days
    Given the merchant has a webhook endpoint
    And every delivery attempt is lost
    And a debit of 92.00 EUR
    When 31 days pass
    Then 0 notifications have arrived
    And the gateway has given up the delivery

  @req:EVT-06 @needs:control @needs:inbox
  Scenario Outline: Each notification is encrypted anew
    Given the merchant has a webhook endpoint in the format <format>
    And a debit of 92.00 EUR
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then 3 notifications have arrived
    And no two notifications share an initialization vector

    Examples:
      | format  | why                  |
      | hex     | the default format   |
      | wrapped | for receivers of JSON |

  @req:EVT-06 @needs:clock @needs:inbox @needs:scripts
  Scenario: Several notifications that fail together are all delivered
    Given the merchant has a webhook endpoint
    And the first 2 delivery attempts are lost
    And a debit of 92.00 EUR
    And a debit of 93.00 EUR
    And a debit of 94.00 EUR
    When 1 day passes
    Then 3 notifications have arrived
    And each notification has its own event id

  @req:EVT-06 @needs:clock @needs:inbox @needs:scripts @decision:D-85
  Scenario Outline: A notification that cannot be read is delivered again
    Given the merchant has a webhook endpoint
    And the first notification <is unreadable>
    And a debit of 92.00 EUR
    When 1 minute passes
    Then 2 notifications have arrived
    And the first notification cannot be read
    And the notification shows amount "92.00"
    And all notifications have the same event id

    Examples:
      | is unreadable                 | why                    |
      | is corrupted                  | a digit is wrong       |
      | is encrypted with another key | it cannot be decrypted |

  @req:EVT-06 @needs:inbox @needs:scripts @decision:D-84
  Scenario: A notification that is delivered twice has one event id
    Given the merchant has a webhook endpoint
    And notifications are delivered twice
    When the merchant debits 92.00 EUR
    Then 2 notifications have arrived
    And all notifications have the same event id

  @needs:clock @needs:inbox @needs:scripts
  Scenario: A tester delays notifications
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint
    And notifications are delivered five minutes late
    And a debit of 92.00 EUR
    When 4 minutes and 59 seconds pass
    Then 0 notifications have arrived

  @needs:clock @needs:inbox @needs:scripts
  Scenario: A tester reorders notifications
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint
    And the next notification is delivered after the following one
    And a debit of 92.00 EUR
    When the merchant debits 93.00 EUR
    Then 2 notifications have arrived
    And the notification shows amount "92.00"

  @req:EVT-06 @needs:control @needs:inbox @decision:D-84
  Scenario: A tester replays a notification
    Given the merchant has a webhook endpoint
    And a debit of 92.00 EUR
    When the tester replays the notification
    Then 2 notifications have arrived
    And all notifications have the same event id

  @req:AUTH-06 @needs:control @needs:inbox
  Scenario: A merchant is not notified of another merchant's payments
    Given two merchants of one sandbox
    And the merchant has a webhook endpoint for its own entity
    When the other merchant debits 92.00 EUR
    Then 0 notifications have arrived

  @req:EVT-02 @needs:control @needs:inbox
  Scenario Outline: An endpoint of every level gets the payments below it
    Given the merchant has a webhook endpoint for its <level>
    When the merchant debits 92.00 EUR
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED

    Examples:
      | level      | why          |
      | own entity | a merchant   |
      | division   | of merchants |
      | psp        | of divisions |

  @needs:control @needs:inbox @decision:D-85
  Scenario: An endpoint without an entity gets the events of every merchant
    Given two merchants of one sandbox
    And the merchant has a webhook endpoint
    When the other merchant debits 92.00 EUR
    Then 1 notification has arrived

  @req:AUTH-06 @needs:inbox @needs:other
  Scenario: A merchant is not notified of payments of another sandbox
    Given the merchant has a webhook endpoint
    When a merchant of another sandbox debits 92.00 EUR
    Then 0 notifications have arrived

  @needs:control @needs:inbox @decision:D-85
  Scenario: An endpoint may exclude customer data
    Given the merchant has a webhook endpoint without customer data
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane   |
      | customer.surname   | Jones  |
      | billing.city       | Berlin |
    Then the notification shows amount "92.00"
    And the notification shows no customer
    And the notification does not contain "Berlin"

  @needs:control @needs:inbox @decision:D-85
  Scenario Outline: A notification is encrypted unless the endpoint has the format json
    Given the merchant has a webhook endpoint in the format <format>
    When the merchant debits 92.00 EUR
    Then the notification is sent as <form>
    And the notification shows amount "92.00"

    Examples:
      | format  | form                        | why                   |
      | hex     | hex text, encrypted         | the default format    |
      | wrapped | hex text in JSON, encrypted | for receivers of JSON |
      | json    | plain JSON                  | without encryption    |
