@needs:live @pattern:place
Feature: Hosts
  There is a test host and a live host, each with its own address, tokens, limits and success code.

  @req:HOST-02
  Scenario: Every base address ends with a slash
    When the merchant is given the addresses of both hosts
    Then every address ends with a slash

  @req:HOST-01 @req:HOST-03
  Scenario: A payment succeeds on the live host
    When the merchant debits 92.00 EUR on the live host
    Then the payment succeeds
    And the response shows id as a payment id

  @req:HOST-03 @decision:D-88
  Scenario: The live host has its own success code
    When the merchant debits 92.00 EUR on the live host
    Then the response shows result.code "000.000.000"

  @req:HOST-03 @req:MODE-02 @decision:D-88
  Scenario: A payment with a test mode on the live host is sent to the simulators
    When the merchant debits 92.00 EUR on the live host with testMode "INTERNAL"
    Then the response shows result.code "000.100.110"

  @req:HOST-03 @req:ERR-01 @needs:declines
  Scenario: A payment in test mode is declined on the live host as on the test host
    When the merchant debits 92.00 EUR on the live host, with the forced result 800.100.152
    Then the payment is declined with 800.100.152

  @req:HOST-03 @req:AUTH-04
  Scenario: A token of the test host is unknown to the live host
    When the merchant debits 92.00 EUR on the live host with its token for the test host
    Then the credentials are refused as unknown

  @req:HOST-03 @req:AUTH-04
  Scenario: A token of the live host is unknown to the test host
    When the merchant debits 92.00 EUR with its token for the live host
    Then the credentials are refused as unknown

  @req:HOST-01
  Scenario: A payment of the live host is unknown to the test host
    Given a debit of 92.00 EUR on the live host
    When the merchant reads it
    Then the request is refused as not found

  @req:HOST-01
  Scenario: A payment of the test host is unknown to the live host
    Given a debit of 92.00 EUR
    When the merchant reads it on the live host
    Then the request is refused as not found

  @req:HOST-01 @req:END-08
  Scenario: A payment of the live host is captured on the live host
    Given an authorized payment of 92.00 EUR on the live host
    When the merchant captures 92.00 EUR of it on the live host
    Then the capture succeeds

  @req:HOST-01 @req:HOST-03 @req:END-08 @req:SVC-09 @req:SVC-10 @req:SVC-13 @req:SVC-22
  Scenario Outline: What begins on the live host goes on there
    Given the merchant works on the live host
    And <before>
    When <does>
    Then <outcome>

    Examples:
      | before                             | does                                               | outcome               | why                 |
      | an authorized payment of 92.00 EUR | the merchant reverses it                           | the reversal succeeds | a reversal          |
      | a debit of 92.00 EUR               | the merchant refunds 12.34 EUR of it               | the refund succeeds   | a refund            |
      | a debit of 92.00 EUR               | the merchant reads it                              | the payment succeeds  | it is read          |
      | a stored card                      | the merchant debits 9.90 EUR from the registration | the payment succeeds  | a stored card       |
      | a checkout for 92.00 EUR           | the shopper pays in the checkout by card           | the payment succeeds  | a checkout          |
      | a registration checkout            | the merchant reads the registration result of the checkout | the payment is pending | nothing was posted |

  @req:HOST-01 @req:AUTH-06 @req:SVC-09 @req:SVC-13 @req:END-08
  Scenario Outline: What was made on the test host is unknown to the live host
    Given <before>
    And the merchant works on the live host
    When <does>
    Then the request is refused like one for something unknown

    Examples:
      | before                             | does                                                  | why            |
      | an authorized payment of 92.00 EUR | the merchant captures 92.00 EUR of it                 | a capture      |
      | an authorized payment of 92.00 EUR | the merchant reverses it                              | a reversal     |
      | a debit of 92.00 EUR               | the merchant refunds 92.00 EUR of it                  | a refund       |
      | a debit of 92.00 EUR               | the merchant submits a chargeback of it               | a chargeback   |
      | a stored card                      | the merchant debits 9.90 EUR from the registration    | a stored card  |
      | a stored card                      | the merchant reads the registration                   | it is read     |
      | a stored card                      | the merchant deletes the registration                 | it is removed  |
      | a checkout for 92.00 EUR           | the shopper pays in the checkout by card              | a checkout     |
      | a checkout for 92.00 EUR           | the merchant reads the payment result of the checkout | its result     |
      | a checkout for 92.00 EUR           | the merchant changes the checkout with amount "50.00" | a change       |

  @req:EVT-01 @req:EVT-02 @req:EVT-03 @req:HOST-01 @req:SVC-24 @needs:inbox
  Scenario Outline: Every step on the live host is notified
    Given the merchant works on the live host
    And <before>
    And the merchant has a webhook endpoint for PAYMENT events
    When <does>
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED
    And the notification shows paymentType "<type>"
    And the notification shows amount "<amount>"
    And the notification refers to the payment

    Examples:
      | before                             | does                                    | type | amount | why          |
      | an authorized payment of 92.00 USD | the merchant captures 30.00 USD of it   | CP   | 30.00  | a capture    |
      | an authorized payment of 92.00 EUR | the merchant reverses it                | RV   | 92.00  | a reversal   |
      | a debit of 92.00 EUR               | the merchant refunds 12.34 EUR of it    | RF   | 12.34  | a refund     |
      | a debit of 92.00 GBP               | the merchant submits a chargeback of it | CB   | 92.00  | a chargeback |
