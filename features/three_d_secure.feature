Feature: 3-D Secure
  Where a channel requires it, the issuer authenticates the shopper before the payment is sent to the
  acquirer.

  @req:TDS-07 @needs:control @decision:D-193
  Scenario Outline: A payment without a challenge is final at once
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number>
    Then the payment succeeds
    And the response shows threeDSecure.flow "frictionless"
    And the response shows threeDSecure.authenticationStatus "<status>"
    And the response shows threeDSecure.eci "<eci>"
    And the acquirer received threeDSecure.verificationId

    Examples:
      | number           | status | eci | why           |
      | 4200000000000026 | Y      | 05  | authenticated |
      | 4200000000000059 | A      | 06  | attempted     |

  @req:TDS-07 @needs:control @decision:D-193
  Scenario Outline: Each scheme has its own indicators of an authentication
    Given a merchant whose channel requires 3-D Secure of every scheme
    When the shopper pays 92.00 EUR by the <brand> card <number>
    Then the payment succeeds
    And the response shows threeDSecure.flow "frictionless"
    And the response shows threeDSecure.authenticationStatus "<status>"
    And the response shows threeDSecure.eci "<eci>"
    And the acquirer received threeDSecure.eci

    Examples:
      | brand    | number              | status | eci | why                          |
      | MASTER   | 5200000000000056    | Y      | 02  | authenticated                |
      | MASTER   | 5200000000000106    | A      | 01  | attempted                    |
      | AMEX     | 375987000000062     | Y      | 05  | authenticated                |
      | AMEX     | 373953192351004     | A      | 06  | attempted                    |
      | DISCOVER | 6011010000000003    | Y      | 05  | authenticated                |
      | DISCOVER | 6011000990099818    | A      | 06  | attempted                    |
      | MAESTRO  | 6799851000000032    | Y      | 02  | authenticated                |

  @req:TDS-07 @needs:control @decision:D-195
  Scenario Outline: No scheme's card is charged that its issuer does not authenticate
    Given a merchant whose channel requires 3-D Secure of every scheme
    When the shopper pays 92.00 EUR by the <brand> card <number>
    Then the payment is declined with <code>
    And the acquirer received no request

    Examples:
      | brand    | number           | code        | why                           |
      | VISA     | 4012001037141112 | 100.390.109 | it is not enrolled            |
      | MASTER   | 5434580000000006 | 100.390.112 | a technical error             |
      | MASTER   | 5457350076543210 | 100.390.109 | it is not enrolled            |
      | AMEX     | 343923092050144  | 100.390.109 | the card does not participate |
      | MAESTRO  | 6761301000941201 | 100.390.112 | a technical error             |
      | DISCOVER | 6510000000001248 | 100.390.112 | a technical error             |

  @req:TDS-07 @needs:channels @decision:D-195
  Scenario Outline: A card that its issuer does not authenticate is declined
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number>
    Then the payment is declined with <code>
    And the response shows no redirect

    Examples:
      | number           | code        | why                           |
      | 4012001037461114 | 100.390.112 | a technical error             |
      | 4012001037141112 | 100.390.109 | it is not enrolled            |
      | 4532497088771651 | 100.390.109 | the card does not participate |
      | 4200000000000000 | 100.390.109 | not a test card               |

  @req:TDS-07 @needs:channels @decision:D-194
  Scenario Outline: A card whose issuer requires a challenge leaves the payment pending
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number>
    Then the payment is pending
    And the response redirects the shopper to the issuer

    Examples:
      | number           | why                       |
      | 4200000000000018 | a challenge               |
      | 4200000000000042 | a 3DS Method call         |
      | 4200000000000091 | a 3DS Method call         |
      | 4711100000000000 | a card of version 1       |
      | 4012888888881881 | another card of version 1 |

  @req:TDS-07 @req:ASYNC-01 @needs:channels
  Scenario: A challenge requires a shopperResultUrl
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000018 without shopperResultUrl
    Then the request is refused, naming shopperResultUrl
    And the error of shopperResultUrl has a message with "must be present so the shopper's browser can be redirected back to you"

  @req:TDS-07 @needs:channels @decision:D-194
  Scenario Outline: The result of the challenge decides the payment
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response shows threeDSecure.authenticationStatus "<status>"
    And the response shows no redirect

    Examples:
      | does     | code        | status | why                 |
      | approves | 000.100.110 | Y      | authenticated       |
      | declines | 100.380.401 | N      | not authenticated   |
      | cancels  | 100.390.124 | N      | the shopper cancels |

  @req:TDS-07 @needs:channels @decision:D-194
  Scenario Outline: A challenge decides the payment by a card of any scheme
    Given a merchant whose channel requires 3-D Secure of every scheme
    And a 3-D Secure debit of 92.00 EUR by the <brand> card <number>
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response shows threeDSecure.eci "<eci>"
    And the response shows threeDSecure.flow "challenge"

    Examples:
      | brand  | number           | does     | code        | eci | why               |
      | VISA   | 4200000000000018 | approves | 000.100.110 | 05  | authenticated     |
      | MASTER | 5200000000000064 | approves | 000.100.110 | 02  | authenticated     |
      | AMEX   | 375987000169867  | approves | 000.100.110 | 05  | authenticated     |
      | VISA   | 4200000000000018 | declines | 100.380.401 | 07  | not authenticated |

  @req:TDS-08 @needs:channels @decision:D-675
  Scenario: An answer shows no indicator that no request may send
    Given a merchant whose channel requires 3-D Secure of every scheme
    And a 3-D Secure debit of 92.00 EUR by the MASTER card 5200000000000064
    And the shopper declines at the issuer
    When the merchant reads it
    Then the response shows result.code "100.380.401"
    And the response shows threeDSecure.authenticationStatus "N"
    And the response shows threeDSecure.enrollmentStatus "Y"
    And the response shows no threeDSecure.eci

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: The issuer receives the amount and the currency of the payment
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays <amount> <currency> by the VISA card 4200000000000026
    Then the payment succeeds
    And the issuer received the amount <minor>
    And the issuer received <numeric> as purchaseCurrency
    And the issuer received <exponent> as purchaseExponent

    Examples:
      | amount  | currency | minor  | numeric | exponent | why                |
      | 0.01    | EUR      | 1      | 978     | 2        | the smallest       |
      | 1234.56 | USD      | 123456 | 840     | 2        | another currency   |
      | 92      | JPY      | 92     | 392     | 0        | it has no decimals |

  @req:TDS-07 @needs:channels @decision:D-202 @pattern:limit
  Scenario Outline: The code that the shopper enters decides the challenge, in three attempts
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper enters <codes> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | codes                                                    | code        | why                     |
      | the right code                                           | 000.100.110 | at once                 |
      | a wrong code, the right code                             | 000.100.110 | the second attempt      |
      | a wrong code, a wrong code, the right code               | 000.100.110 | the last attempt        |
      | a wrong code                                             | 000.200.000 | two attempts are left   |
      | a wrong code, a wrong code                               | 000.200.000 | one attempt is left     |
      | a wrong code, a wrong code, a wrong code                 | 100.380.401 | no attempt is left      |
      | a wrong code, a wrong code, a wrong code, the right code | 100.380.401 | it ended with the third |

  @req:TDS-07 @needs:channels @decision:D-194
  Scenario: The shopper returns from the issuer to the shop
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    When the shopper approves at the issuer
    Then the shopper returns to the shop with id and resourcePath of the payment

  @req:TDS-07 @needs:channels @decision:D-194
  Scenario Outline: A result that the browser brings twice in one form, or not at all, is none
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    When the shopper approves at the issuer and brings the result <times> times
    Then the page answers without a fault
    And the payment is still pending

    Examples:
      | times | why                     |
      | 0     | nothing to read         |
      | 2     | which of them is unsaid |

  @req:TDS-07 @needs:channels @decision:D-194 @pattern:limit
  Scenario Outline: The issuer gives the browser its session data back
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    When the shopper brings session data of <length> characters to the issuer and approves
    Then the issuer <does>

    Examples:
      | length | does                      | why         |
      | 0      | gives back none           | none        |
      | 1      | gives the same data back  | the least   |
      | 1024   | gives the same data back  | the longest |
      | 1025   | refuses the data          | one more    |

  @req:TDS-07 @needs:channels @decision:D-194
  Scenario Outline: A 3DS Method call may make the challenge unnecessary
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card <number>
    And the browser calls the ACS in a hidden frame
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the payment succeeds
    And the response shows threeDSecure.flow "<flow>"

    Examples:
      | number           | does     | flow         | why                               |
      | 4200000000000091 | arrives  | frictionless | the browser data suffices         |
      | 4200000000000042 | approves | challenge    | the browser data does not suffice |

  @req:TDS-05 @needs:control @decision:D-196
  Scenario Outline: The authenticated amount is risk.amount where it is sent
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000026 with <name> "<value>"
    Then the issuer received the amount <minor>

    Examples:
      | name        | value  | minor | why                     |
      | risk.amount | 100.01 | 10001 | risk.amount is sent     |
      | amount      | 92.00  | 9200  | risk.amount is not sent |

  @req:TDS-05 @needs:control @decision:D-196 @pattern:values
  Scenario Outline: The authenticated risk.amount is in the smallest unit of the currency
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays <amount> <currency> by the card 4200000000000026 with risk.amount "<risk>"
    Then the issuer received the amount <minor>
    And the issuer received <exponent> as purchaseExponent

    Examples:
      | amount | currency | risk   | minor | exponent | why            |
      | 900.00 | JPY      | 750.00 | 750   | 0        | no decimals    |
      | 92.00  | USD      | 100.01 | 10001 | 2        | two decimals   |
      | 92.00  | KWD      | 7.50   | 7500  | 3        | three decimals |

  @req:TDS-03 @needs:control @decision:D-196
  Scenario: The issuer receives the requestor id of the scheme
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000026 with threeDSecure.v2.visa.requestorId "shop-4711"
    Then the issuer received the requestor "shop-4711"

  @req:TDS-03 @needs:control @decision:D-196
  Scenario Outline: Each scheme's directory server receives its own requestor
    Given a merchant whose channel requires 3-D Secure of every scheme
    When the shopper pays 92.00 EUR by the <brand> card <number> with
      | threeDSecure.v2.<scheme>.requestorId   | shop-4711 |
      | threeDSecure.v2.<scheme>.requestorName | Jones     |
      | threeDSecure.v2.<other>.requestorId    | shop-0815 |
      | threeDSecure.v2.<other>.requestorName  | Smith     |
    Then the issuer received the requestor "shop-4711"
    And the issuer received Jones as threeDSRequestorName

    Examples:
      | brand    | number           | scheme     | other      | why                   |
      | VISA     | 4200000000000026 | visa       | mastercard | not that of another   |
      | MASTER   | 5200000000000056 | mastercard | visa       | not that of another   |
      | AMEX     | 375987000000062  | amex       | discover   | not that of another   |
      | DISCOVER | 6011010000000003 | discover   | amex       | not that of another   |

  @req:TDS-04 @req:TDS-07 @needs:channels @decision:D-196
  Scenario Outline: The merchant may request a challenge or an exemption
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number> with <name> "<value>"
    Then the response shows threeDSecure.flow "<flow>"

    Examples:
      | number           | name                            | value | flow         | why                   |
      | 4200000000000026 | threeDSecure.challengeIndicator | 04    | challenge    | demanded              |
      | 4200000000000018 | threeDSecure.challengeIndicator | 05    | frictionless | the risk was analyzed |
      | 4200000000000018 | threeDSecure.exemptionFlag      | 01    | frictionless | an exemption          |
      | 4200000000000018 | threeDSecure.challengeIndicator | 01    | challenge    | no preference         |
      | 4200000000000018 | threeDSecure.challengeIndicator | 02    | frictionless | none, please          |
      | 4200000000000018 | threeDSecure.challengeIndicator | 03    | challenge    | one, please           |
      | 4200000000000059 | threeDSecure.challengeIndicator | 04    | challenge    | an attempt too        |
      | 4200000000000018 | threeDSecure.challengeIndicator | 07    | frictionless | it was authenticated  |
      | 4200000000000018 | threeDSecure.challengeIndicator | 08    | frictionless | a trusted merchant    |
      | 4200000000000026 | threeDSecure.challengeIndicator | 09    | challenge    | for a trusted merchant |

  @req:TDS-04 @needs:channels @decision:D-196 @pattern:values
  Scenario Outline: A channel of version 2.1 takes no wish that only later versions have
    Given a merchant whose channel requires 3-D Secure version 2.1
    When the shopper pays 92.00 EUR by the card 4200000000000018 with <name> "<value>"
    Then <outcome>

    Examples:
      | name                            | value | outcome                                                        | why              |
      | threeDSecure.challengeIndicator | 01    | the payment is pending                                         | of every version |
      | threeDSecure.challengeIndicator | 03    | the payment is pending                                         | of every version |
      | threeDSecure.challengeIndicator | 05    | the request is refused, naming threeDSecure.challengeIndicator | of version 2.2   |
      | threeDSecure.challengeIndicator | 09    | the request is refused, naming threeDSecure.challengeIndicator | of version 2.2   |
      | threeDSecure.exemptionFlag      | 01    | the request is refused, naming threeDSecure.exemptionFlag      | of version 2.2   |

  @req:TDS-07 @needs:control @needs:clock @decision:D-195 @pattern:limit
  Scenario: A challenge without a result times out after ten minutes
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And 11 minutes pass
    When the merchant reads it
    Then the response shows result.code "100.390.124"
    And the acquirer received no request

  @req:TDS-07 @needs:control @needs:clock @decision:D-195 @pattern:limit
  Scenario Outline: A challenge is awaited to its last instant
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And <time> pass
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | time                     | code        | why                |
      | 10 minutes and 4 seconds | 000.200.000 | the last that holds |
      | 10 minutes and 5 seconds | 100.390.124 | the first that does not |

  @req:TDS-07 @needs:control @decision:D-193
  Scenario Outline: Each way to pay by card is authenticated
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper <pays> 92.00 EUR by the card 4200000000000018 through 3-D Secure
    Then the payment is pending
    And the response redirects the shopper to the issuer
    And the acquirer received no request

    Examples:
      | pays       | why              |
      | authorizes | an authorization |
      | debits     | a sale           |

  @req:TDS-01 @needs:control @decision:D-193
  Scenario: A payment with an external authentication is not authenticated again
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant debits 92.00 EUR with
      | threeDSecure.eci                  | 05                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | Y                            |
    Then the payment succeeds
    And the acquirer received threeDSecure.eci

  @req:TDS-01 @req:TDS-08
  Scenario Outline: The data of an external authentication is answered as it was sent
    When the merchant debits 92.00 EUR with
      | threeDSecure.eci                  | <eci>                        |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.xid                  | QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2 |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | <status>                     |
      | threeDSecure.version              | <version>                    |
      | threeDSecure.dsTransactionId      | <transaction>                |
    Then the payment succeeds
    And the response shows threeDSecure.eci "<eci>"
    And the response shows threeDSecure.verificationId "AAABBWFlmQAAAABjRWWZEEFgFz8="
    And the response shows threeDSecure.xid "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2"
    And the response shows threeDSecure.authenticationStatus "<status>"
    And the response shows threeDSecure.version "<version>"
    And the response shows threeDSecure.dsTransactionId "<transaction>"

    Examples:
      | eci | status | version | transaction                          | why               |
      | 05  | Y      | 2.2.0   | f25084f0-5b16-4c0a-ae5d-b24808a95e4b | version 2.2       |
      | 02  | Y      | 2.1.0   | 00000000-0000-4000-8000-000000000000 | version 2.1       |
      | 06  | A      | 1.0.2   | another-transaction                  | an attempt        |
      | 01  | A      | 2.2.0   | x                                    | one character     |

  @req:TDS-07 @needs:channels @decision:D-195
  Scenario Outline: An authentication without a payment shows its result
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant authenticates the shopper by the card <number>
    Then the response shows result.code "<code>"

    Examples:
      | number           | code        | why                     |
      | 4200000000000026 | 000.400.110 | without a challenge     |
      | 4012001036275556 | 000.200.000 | a challenge is required |
      | 4200000000000000 | 000.400.109 | not a test card         |
      | 4012001037461114 | 000.400.103 | a technical error       |

  @req:TDS-07 @req:STATE-01 @needs:control @needs:scripts @needs:clock @decision:D-307
  Scenario: The issuer is asked once, however many browsers open the page
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000042
    And the sandbox clock is frozen
    And the ACS has the fault no_answer
    When two browsers open the page at once, and half a minute passes
    Then the issuer was asked once, and no browser was answered a fault

  @req:TDS-07 @needs:channels @decision:D-198 @pattern:values
  Scenario Outline: The directory server names what is wrong with a message
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper was sent on to the issuer
    When the directory server gets the <what> '<message>'
    Then it is answered the error <code> about "<detail>"

    Examples:
      | what   | message                                          | code | detail                                  | why                   |
      | lookup | {}                                               | 201  | acctNumber                              | no number             |
      | lookup | {"acctNumber": "42ab"}                           | 203  | acctNumber                              | letters in it         |
      | lookup | {"acctNumber": 42}                               | 203  | acctNumber                              | no text               |
      | lookup | {"acctNumber": "1", "acctNumber": "2"}           | 204  | acctNumber                              | one twice             |
      | lookup | [1]                                              | 101  | expected a JSON object                  | a list                |
      | lookup | {                                                | 101  | expected JSON                           | half a message        |
      | areq   | {"messageType": "CReq"}                          | 101  | messageType: expected AReq              | of another type       |
      | areq   | {"messageType": "AReq"}                          | 201  | messageVersion                          | of no version         |
      | areq   | {"messageType": "AReq", "messageVersion": "1.0"} | 102  | messageVersion: expected 2.1.0 or 2.2.0 | of an earlier version |

  @req:TDS-07 @needs:channels @decision:D-198 @pattern:limit
  Scenario Outline: The directory server reads messages up to a length
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper was sent on to the issuer
    When the directory server gets a lookup of <count> bytes
    Then it is answered the error <code> about "<detail>"

    Examples:
      | count | code | detail                       | why         |
      | 65536 | 203  | acctNumber                   | the longest |
      | 65537 | 101  | expected at most 65536 bytes | one more    |

  @req:TDS-07 @needs:control @needs:scripts @needs:clock @decision:D-197
  Scenario: A result is repeated though the clock stands
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And the ACS has the fault replay
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper approves at the issuer
    And the issuer had two rounds to send results
    When the merchant reads it
    Then the response shows result.code "000.100.110"
    And the issuer sent its result 2 times

  @req:TDS-07 @needs:channels @decision:D-198 @pattern:values
  Scenario Outline: The gateway names what is wrong with a result
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper was sent on to the issuer
    When the gateway gets the result '<message>'
    Then it is answered the error <code> about "<detail>"

    Examples:
      | message                                                                                                                                                                                                                                                                                                                           | code | detail                                                                                        | why                 |
      | {}                                                                                                                                                                                                                                                                                                                                | 101  | messageType: expected RReq                                                                    | of no type          |
      | no message                                                                                                                                                                                                                                                                                                                        | 101  | expected JSON                                                                                 | no JSON             |
      | {"messageType": "RReq", "messageType": "RReq"}                                                                                                                                                                                                                                                                                    | 204  | messageType                                                                                   | one twice           |
      | {"messageType": "RReq", "messageVersion": "2.3.1"}                                                                                                                                                                                                                                                                                | 102  | messageVersion: expected 2.1.0 or 2.2.0                                                       | of a later version  |
      | {"messageType": "RReq", "messageVersion": "2.2.0"}                                                                                                                                                                                                                                                                                | 201  | threeDSServerTransID, dsTransID, acsTransID, messageCategory, transStatus, interactionCounter | nothing in it       |
      | {"messageType": "RReq", "messageVersion": "2.2.0", "threeDSServerTransID": "00000000-0000-4000-8000-000000000000", "dsTransID": "00000000-0000-4000-8000-000000000000", "acsTransID": "00000000-0000-4000-8000-000000000000", "messageCategory": "01", "transStatus": "N", "interactionCounter": "01"}                            | 201  | transStatusReason                                                                             | no reason           |
      | {"messageType": "RReq", "messageVersion": "2.2.0", "threeDSServerTransID": "00000000-0000-4000-8000-000000000000", "dsTransID": "00000000-0000-4000-8000-000000000000", "acsTransID": "00000000-0000-4000-8000-000000000000", "messageCategory": "01", "transStatus": "C", "transStatusReason": "01", "interactionCounter": "1"}  | 203  | transStatus, interactionCounter                                                               | two in another form |
      | {"messageType": "RReq", "messageVersion": "2.2.0", "threeDSServerTransID": "00000000-0000-4000-8000-000000000000", "dsTransID": "00000000-0000-4000-8000-000000000000", "acsTransID": "00000000-0000-4000-8000-000000000000", "messageCategory": "01", "transStatus": "N", "transStatusReason": "01", "interactionCounter": "01"} | 301  | threeDSServerTransID                                                                          | of no challenge     |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario Outline: A faulty ACS response never charges the card
    Given a merchant whose channel requires 3-D Secure version 2
    And the ACS has the fault <fault>
    When the shopper pays 92.00 EUR by the card 4200000000000018 and approves the challenge
    Then the response shows result.code "<code>"
    And the acquirer received no request

    Examples:
      | fault           | code        | why                                |
      | bad_signature   | 100.390.112 | the signature is invalid           |
      | wrong_id        | 100.390.117 | it is about another authentication |
      | tampered_status | 100.390.117 | ACS and browser disagree           |
      | late            | 000.200.000 | the result has not arrived yet     |
      | reject          | 100.390.118 | suspected fraud                    |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario Outline: A browser that says another result than the issuer never pays
    Given a merchant whose channel requires 3-D Secure version 2
    And the ACS has the fault tampered_status
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the acquirer received no request

    Examples:
      | does     | code        | why                                |
      | approves | 100.390.117 | the browser says not authenticated |
      | declines | 100.390.117 | the browser says authenticated     |

  @req:RISK-05 @req:TDS-07 @needs:control @needs:scripts @decision:D-164
  Scenario Outline: A payment that is authenticated shows the score of its risk check
    Given a merchant whose channel requires 3-D Secure version 2
    And the risk system accepts every payment with the score <score>
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response shows risk.score "<score>"

    Examples:
      | does     | code        | score | why                           |
      | approves | 000.100.110 | 17    | it is paid after the check    |
      | declines | 100.380.401 | -42   | it is declined after the check |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario: An authentication result that arrives twice charges the card once
    Given a merchant whose channel requires 3-D Secure version 2
    And the ACS has the fault replay
    When the shopper pays 92.00 EUR by the card 4200000000000018 and approves the challenge
    Then the response shows result.code "000.100.110"
    And the acquirer received one request

  @req:TDS-07 @needs:control @needs:scripts @needs:clock @decision:D-202
  Scenario: A late authentication result does not arrive early
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And the ACS has the fault late
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper approves at the issuer
    And 20 minutes pass
    And the issuer had two rounds to send results
    When the merchant reads it
    Then the response shows result.code "000.200.000"

  @req:TDS-07 @needs:control @needs:scripts @needs:clock @decision:D-197
  Scenario: An authentication result after the payment expired does not charge the card
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And the ACS has the fault late
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper approves at the issuer
    And 41 minutes pass
    When the merchant reads it
    Then the response shows result.code "100.396.103"

  @req:TDS-07 @decision:D-195
  Scenario: An authentication on a channel without 3-D Secure is refused
    When the merchant authenticates the shopper by the card 4012001036275556
    Then the payment is refused with 000.400.104
