@req:SVC-24 @needs:webhooks
Feature: Receivers
  A notification is delivered to the merchant's receiver, again and again until it is accepted.

  @req:EVT-01
  Scenario: A notification is delivered to the merchant's receiver
    Given the merchant's receiver is a webhook endpoint
    When the merchant debits 92.00 EUR
    Then the receiver gets one notification of the payment
    And the notification is decrypted with the merchant's secret
    And the received notification is of type PAYMENT and for the payment

  @req:EVT-01
  Scenario: The notification of a capture is delivered to the merchant's receiver
    Given the merchant's receiver is a webhook endpoint
    And an authorized payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the receiver gets one notification of the payment
    And the received notification is of type PAYMENT and for the payment
    And the received payload equals the response

  @needs:control @decision:D-85
  Scenario: A new webhook endpoint gets a test message
    When the merchant registers its receiver as webhook endpoint
    Then the receiver gets a test message and the endpoint is active

  @req:EVT-06 @needs:control @decision:D-86
  Scenario Outline: Notifications leave for public addresses alone
    When the merchant registers "<url>" as webhook endpoint
    Then the endpoint is <end>

    Examples:
      | url                          | end        | why                         |
      | https://93.184.216.34/hook   | registered | a public address            |
      | http://10.0.0.1/hook         | refused    | a private network           |
      | http://192.168.1.1:8080/hook | refused    | a private network           |
      | http://172.16.0.1/hook       | refused    | a private network           |
      | http://169.254.169.254/hook  | refused    | metadata of a cloud         |
      | http://0.0.0.0/hook          | refused    | no address                  |
      | http://224.0.0.1/hook        | refused    | a group                     |
      | http://[fd00::1]/hook        | refused    | a private network of IPv6   |
      | http://[fe80::1]/hook        | refused    | a link of IPv6              |
      | http://[::ffff:10.0.0.1]/h   | refused    | a private network in IPv6   |

  @req:EVT-06 @needs:control @decision:D-86 @pattern:limit
  Scenario Outline: An address of an endpoint has its longest length
    When the merchant registers an address of <length> characters as webhook endpoint
    Then the endpoint is <end>

    Examples:
      | length | end        | why         |
      | 2048   | registered | the longest |
      | 2049   | refused    | one more    |

  @req:EVT-06 @needs:control @decision:D-85
  Scenario Outline: An address without a port is that of the port of its scheme
    When the merchant registers an endpoint at "<url>", where nothing listens
    Then the endpoint is inactive

    Examples:
      | url                    | why      |
      | http://127.0.0.1/hook  | port 80  |
      | https://127.0.0.1/hook | port 443 |

  @needs:control @decision:D-85
  Scenario: An endpoint that refuses the test message is inactive
    Given the receiver answers with a client error 1 time
    When the merchant registers its receiver as webhook endpoint
    Then the endpoint is inactive

  @req:EVT-06 @needs:clock @decision:D-84
  Scenario Outline: A notification that the receiver refuses is delivered again
    Given the merchant's receiver is a webhook endpoint
    And the receiver answers <answer> 1 time
    And a debit of 92.00 EUR
    When 1 minute passes
    Then the receiver has received 2 notifications
    And all received notifications have the same event id

    Examples:
      | answer              | why                        |
      | with a server error | any server error           |
      | with a redirect     | redirects are not followed |
      | with a client error | any client error           |

  @req:EVT-06 @needs:clock
  Scenario: No notification is lost while the receiver fails
    Given the merchant's receiver is a webhook endpoint
    And the receiver answers with a server error 5 times
    And a debit of 92.00 EUR
    And a debit of 93.00 EUR
    When 1 day passes
    Then the receiver has accepted 2 notifications

  @req:EVT-06 @needs:control @needs:inbox
  Scenario: An unreachable endpoint does not delay other endpoints
    Given the merchant has a webhook endpoint at an unreachable address
    And the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR
    Then 1 notification has arrived

  @req:EVT-06
  Scenario: A slow receiver does not delay the payment
    Given the merchant's receiver is a webhook endpoint
    And the receiver takes 2 seconds to answer
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the receiver gets one notification of the payment

  @req:SVC-16 @needs:clock @needs:scripts
  Scenario: The notificationUrl of a pending payment is called when it is final
    Given the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR with the receiver as notificationUrl
    When 1 minute passes
    Then the receiver is called with id and resourcePath of the payment
