Feature: Everywhere a rule holds
  Risk checks, declines, descriptors, references and authentication apply to every way to pay: with a card,
  a wallet or a bank account, at the simulators or the card host, in a checkout and from a registration.

  @req:RISK-05 @req:SVC-17 @needs:scripts @decision:D-164
  Scenario Outline: The risk system denies every way to pay
    Given the risk system denies every payment with 100.400.142 and the score -450
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then the payment is declined with 100.400.142
    And the response shows risk.score "-450"
    And the acquirer received no request

    Examples:
      | kind                     | why                       |
      | an authorization         | an authorization          |
      | a debit                  | a sale                    |
      | a debit at the card host | EXTERNAL                  |
      | a payment in a checkout  | it is paid by the shopper |
      | a wallet payment         | a wallet                  |
      | a direct debit           | a bank account            |

  @req:RISK-05 @req:SVC-17 @needs:scripts @decision:D-164
  Scenario Outline: Every way to pay shows the score that let it pass
    Given the risk system accepts every payment with the score <score>
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then it is accepted
    And the response shows risk.score "<score>"

    Examples:
      | kind                          | score  | why                       |
      | an authorization              | 100    | the usual one             |
      | a debit                       | -12    | below zero                |
      | a debit at the card host      | 17     | EXTERNAL                  |
      | a payment in a checkout       | -99999 | it is paid by the shopper |
      | a payment from a registration | 7      | a stored card             |
      | a wallet payment              | 0      | a wallet                  |
      | a direct debit                | -1     | a bank account            |

  @req:RISK-02 @req:PAY-02 @needs:scripts @decision:D-164 @pattern:limit
  Scenario Outline: A risk check of every way to pay uses risk.amount
    Given the risk system denies payments over 100.00
    When the merchant sends risk.amount "<amount>" with <kind>
    Then <outcome>

    Examples:
      | kind                          | amount | outcome                                  | why                    |
      | an authorization              | 100.01 | the payment is declined with 100.380.100 | a cent above the limit |
      | an authorization              | 100.00 | the payment succeeds                     | the limit itself       |
      | a debit at the card host      | 100.01 | the payment is declined with 100.380.100 | a cent above the limit |
      | a debit at the card host      | 100.00 | the payment succeeds                     | the limit itself       |
      | a payment from a registration | 100.01 | the payment is declined with 100.380.100 | a cent above the limit |
      | a payment from a registration | 100.00 | the payment succeeds                     | the limit itself       |
      | a wallet payment              | 100.01 | the payment is declined with 100.380.100 | a cent above the limit |
      | a wallet payment              | 100.00 | the payment succeeds                     | the limit itself       |
      | a direct debit                | 100.01 | the payment is declined with 100.380.100 | a cent above the limit |
      | a direct debit                | 100.00 | the payment succeeds                     | the limit itself       |

  @req:RISK-04 @needs:scripts @decision:D-164
  Scenario Outline: A risk check of every way to pay uses risk.brand
    Given the risk system denies the brand MASTER with 100.400.142
    When the merchant sends risk.brand "<brand>" with <kind>
    Then <outcome>

    Examples:
      | kind                          | brand  | outcome                                  | why           |
      | an authorization              | MASTER | the payment is declined with 100.400.142 | that brand    |
      | an authorization              | AMEX   | the payment succeeds                     | another brand |
      | a debit at the card host      | MASTER | the payment is declined with 100.400.142 | that brand    |
      | a debit at the card host      | AMEX   | the payment succeeds                     | another brand |
      | a payment from a registration | MASTER | the payment is declined with 100.400.142 | that brand    |
      | a payment from a registration | AMEX   | the payment succeeds                     | another brand |
      | a direct debit                | MASTER | the payment is declined with 100.400.142 | that brand    |
      | a direct debit                | AMEX   | the payment succeeds                     | another brand |

  @req:RISK-02 @needs:scripts @decision:D-164
  Scenario Outline: A checkout keeps what the risk check uses
    Given the risk system denies payments over 100.00
    And a checkout for <amount> EUR with risk.amount "<checked>"
    When the shopper pays in the checkout by card
    Then <outcome>

    Examples:
      | amount | checked | outcome                                  | why                             |
      | 92.00  | 100.01  | the payment is declined with 100.380.100 | risk.amount is above the limit  |
      | 192.00 | 100.00  | the payment succeeds                     | risk.amount is within the limit |

  @req:ERR-01 @req:SVC-01 @req:RSP-04 @needs:declines
  Scenario Outline: A decline has its reason with every request
    When the merchant sends customParameters[forceResultCode] "<code>" with <kind>
    Then the payment is declined with <code>
    And the response shows customParameters[forceResultCode] "<code>"

    Examples:
      | kind                          | code        | why              |
      | an authorization              | 800.100.151 | an invalid card  |
      | a debit                       | 800.100.155 | over the limit   |
      | a credit                      | 800.100.152 | no reason        |
      | a capture                     | 800.100.171 | the card is kept |
      | a refund                      | 800.100.160 | blocked          |
      | a rebill                      | 800.100.155 | over the limit   |
      | a payment from a registration | 800.100.152 | no reason        |
      | a registration                | 800.100.151 | an invalid card  |
      | a debit at the card host      | 800.100.155 | at the card host |
      | a wallet payment              | 800.100.152 | a wallet         |
      | a direct debit                | 800.100.155 | a bank account   |

  @req:ERR-01 @req:SVC-09 @needs:scripts
  Scenario Outline: The acquirer declines every way to pay
    Given the acquirer declines every payment with <code>
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then the payment is declined with <code>

    Examples:
      | kind                     | code        | why              |
      | an authorization         | 800.100.151 | an authorization |
      | a debit                  | 800.100.153 | a sale           |
      | a credit                 | 800.100.155 | a credit         |
      | a debit at the card host | 800.100.157 | EXTERNAL         |
      | a payment in a checkout  | 800.100.152 | in a checkout    |
      | a wallet payment         | 800.100.160 | a wallet         |
      | a direct debit           | 800.100.155 | a bank account   |

  @req:MODE-04 @req:MODE-03 @needs:scripts
  Scenario Outline: A script decides in either test mode
    Given the acquirer declines every payment with <code>
    When the merchant <sends> with
      | testMode | <mode> |
    Then the payment is declined with <code>

    Examples:
      | sends                | mode     | code        | why              |
      | authorizes 92.00 USD | INTERNAL | 800.100.157 | an authorization |
      | authorizes 92.00 USD | EXTERNAL | 800.100.157 | an authorization |
      | debits 0.01 EUR      | INTERNAL | 800.100.160 | a sale           |
      | debits 0.01 EUR      | EXTERNAL | 800.100.160 | a sale           |
      | credits 7.00 GBP     | INTERNAL | 800.100.171 | a credit         |
      | credits 7.00 GBP     | EXTERNAL | 800.100.171 | a credit         |

  @req:MODE-04 @req:MODE-02 @req:MODE-03 @req:RSP-08
  Scenario Outline: A payment is shown alike in either test mode
    When the merchant <sends> with
      | testMode              | <mode>     |
      | merchantTransactionId | order-4711 |
      | billing.city          | Berlin     |
    Then the payment succeeds
    And the response shows
      | paymentType           | <type>     |
      | amount                | <amount>   |
      | currency              | <currency> |
      | paymentBrand          | VISA       |
      | card.bin              | 420000     |
      | card.last4Digits      | 0000       |
      | merchantTransactionId | order-4711 |
      | billing.city          | Berlin     |

    Examples:
      | sends                | mode     | type | amount | currency | why              |
      | authorizes 92.00 USD | INTERNAL | PA   | 92.00  | USD      | an authorization |
      | authorizes 92.00 USD | EXTERNAL | PA   | 92.00  | USD      | an authorization |
      | debits 0.01 EUR      | INTERNAL | DB   | 0.01   | EUR      | the smallest     |
      | debits 0.01 EUR      | EXTERNAL | DB   | 0.01   | EUR      | the smallest     |
      | credits 7.10 GBP     | INTERNAL | CD   | 7.10   | GBP      | a credit         |
      | credits 7.10 GBP     | EXTERNAL | CD   | 7.10   | GBP      | a credit         |

  @req:MODE-03 @req:MODE-02 @needs:control @decision:D-184
  Scenario Outline: What refers to a payment goes the way of the payment
    Given <before>
    When the merchant <does>
    Then the <what> succeeds
    And the response shows result.code "<code>"

    Examples:
      | before                                                       | does                     | what     | code        | why            |
      | an authorized payment of 92.00 EUR in the test mode EXTERNAL | captures 30.00 EUR of it | capture  | 000.100.112 | the card host  |
      | an authorized payment of 92.00 EUR in the test mode EXTERNAL | reverses it              | reversal | 000.100.112 | the card host  |
      | an authorized payment of 92.00 EUR                           | captures 30.00 EUR of it | capture  | 000.100.110 | the simulators |
      | an authorized payment of 92.00 EUR                           | reverses it              | reversal | 000.100.110 | the simulators |
      | a debit of 92.00 EUR                                         | refunds 5.00 EUR of it   | refund   | 000.100.110 | the simulators |
      | a debit of 92.00 EUR with testMode "EXTERNAL"                | refunds 5.00 EUR of it   | refund   | 000.100.112 | the card host  |

  @req:PAY-07 @req:MERCH-01
  Scenario Outline: A descriptor fills the statement with every request that has one
    When the merchant sends descriptor "Book shop 4711" with <kind>
    Then it is accepted
    And the response shows descriptor "Book shop 4711"

    Examples:
      | kind                          | why         |
      | an authorization              | it was sent |
      | a debit                       | it was sent |
      | a credit                      | it was sent |
      | a payment from a registration | it was sent |
      | a debit at the card host      | it was sent |
      | a wallet payment              | it was sent |
      | a direct debit                | it was sent |

  @req:PAY-07 @req:MERCH-01 @req:SVC-09
  Scenario Outline: A checkout keeps the name on the statement
    Given a checkout for 92.00 EUR with <name> "<value>"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows descriptor "<value>"

    Examples:
      | name          | value          | why              |
      | descriptor    | Book shop 4711 | the descriptor   |
      | merchant.name | Jones Books    | it overrides one |

  @req:MERCH-01 @req:PAY-07
  Scenario Outline: The merchant's name overrides the descriptor with every request
    When the merchant sends these with <kind>
      | descriptor    | Book shop 4711 |
      | merchant.name | Jones Books    |
    Then it is accepted
    And the response shows descriptor "Jones Books"

    Examples:
      | kind                          | why            |
      | an authorization              | both were sent |
      | a credit                      | both were sent |
      | a payment from a registration | both were sent |
      | a debit at the card host      | both were sent |
      | a direct debit                | both were sent |

  @req:PAY-13 @needs:channels
  Scenario Outline: A fixed descriptor is used with every request
    Given a merchant whose merchant account has a fixed descriptor
    When the merchant sends descriptor "Book shop 4711" with <kind>
    Then it is accepted
    And the response does not contain "Book shop 4711"

    Examples:
      | kind                          | why              |
      | an authorization              | another was sent |
      | a credit                      | another was sent |
      | a payment from a registration | another was sent |
      | a debit at the card host      | another was sent |

  @req:PAY-13 @req:MERCH-01 @needs:channels
  Scenario Outline: The merchant's name does not replace a fixed descriptor
    Given a merchant whose merchant account has a fixed descriptor
    When the merchant sends merchant.name "Jones Books" with <kind>
    Then it is accepted
    And the response shows another descriptor than "Jones Books"

    Examples:
      | kind             | why             |
      | an authorization | a name was sent |
      | a debit          | a name was sent |

  @req:PAY-08 @needs:channels
  Scenario Outline: A receiver that requires a merchant reference requires it of every request
    Given a merchant whose channel requires a merchant reference
    When the merchant sends descriptor "Book shop 4711" with <kind>
    Then the request is refused, naming merchantTransactionId

    Examples:
      | kind                     | why           |
      | an authorization         | none was sent |
      | a debit                  | none was sent |
      | a credit                 | none was sent |
      | a wallet payment         | none was sent |
      | a direct debit           | none was sent |
      | a debit at the card host | none was sent |
      | a capture                | none was sent |
      | a refund                 | none was sent |

  @req:PAY-08 @req:SVC-20 @needs:channels
  Scenario: A receiver that requires a merchant reference requires it of a schedule
    Given a merchant whose channel requires a merchant reference
    And a card stored for a subscription under the reference "order-4711"
    When the merchant schedules 92.00 EUR without merchantTransactionId
    Then the request is refused, naming merchantTransactionId

  @req:PAY-08 @needs:channels
  Scenario Outline: A receiver that requires a merchant reference takes the one that is sent
    Given a merchant whose channel requires a merchant reference
    When the merchant sends merchantTransactionId "<reference>" with <kind>
    Then it is accepted
    And the response shows merchantTransactionId "<reference>"

    Examples:
      | kind             | reference    | why             |
      | an authorization | 12345678     | the shortest    |
      | a debit          | order 4711/a | any characters  |
      | a credit         | order-4711-a | an ordinary one |
      | a direct debit   | order-4711-b | a bank account  |
      | a capture        | order-4711-c | of a payment    |

  @req:PAY-08 @req:SVC-09
  Scenario: A checkout keeps the merchant's reference
    Given a checkout for 92.00 EUR with merchantTransactionId "order-4711"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows merchantTransactionId "order-4711"

  @req:ADDR-03 @req:SVC-09
  Scenario Outline: A rule between two parameters holds for a stored card in a checkout too
    Given a stored card
    And a checkout for 92.00 EUR that offers the stored card
    When the shopper pays in the checkout by the stored card with <name> "<value>"
    Then the request is refused, naming <missing>

    Examples:
      | name                        | value | missing                | why                  |
      | billing.houseNumber2        | 2     | billing.houseNumber1   | one requires another |
      | shipping.houseNumber2       | 2     | shipping.houseNumber1  | one requires another |

  @req:PAY-01 @req:SVC-09 @req:END-04 @decision:D-129
  Scenario: A checkout without an amount is not paid by a stored card either
    Given a stored card
    And a registration checkout that offers the stored card
    When the shopper pays in the checkout by the stored card
    Then the request is refused, naming amount, currency, paymentType

  @req:TOK-01 @req:TDS-07 @needs:channels @decision:D-194
  Scenario Outline: A payment through the issuer stores its account once it has succeeded
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018 that stores it
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response <shown>

    Examples:
      | does     | code        | shown                                | why               |
      | approves | 000.100.110 | shows registrationId as a payment id | it succeeded      |
      | declines | 100.380.401 | shows no registrationId              | nothing was taken |

  @req:TOK-01 @req:ASYNC-01 @needs:brands @decision:D-137 @pattern:place
  Scenario Outline: A redirected payment stores its account once it has succeeded
    Given a debit of 92.00 EUR through VIRTUAL_REDIRECT that stores its account
    And the shopper <does> on the redirect page
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response <shown>

    Examples:
      | does    | code        | shown                                | why               |
      | pays    | 000.100.110 | shows registrationId as a payment id | it succeeded      |
      | cancels | 100.396.101 | shows no registrationId              | nothing was taken |

  @req:TOK-01
  Scenario Outline: No account is stored without demand
    When the merchant sends createRegistration "false" with <kind>
    Then it is accepted
    And the response shows no registrationId

    Examples:
      | kind                     | why                  |
      | an authorization         | it was not asked for |
      | a debit at the card host | it was not asked for |
      | a payment in a checkout  | it was not asked for |
      | a direct debit           | it was not asked for |

  @req:TOK-01 @needs:declines
  Scenario Outline: A payment that fails stores no account
    When the merchant sends these with <kind>
      | createRegistration | true        |
      | card.holder        | 800.100.152 |
    Then the payment is declined with 800.100.152
    And the response shows no registrationId

    Examples:
      | kind                    | why             |
      | an authorization        | it was declined |
      | a debit                 | it was declined |
      | a payment in a checkout | it was declined |

  @req:TOK-03 @req:TOK-02 @pattern:place
  Scenario: A holder fills an empty one in a checkout that was prepared with it
    Given a stored card without a holder
    And a checkout for 92.00 EUR that offers the stored card with overrideHolder and the holder "Ann Other"
    When the shopper pays in the checkout by the stored card
    Then the payment succeeds
    And the response shows card.holder "Ann Other"
    And the registration still has no holder

  @req:WAL-01 @req:SVC-03
  Scenario Outline: A wallet payment of either source shows its own card
    When the merchant sends these with a wallet payment
      | mobileWallet.source | <source> |
      | card.number         | <number> |
      | threeDSecure.eci    | <eci>    |
    Then it is accepted
    And the response shows
      | card.last4Digits | <last4> |
      | threeDSecure.eci | <eci>   |
    And the response does not contain "<number>"

    Examples:
      | source | number           | last4 | eci | why                          |
      | web    | 4111111111111111 | 1111  | 05  | in the browser               |
      | app    | 5454545454545454 | 5454  | 02  | in an app, of MASTER         |
      | app    | 4111111111111111 | 1111  | 07  | in an app, not authenticated |

  @req:WAL-01
  Scenario Outline: No other wallet source is accepted
    When the merchant sends mobileWallet.source "<source>" with a wallet payment
    Then the request is refused, naming mobileWallet.source

    Examples:
      | source | why        |
      | WEB    | capitals   |
      | App    | a capital  |
      | pos    | not listed |
      | webapp | both       |

  @req:MODE-01 @pattern:values
  Scenario Outline: A test mode is written in capitals and is one of two
    When the merchant sends testMode "<mode>" with <kind>
    Then the request is refused, naming testMode

    Examples:
      | kind                    | mode             | why           |
      | a debit                 | internal         | small letters |
      | a debit                 | External         | one capital   |
      | a debit                 | INTERNALEXTERNAL | both          |
      | a debit                 | TEST             | not listed    |
      | a direct debit          | LIVE             | not listed    |
      | a wallet payment        | LIVE             | not listed    |
      | a payment in a checkout | LIVE             | not listed    |

  @req:MODE-01 @req:MODE-02
  Scenario Outline: Either test mode is accepted by its name
    When the merchant sends testMode "<mode>" with <kind>
    Then it is accepted

    Examples:
      | kind             | mode     | why        |
      | a wallet payment | INTERNAL | one of two |
      | a wallet payment | EXTERNAL | one of two |

  @req:PAY-05 @req:PAY-06 @req:SVC-09
  Scenario Outline: A checkout of every type is paid with its type
    Given a checkout for 92.00 EUR with paymentType "<type>"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows paymentType "<type>"
    And the response shows amount "92.00"

    Examples:
      | type | why              |
      | PA   | an authorization |
      | DB   | a sale           |
      | CD   | a credit         |

  @req:PAY-06
  Scenario Outline: Each brand of a checkout has its own type
    Given a checkout for 92.00 EUR with types of two brands
      | overridePaymentType[VISA]   | PA |
      | overridePaymentType[MASTER] | CD |
    When the shopper pays in the checkout by the <brand> card <number>
    Then the payment succeeds
    And the response shows paymentType "<type>"
    And the response shows paymentBrand "<brand>"

    Examples:
      | brand    | number           | type | why                 |
      | VISA     | 4200000000000000 | PA   | the first brand     |
      | MASTER   | 5454545454545454 | CD   | the second brand    |
      | DISCOVER | 6011111111111117 | DB   | a brand without one |

  @req:ADDR-05 @req:RSP-05 @req:MODE-04 @needs:control @decision:D-189
  Scenario Outline: A street alone and a postcode alone are compared
    When the merchant debits 92.00 EUR with
      | testMode         | <mode>           |
      | card.number      | 4242000000000018 |
      | billing.street1  | <street>         |
      | billing.postcode | <postcode>       |
    Then the payment succeeds
    And the response shows result.avsResponse "<letter>"

    Examples:
      | mode     | street        | postcode | letter | why                      |
      | INTERNAL | 1 High Street |          | A      | a street that matches    |
      | INTERNAL |               | 10115    | Z      | a postcode that matches  |
      | INTERNAL | Elsewhere     |          | N      | a street that does not   |
      | INTERNAL |               | 99999    | N      | a postcode that does not |
      | INTERNAL | 1 High Street | 10115    | F      | both match               |
      | EXTERNAL | 1 High Street |          | A      | a street that matches    |
      | EXTERNAL |               | 10115    | Z      | a postcode that matches  |
      | EXTERNAL | Elsewhere     |          | N      | a street that does not   |
      | EXTERNAL |               | 99999    | N      | a postcode that does not |

  @req:RSP-05 @req:CARD-05 @req:MODE-04 @needs:control @decision:D-189
  Scenario Outline: The issuer compares the security code in either test mode
    When the merchant debits 92.00 EUR with
      | testMode    | <mode>           |
      | card.number | 4242000000000018 |
      | card.cvv    | <cvv>            |
    Then the payment succeeds
    And the response shows result.cvvResponse "<letter>"

    Examples:
      | mode     | cvv | letter | why             |
      | INTERNAL | 123 | M      | it matches      |
      | INTERNAL | 999 | N      | it does not     |
      | INTERNAL |     | P      | it was not sent |
      | EXTERNAL | 123 | M      | it matches      |
      | EXTERNAL | 999 | N      | it does not     |
      | EXTERNAL |     | P      | it was not sent |

  @req:MERCH-03 @needs:control @decision:D-145
  Scenario Outline: A submerchant is sent to one scheme in either test mode
    When the merchant debits 92.00 EUR with
      | testMode               | <mode>   |
      | paymentBrand           | <brand>  |
      | card.number            | <number> |
      | merchant.submerchantId | 4711     |
    Then the payment succeeds
    And the acquirer <received> merchant.submerchantId

    Examples:
      | mode     | brand    | number           | received        | why                |
      | INTERNAL | MASTER   | 5454545454545454 | received        | its scheme         |
      | INTERNAL | MAESTRO  | 6304000000000000 | received        | of the same scheme |
      | INTERNAL | VISA     | 4200000000000000 | did not receive | another scheme     |
      | INTERNAL | DISCOVER | 6011111111111117 | did not receive | another scheme     |
      | EXTERNAL | MASTER   | 5454545454545454 | received        | its scheme         |
      | EXTERNAL | MAESTRO  | 6304000000000000 | received        | of the same scheme |
      | EXTERNAL | VISA     | 4200000000000000 | did not receive | another scheme     |
      | EXTERNAL | DISCOVER | 6011111111111117 | did not receive | another scheme     |

  @req:TDS-05 @req:TDS-03 @req:TDS-07 @req:MODE-03 @needs:control @decision:D-196
  Scenario Outline: The issuer receives the same of every payment that it authenticates
    Given a merchant whose channel requires 3-D Secure of every scheme
    When the shopper pays 92.00 USD by the <brand> card <number> with
      | paymentType                            | <type>    |
      | testMode                               | <mode>    |
      | risk.amount                            | <checked> |
      | threeDSecure.v2.<scheme>.requestorId   | shop-4711 |
      | threeDSecure.v2.<scheme>.requestorName | Jones     |
    Then the payment succeeds
    And the issuer received
      | purchaseAmount       | <minor>   |
      | purchaseCurrency     | 840       |
      | threeDSRequestorID   | shop-4711 |
      | threeDSRequestorName | Jones     |
      | messageVersion       | 2.2.0     |

    Examples:
      | brand  | number           | scheme     | type | mode     | checked | minor | why                 |
      | VISA   | 4200000000000026 | visa       | PA   | INTERNAL | 100.01  | 10001 | an authorization    |
      | VISA   | 4200000000000026 | visa       | DB   | EXTERNAL | 0.01    | 1     | at the card host    |
      | MASTER | 5200000000000056 | mastercard | PA   | EXTERNAL | 100.01  | 10001 | another scheme      |
      | AMEX   | 375987000000062  | amex       | DB   | INTERNAL |         | 9200  | without risk.amount |

  @req:FORM-06 @req:SVC-09 @needs:channels @decision:D-315
  Scenario: The page before a challenge may stand in a frame of the shop that has the form
    Given a merchant whose channel requires 3-D Secure version 2
    And a checkout for 92.00 EUR with all that 3-D Secure demands
    And the shopper pays in the checkout by the card 4200000000000018 of VISA
    When the shopper opens the redirect page in a browser
    Then the page may stand in a frame of any page

  @req:FORM-06 @req:TDS-07 @needs:channels @decision:D-315
  Scenario: The page before a challenge stands in no frame where there is no form
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    When the shopper opens the redirect page in a browser
    Then the page may stand in a frame of the gateway alone

  @req:TDS-07 @req:SVC-09 @req:ASYNC-01 @req:STATE-01 @needs:channels @decision:D-194
  Scenario Outline: A challenge decides the payment in a checkout
    Given a merchant whose channel requires 3-D Secure version 2
    And a checkout for 92.00 EUR with all that 3-D Secure demands
    And the shopper pays in the checkout by the card <number> of VISA
    And the shopper <does> at the issuer
    When the merchant reads the payment result of the checkout
    Then the response shows result.code "<code>"
    And the response shows threeDSecure.eci "<eci>"

    Examples:
      | number           | does     | code        | eci | why               |
      | 4200000000000018 | approves | 000.100.110 | 05  | authenticated     |
      | 4200000000000018 | declines | 100.380.401 | 07  | not authenticated |

  @req:TDS-07 @req:SVC-13 @req:SVC-15 @needs:control @decision:D-193
  Scenario Outline: A stored card is authenticated where the shopper takes part
    Given a merchant whose channel requires 3-D Secure version 2
    And a stored card with
      | card.number | 4200000000000026 |
    When the shopper pays 9.90 EUR from the registration with
      | standingInstruction.mode   | <mode>   |
      | standingInstruction.source | <source> |
    Then the payment succeeds
    And the acquirer <received> threeDSecure.verificationId

    Examples:
      | mode     | source | received        | why                    |
      | REPEATED | CIT    | received        | the shopper takes part |
      | REPEATED | MIT    | did not receive | the merchant alone     |

  @req:SVC-02 @req:WAL-01 @req:MODE-03 @needs:control
  Scenario Outline: A wallet token pays its own amount in every currency and by every type
    Given a wallet token of <protocol> for <amount> <currency>
    When the merchant <sends> <amount> <currency> by the token with testMode "<mode>"
    Then the payment succeeds
    And the acquirer received nothing of the token
    And the response shows
      | amount           | <amount>   |
      | currency         | <currency> |
      | paymentType      | <type>     |
      | card.last4Digits | 0000       |
    And the response does not contain "4200000000000000"

    Examples:
      | protocol | sends      | amount  | currency | type | mode     | why              |
      | EC_v1    | debits     | 0.01    | USD      | DB   | INTERNAL | the smallest     |
      | EC_v1    | authorizes | 1234.56 | GBP      | PA   | INTERNAL | an authorization |
      | EC_v1    | debits     | 92.00   | EUR      | DB   | EXTERNAL | at the card host |
      | ECv2     | debits     | 0.01    | USD      | DB   | INTERNAL | the smallest     |
      | ECv2     | authorizes | 1234.56 | GBP      | PA   | INTERNAL | an authorization |
      | ECv2     | debits     | 92.00   | EUR      | DB   | EXTERNAL | at the card host |

  @req:SVC-02 @req:AUTH-06 @needs:control @decision:D-153
  Scenario Outline: A wallet token of another amount or currency is refused
    Given a wallet token of <protocol> for 92.00 EUR
    When the merchant debits <amount> <currency> by the token
    Then the payment is refused with 200.100.602

    Examples:
      | protocol | amount | currency | why              |
      | EC_v1    | 92.01  | EUR      | a cent more      |
      | EC_v1    | 91.99  | EUR      | a cent less      |
      | EC_v1    | 92.00  | USD      | another currency |
