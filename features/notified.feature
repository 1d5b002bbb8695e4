@req:SVC-24
Feature: Every event is notified
  A merchant with a webhook endpoint is notified of all that is paid, stored, changed and removed, with
  the content of the response.

  @req:EVT-01 @req:EVT-02 @req:EVT-03 @req:SVC-01 @req:SVC-03 @req:SVC-05 @req:SVC-13 @req:MODE-02
  @req:MODE-03 @req:PAY-05 @req:PAY-08 @req:END-01 @req:END-08 @req:RSP-02 @req:RSP-04 @req:RSP-08
  @needs:inbox
  Scenario Outline: Every way to pay is notified as it is answered
    Given the merchant has a webhook endpoint for PAYMENT events
    When the merchant sends these with <kind>
      | merchantTransactionId  | order-4711 |
      | customer.givenName     | Jane       |
      | customer.surname       | Jones      |
      | billing.city           | Berlin     |
      | customParameters[note] | twice      |
    Then the notification payload equals the response
    And the notification is of type PAYMENT and action CREATED
    And the notification shows presentationAmount "92.00"
    And the notification shows presentationCurrency "EUR"

    Examples:
      | kind                          | why                    |
      | an authorization              | an authorization       |
      | a debit                       | a sale                 |
      | a credit                      | a credit               |
      | a debit at the card host      | EXTERNAL               |
      | a payment from a registration | a stored card          |
      | a wallet payment              | a wallet               |
      | a direct debit                | a bank account         |
      | a capture                     | it refers to a payment |
      | a refund                      | it refers to a payment |
      | a rebill                      | it refers to a payment |

  @req:EVT-01 @req:ASYNC-01 @req:STATE-01 @req:BANK-05 @needs:inbox @needs:brands
  Scenario Outline: Every payment that is pending is notified as it is answered
    Given the merchant has a webhook endpoint for PAYMENT events
    When the merchant <does>
    Then the payment is pending
    And the notification payload equals the response
    And the notification is of type PAYMENT and action CREATED

    Examples:
      | does                                                              | why                   |
      | debits 92.00 EUR through EPS                                      | a bank of the shopper |
      | debits 92.00 EUR through IDEAL                                    | another brand         |
      | authorizes 92.00 EUR through GIROPAY                              | an authorization      |
      | debits 92.00 EUR through PAYPAL                                   | an account elsewhere  |
      | debits 92.00 EUR through VIRTUAL_REDIRECT                         | a virtual account     |
      | sends transactionDueDate "2099-12-31" with a direct debit         | due later             |
      | sends transactionDueDate "2099-12-31" with a direct debit by SEPA | due later             |

  @req:EVT-01 @req:SVC-16 @req:STATE-01 @needs:channels @needs:inbox @decision:D-194
  Scenario Outline: A payment that awaits its shopper at the issuer is notified as it is answered
    Given a merchant whose channel requires 3-D Secure version 2
    And the merchant has a webhook endpoint for PAYMENT events
    When the shopper <pays> 92.00 EUR by the card <number> through 3-D Secure
    Then the payment is pending
    And the notification payload equals the response
    And the notification is of type PAYMENT and action CREATED

    Examples:
      | pays       | number           | why               |
      | debits     | 4200000000000018 | a challenge       |
      | authorizes | 4200000000000018 | a challenge       |
      | debits     | 4200000000000042 | a 3DS Method call |

  @req:EVT-01 @req:ERR-01 @req:ERR-03 @needs:declines @needs:inbox
  Scenario Outline: Every failure is notified as it is answered
    Given the merchant has a webhook endpoint for PAYMENT events
    When the merchant sends customParameters[forceResultCode] "800.100.155" with <kind>
    Then the notification payload equals the response
    And the notification shows result.code "800.100.155"
    And the notification is of type PAYMENT and action CREATED

    Examples:
      | kind                          | why                    |
      | an authorization              | an authorization       |
      | a credit                      | a credit               |
      | a debit at the card host      | EXTERNAL               |
      | a payment from a registration | a stored card          |
      | a direct debit                | a bank account         |
      | a capture                     | it refers to a payment |
      | a refund                      | it refers to a payment |
      | a rebill                      | it refers to a payment |

  @req:EVT-01 @req:SVC-09 @req:END-04 @needs:inbox @decision:D-16
  Scenario: A payment in a checkout is notified once, with its amount
    Given the merchant has a webhook endpoint
    And a checkout for 12.34 USD
    When the shopper pays in the checkout by card
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED
    And the notification shows amount "12.34"
    And the notification shows currency "USD"
    And the notification shows result.code "000.100.110"

  @req:EVT-01 @req:SVC-09 @req:END-03 @req:END-05 @needs:inbox
  Scenario Outline: What happens to a checkout without a payment is not notified
    Given the merchant has a webhook endpoint
    And a checkout for 92.00 EUR
    When the merchant <does>
    Then 0 notifications have arrived

    Examples:
      | does                                     | why              |
      | reads the payment result of the checkout | nothing was paid |
      | changes the checkout with amount "50.00" | nothing was paid |

  @req:EVT-01 @req:EVT-02 @req:SVC-10 @req:SVC-11 @req:SVC-12 @req:TOK-01 @needs:inbox
  Scenario Outline: Every registration is notified when it is made
    Given the merchant has a webhook endpoint for REGISTRATION events
    When the merchant sends createRegistration "true" with <kind>
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action CREATED

    Examples:
      | kind                     | why                 |
      | an authorization         | an authorization    |
      | a debit                  | a sale              |
      | a debit at the card host | EXTERNAL            |
      | a payment in a checkout  | paid by the shopper |
      | a direct debit           | a bank account      |

  @req:EVT-01 @req:EVT-02 @req:SVC-10 @req:END-06 @needs:inbox
  Scenario: A registration in a checkout is notified
    Given the merchant has a webhook endpoint for REGISTRATION events
    And a registration checkout
    When the shopper registers a card in the checkout, without the version prefix
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action CREATED

  @req:EVT-02 @req:SVC-13 @needs:inbox
  Scenario: A registration that is changed is notified as UPDATED
    Given a stored card
    And the merchant has a webhook endpoint for REGISTRATION events
    When the merchant changes the registration to
      | card.expiryMonth | 06   |
      | card.expiryYear  | 2098 |
    Then 1 notification has arrived
    And the notification is of type REGISTRATION and action UPDATED
    And the notification shows card.expiryYear "2098"

  @req:EVT-01 @req:EVT-02 @req:END-08 @req:RSP-07 @needs:inbox
  Scenario Outline: Two parts of a payment are notified with their own amounts
    Given <before>
    And <first>
    And the merchant has a webhook endpoint
    When the merchant <second>
    Then 1 notification has arrived
    And the notification shows amount "<amount>"
    And the notification shows presentationAmount "<amount>"
    And the notification shows presentationCurrency "<currency>"
    And the notification shows currency "<currency>"
    And the notification refers to the payment

    Examples:
      | before                             | first                       | second                   | amount | currency | why               |
      | an authorized payment of 92.00 USD | 30.00 USD of it is captured | captures 62.00 USD of it | 62.00  | USD      | the second part   |
      | a debit of 92.00 GBP               | 0.01 GBP of it is refunded  | refunds 91.99 GBP of it  | 91.99  | GBP      | the second part   |
      | a debit of 92.00 EUR               | a rebill of 15.00 EUR on it | rebills 7.50 EUR on it   | 7.50   | EUR      | the second rebill |

  @req:EVT-01 @req:EVT-03 @req:SVC-22 @needs:inbox
  Scenario: A chargeback reversal is notified with its own amount and reference
    Given a debit of 92.00 EUR
    And a chargeback of 50.00 EUR of it
    And the merchant has a webhook endpoint
    When the merchant submits a reversal of the chargeback
    Then 1 notification has arrived
    And the notification shows paymentType "CR"
    And the notification shows amount "50.00"
    And the notification refers to the chargeback

  @req:EVT-01 @req:EVT-02 @req:SVC-07 @needs:inbox @decision:D-30
  Scenario: A receipt is notified with the amount received
    Given a requested transfer of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant reports 30.00 EUR received for it
    Then 1 notification has arrived
    And the notification shows paymentType "RC"
    And the notification shows amount "30.00"
    And the notification refers to the payment

  @req:EVT-01 @req:EVT-02 @req:SVC-16 @req:STATE-01 @req:ASYNC-01 @needs:inbox @decision:D-137
  Scenario Outline: A redirected payment is notified again with its result
    Given the merchant has a webhook endpoint
    And a debit of 92.00 EUR through EPS
    When the shopper <does> on the redirect page
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows result.code "<code>"
    And the notification shows paymentType "DB"

    Examples:
      | does    | code        | why             |
      | pays    | 000.100.110 | a success       |
      | cancels | 100.396.101 | nothing is paid |
      | fails   | 100.396.104 | the bank fails  |

  @req:EVT-01 @req:EVT-02 @req:TDS-07 @req:STATE-01 @needs:channels @needs:inbox @decision:D-195
  Scenario Outline: A challenged payment is notified again with its result
    Given a merchant whose channel requires 3-D Secure version 2
    And the merchant has a webhook endpoint
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    When the shopper <does> at the issuer
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows result.code "<code>"
    And the notification shows threeDSecure.eci "<eci>"

    Examples:
      | does     | code        | eci | why               |
      | approves | 000.100.110 | 05  | authenticated     |
      | declines | 100.380.401 | 07  | not authenticated |

  @req:EVT-01 @req:EVT-02 @req:BANK-05 @req:SVC-06 @needs:clock @needs:control @needs:inbox
  @pattern:limit @decision:D-144
  Scenario: A direct debit is notified again on its due date
    Given the sandbox clock is frozen at "2027-03-01T12:00:00Z"
    And the merchant has a webhook endpoint
    And a direct debit of 92.00 EUR that is due on 2027-03-31
    When 30 days pass
    Then 2 notifications have arrived
    And the notification is of type PAYMENT and action UPDATED
    And the notification shows result.code "000.100.110"

  @req:EVT-01 @req:EVT-02 @req:SVC-20 @req:JOB-01 @req:JOB-03 @needs:clock @needs:control
  @needs:inbox
  Scenario: Every execution of a schedule is notified with its amount
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And the merchant has a webhook endpoint for PAYMENT events
    And a schedule of 9.90 USD with
      | job.dayOfMonth | 05 |
    When 40 days pass
    Then 2 notifications have arrived
    And the notification shows paymentType "DB"
    And the notification shows amount "9.90"
    And the notification shows presentationCurrency "USD"

  @req:EVT-01 @req:COF-02 @req:SVC-15 @needs:inbox
  Scenario: A charge without the shopper is notified with the reference of its series
    Given a series started by the shopper
    And the merchant has a webhook endpoint
    When the merchant charges 9.90 EUR of the series without the shopper
    Then 1 notification has arrived
    And the notification payload equals the response

  @req:EVT-01 @needs:clock @needs:control @needs:inbox
  Scenario Outline: A notification has its content in every format
    Given the sandbox clock is frozen
    And the merchant has a webhook endpoint in the format <format>
    When the merchant <sends>
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED
    And the notification payload equals the response

    Examples:
      | format  | sends                  | why                   |
      | hex     | authorizes 92.00 USD   | the default format    |
      | wrapped | debits 0.01 GBP        | for receivers of JSON |
      | json    | credits 1234567.89 EUR | not encrypted         |

  @req:EVT-06 @needs:clock @needs:control @needs:webhooks
  Scenario Outline: Any status of success counts as received
    Given the merchant's receiver is a webhook endpoint
    And the receiver answers <how> 1 time
    And a debit of 92.00 EUR
    When 3 days pass
    Then the receiver has received 1 notification

    Examples:
      | how                       | why                  |
      | with no content           | success, without any |
      | that it will be processed | success              |
      | that it was created       | success              |
      | with a part               | success              |
      | with a change             | success              |

  @req:EVT-01 @req:RSP-08 @req:CUSTOM-01 @req:CART-01 @req:CART-03 @req:AIR-01 @req:MERCH-02
  @req:SHIP-01 @req:GIFT-01 @req:CUST-05 @req:ADDR-02 @req:CUST-02 @needs:inbox
  Scenario: A notification has every structure of the payment
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR with
      | customer.givenName                         | Jane             |
      | customer.surname                           | Jones            |
      | customer.phone                             | +49 30 1234      |
      | billing.street1                            | Main Street      |
      | billing.houseNumber1                       | 5                |
      | shipping.city                              | Graz             |
      | shipping.method                            | GROUND           |
      | shipping.customer.email                    | ann@shop.example |
      | merchant.data[shelf]                       | 12               |
      | cart.items[0].name                         | Book             |
      | cart.items[1].name                         | Pen              |
      | cart.items[2].name                         | Ink              |
      | cart.payments[0].status                    | captured         |
      | cart.payments[1].status                    | pending          |
      | airline.passengers[0].name                 | Jane Jones       |
      | airline.passengers[1].legs[1].flightNumber | SG124            |
      | airline.passengers[1].legs[0].flightNumber | SG123            |
      | giftCard.type                              | BIRTHDAY         |
      | customParameters[one]                      | 1                |
      | customParameters[two]                      | 2                |
    Then the notification payload equals the response

  @req:EVT-01 @req:PAY-10 @needs:inbox
  Scenario: The memo of a payment is in no notification
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR with merchantMemo "ask for the blue one"
    Then 1 notification has arrived
    And the notification does not contain "ask for the blue one"

  @req:EVT-01 @req:AUTH-06 @needs:control @needs:inbox
  Scenario Outline: What another merchant does is not notified
    Given two merchants of one sandbox
    And the merchant has a webhook endpoint for its own entity
    And a debit of 92.00 EUR
    When the other merchant tries to <deed>
    Then 1 notification has arrived
    And the notification shows paymentType "DB"

    Examples:
      | deed                    | why            |
      | refund the payment      | it was refused |
      | charge back the payment | it was refused |
