@req:SVC-24
Feature: Deliveries
  Whom a notification is sent to, what it shows of every change, and how long it is tried.

  @req:EVT-02 @needs:control @needs:inbox
  Scenario Outline: An endpoint of every level gets payments and registrations below it
    Given the merchant has a webhook endpoint for its <level>
    When the merchant <does>
    Then 1 notification has arrived
    And the notification is of type <type> and action CREATED

    Examples:
      | level      | does             | type         | why            |
      | channel    | debits 92.00 EUR | PAYMENT      | of one channel |
      | channel    | stores a card    | REGISTRATION | of one channel |
      | own entity | stores a card    | REGISTRATION | a merchant     |
      | division   | stores a card    | REGISTRATION | of merchants   |
      | psp        | stores a card    | REGISTRATION | of divisions   |

  @req:EVT-02 @req:AUTH-06 @needs:control @needs:inbox
  Scenario: An endpoint of a channel gets nothing of another channel
    Given a merchant with the channels web and shop
    And the merchant has a webhook endpoint for its channel
    When the merchant debits 92.00 EUR on the channel shop
    Then 0 notifications have arrived

  @req:EVT-01 @req:SVC-10 @req:SVC-11 @req:TOK-01 @needs:inbox
  Scenario Outline: A registration is notified as it is answered
    Given the merchant has a webhook endpoint for REGISTRATION events
    When the merchant sends these with <kind>
      | customer.givenName     | Jane   |
      | customer.surname       | Jones  |
      | billing.city           | Berlin |
      | customParameters[note] | twice  |
    Then 1 notification has arrived
    And the notification payload equals the response

    Examples:
      | kind                             | why              |
      | a registration                   | a card           |
      | a registration of a bank account | a direct debit's |

  @req:EVT-01 @req:SVC-12 @req:TOK-01 @needs:inbox
  Scenario Outline: A registration made by a payment is notified with its account and its result
    Given the merchant has a webhook endpoint for REGISTRATION events
    When the merchant sends these with <kind>
      | createRegistration | true  |
      | customer.givenName | Jane  |
      | customer.surname   | Jones |
    Then 1 notification has arrived
    And the notification is for the registration of the response
    And the notification shows <path> "<value>"
    And the notification shows customer.surname "Jones"
    And the notification shows the result of the response

    Examples:
      | kind                     | path             | value                  | why            |
      | an authorization         | card.last4Digits | 0000                   | a card         |
      | a debit                  | card.expiryYear  | 2099                   | a card         |
      | a debit at the card host | card.bin         | 420000                 | EXTERNAL       |
      | a payment in a checkout  | card.holder      | Jane Jones             | of the shopper |
      | a direct debit           | bankAccount.iban | DE89370400440532013000 | a bank account |

  @req:EVT-01 @req:EVT-02 @req:SVC-13 @needs:inbox
  Scenario: A registration that is removed is notified without its account
    Given a stored card
    And the merchant has a webhook endpoint for REGISTRATION events
    When the merchant deletes the registration
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action DELETED
    And the notification has the id of the registration
    And the notification shows no card
    And the notification does not contain "Jane Jones"

  @req:EVT-01 @req:EVT-03 @req:SVC-22 @needs:inbox
  Scenario Outline: What the back office books is notified with its amount and currency
    Given <before>
    And the merchant has a webhook endpoint
    When the merchant submits <deed>
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED
    And the notification shows paymentType "<type>"
    And the notification shows amount "<amount>"
    And the notification shows presentationAmount "<amount>"
    And the notification shows presentationCurrency "<currency>"

    Examples:
      | before               | deed                            | type | amount | currency | why               |
      | a debit of 92.00 USD | a chargeback of 30.00 USD of it | CB   | 30.00  | USD      | a part            |
      | a debit of 92.00 GBP | a chargeback of it              | CB   | 92.00  | GBP      | all of it         |

  @req:EVT-01 @req:EVT-03 @req:SVC-07 @needs:inbox @decision:D-30
  Scenario: A receipt is notified with what was received
    Given a requested transfer of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant reports 30.00 EUR received for it
    Then the notification shows presentationAmount "30.00"
    And the notification shows presentationCurrency "EUR"

  @req:EVT-01 @req:HOST-01 @req:HOST-03 @needs:inbox @needs:live
  Scenario: A payment of the live host is notified
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR on the live host
    Then 1 notification has arrived
    And the notification payload equals the response

  @req:EVT-02 @req:END-08 @needs:clock @needs:inbox @needs:scripts
  Scenario Outline: A later step of a payment that was pending is notified again
    Given <before>
    And the merchant has a webhook endpoint
    And the acquirer <decides> 1 payment after a minute
    And <part>
    When 1 minute passes
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows paymentType "<type>"
    And the notification shows result.code "<code>"
    And the notification refers to the payment

    Examples:
      | before                             | decides  | part                        | type | code        | why                 |
      | an authorized payment of 92.00 EUR | approves | 30.00 EUR of it is captured | CP   | 000.100.110 | a capture           |
      | a debit of 92.00 EUR               | approves | 30.00 EUR of it is refunded | RF   | 000.100.110 | a refund            |
      | an authorized payment of 92.00 EUR | declines | 30.00 EUR of it is captured | CP   | 800.100.152 | it fails in the end |

  @req:EVT-02 @req:STATE-01 @req:SVC-16 @needs:clock @needs:inbox @decision:D-47 @pattern:limit
  Scenario: A redirected payment that expires is notified with its end
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint
    And a debit of 92.00 EUR through EPS
    When 30 minutes pass
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows result.code "100.396.103"

  @req:EVT-02 @req:STATE-01 @req:MODE-03 @req:MODE-04 @needs:clock @needs:inbox @needs:scripts
  @decision:D-47 @pattern:limit
  Scenario Outline: A payment that the acquirer never decides expires, and is notified
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint
    And the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR with testMode "<mode>"
    When <span> pass
    Then <count> notifications have arrived
    And the notification shows result.code "<code>"

    Examples:
      | mode     | span                      | count | code        | why             |
      | INTERNAL | 29 minutes and 59 seconds | 1     | 000.200.000 | the last second |
      | INTERNAL | 30 minutes                | 2     | 100.396.103 | it expired      |
      | EXTERNAL | 29 minutes and 59 seconds | 1     | 000.200.000 | the last second |
      | EXTERNAL | 30 minutes                | 2     | 100.396.103 | it expired      |

  @req:SVC-16 @req:STATE-01 @needs:clock @needs:webhooks @decision:D-47 @pattern:limit
  Scenario: The notificationUrl of a redirected payment is called when it expires
    Given the sandbox clock is frozen
    And a debit of 92.00 EUR through EPS with the receiver as notificationUrl
    When 30 minutes pass
    Then the receiver is called with id and resourcePath of the payment

  @req:SVC-16 @needs:clock @needs:webhooks @needs:scripts
  Scenario: The notificationUrl of a pending payment is called when it fails
    Given the acquirer declines 1 payment after a minute
    And a debit of 92.00 EUR with the receiver as notificationUrl
    When 1 minute passes
    Then the receiver is called with id and resourcePath of the payment

  @req:SVC-16 @needs:webhooks @needs:inbox @needs:control @decision:D-138
  Scenario: The notificationUrl of a payment that is final at once is not called
    Given the merchant has a webhook endpoint
    And a debit of 92.00 EUR with the receiver as notificationUrl
    When the merchant reads it
    Then the receiver has received 0 notifications
    And 1 notification has arrived

  @req:SVC-16 @req:SVC-09 @needs:webhooks @needs:clock @needs:scripts @decision:D-138
  Scenario Outline: The notificationUrl of a checkout is called once its payment is final
    Given the acquirer <decides> 1 payment after a minute
    And a checkout for 92.00 EUR with the receiver as notificationUrl
    And the shopper has paid in the checkout by card
    When 1 minute passes
    Then the receiver is called to read the payment of the checkout

    Examples:
      | decides  | why       |
      | approves | it is paid |
      | declines | it fails  |

  @req:SVC-16 @req:SVC-09 @needs:webhooks @needs:clock @needs:scripts @decision:D-138
  Scenario Outline: What the notificationUrl of a checkout is called with leads to its payment
    Given the acquirer <decides> 1 payment after a minute
    And a checkout for 92.00 EUR with the receiver as notificationUrl
    And the shopper has paid in the checkout by card
    And 1 minute passes
    When the merchant reads what the receiver is called to read
    Then the response has the id of the payment

    Examples:
      | decides  | why        |
      | approves | it is paid |
      | declines | it fails   |

  @req:SVC-16 @req:BANK-05 @needs:webhooks @needs:clock @decision:D-138 @pattern:limit
  Scenario Outline: What is final after the checkout is over is read by the path of the payment
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    And a checkout for 92.00 EUR with the receiver as notificationUrl
    And <paid>
    And <span> pass
    When the merchant reads what the receiver is called to read
    Then the response has the id of the payment
    And the response shows result.code "<code>"

    Examples:
      | paid                                                                         | span       | code        | why             |
      | the shopper has paid in the checkout by direct debit, due on 2027-03-31     | 30 days    | 000.100.110 | it is collected |
      | the shopper is sent to EPS in the checkout                                   | 30 minutes | 100.396.103 | both are over   |

  @req:EVT-04 @req:LIM-03 @needs:clock @needs:webhooks @pattern:limit
  Scenario Outline: A checkout is called back for however its payment stands, unread
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And <stands>
    When 29 minutes pass
    Then the receiver is called to read the payment of the checkout

    Examples:
      | stands                                              | why                       |
      | the shopper's payment in the checkout was declined  | it failed                 |
      | the shopper is redirected to EPS in the checkout, and back to the receiver | he is on his way |

  @req:EVT-04 @needs:clock @needs:webhooks @needs:scripts
  Scenario: A result that was read while it was pending is called back once it is there
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment after a minute
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper has paid in the checkout by card
    And the merchant has read the payment result of the checkout
    When 29 minutes pass
    Then the receiver is called to read the payment of the checkout

  @req:EVT-04 @req:EVT-06 @needs:clock @needs:webhooks @decision:D-132 @pattern:limit
  Scenario Outline: The call of an unread checkout is repeated until the checkout is over
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper has paid in the checkout by card
    And the receiver answers with a server error <times> times
    And 29 minutes pass
    When <span> pass
    Then the receiver has received <count> notifications

    Examples:
      | times | span       | count | why                 |
      | 1     | 14 seconds | 1     | not yet             |
      | 1     | 15 seconds | 2     | a quarter later     |
      | 9     | 59 seconds | 4     | every quarter       |
      | 9     | 2 days     | 4     | no more once it ended |

  @req:EVT-04 @req:EVT-06 @needs:clock @needs:webhooks @decision:D-132
  Scenario: The call of a checkout is not repeated once the merchant has read it
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper has paid in the checkout by card
    And the receiver answers with a server error 9 times
    And 29 minutes pass
    And the merchant has read the payment result of the checkout
    When 45 seconds pass
    Then the receiver has received 1 notifications

  @req:EVT-06 @needs:clock @needs:inbox @needs:scripts @decision:D-84 @pattern:limit
  Scenario Outline: A notification is tried for thirty days, and its last try counts
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint
    And the first <lost> delivery attempts are lost
    And a debit of 92.00 EUR
    When 40 days pass
    Then <count> notifications have arrived

    Examples:
      | lost | count | why                                      |
      | 36   | 1     | the last is after 29 days and some hours |
      | 37   | 0     | one more would be after 30 days          |

  @req:EVT-06 @needs:control @needs:inbox @decision:D-85
  Scenario Outline: An endpoint without customer data gets nothing personal of any structure
    Given the merchant has a webhook endpoint without customer data
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane      |
      | customer.surname   | Jones     |
      | <name>             | Quinctius |
    Then 1 notification has arrived
    And the notification shows amount "92.00"
    And the notification does not contain "Quinctius"

    Examples:
      | name                              | why                      |
      | card.holder                       | of the card              |
      | customer.companyName              | of the shopper           |
      | billing.street1                   | where he lives           |
      | shipping.city                     | where it goes            |
      | shipping.customer.surname         | who gets it              |
      | corporate.name                    | a company                |
      | airline.passengers[0].name        | a passenger              |
      | cart.items[0].recipient.lastName  | who gets an item         |
      | giftCard.message                  | what he says             |

  @req:EVT-06 @needs:clock @needs:webhooks
  Scenario Outline: Every try of a notification is encrypted anew
    Given the merchant's receiver is a webhook endpoint
    And the receiver answers <how> 3 times
    And a debit of 92.00 EUR
    When 1 day passes
    Then the receiver has received 4 notifications
    And all received notifications have the same event id
    And all received notifications have an initialization vector of their own

    Examples:
      | how                 | why             |
      | with a server error | it failed there |
      | with a client error | it was refused  |

  @req:EVT-06 @needs:control @needs:clock @needs:webhooks @decision:D-85
  Scenario: An endpoint that was removed is not tried again
    Given the merchant's receiver is a webhook endpoint
    And the receiver answers with a server error 3 times
    And a debit of 92.00 EUR
    And the endpoints of the merchant are removed
    When 1 day passes
    Then the receiver has received 1 notification
