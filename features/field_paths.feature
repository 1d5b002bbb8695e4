Feature: Paths, methods and headers in profile field
  Paths, queries, forms and credentials as existing clients send them.

  @field:E01
  Scenario: Clients prepare a checkout under the version prefix
    When the merchant posts to "/v1/checkouts"
      | amount      | 92.00 |
      | currency    | EUR   |
      | paymentType | DB    |
    Then the status is 200
    And the response shows result.code "000.200.100"

  @field:E01 @field:E06
  Scenario: Clients read the payment of a checkout under the version prefix
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    When the merchant GETs "/v1/checkouts/{checkout}/payment"
    Then the payment succeeds
    And the response has the id of the payment

  @field:E01 @field:E34
  Scenario: Clients read the registration of a checkout under the version prefix
    Given a registration checkout
    And the shopper has registered a card in the checkout
    When the merchant GETs "/v1/checkouts/{checkout}/registration"
    Then the registration succeeds

  @field:E02 @field:E03 @field:E04
  Scenario Outline: Captures, reversals and receipts are posted to the id of the payment
    Given an authorized payment of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | <type>     |
      | amount      | <amount>   |
      | currency    | <currency> |
    Then the payment succeeds
    And the response shows paymentType "<type>"

    Examples:
      | type | amount | currency | why                     |
      | CP   | 92.00  | EUR      | the full amount         |
      | CP   | 30.00  | EUR      | a partial amount        |
      | RV   |        |          | an amount that is empty |
      | RC   | 92.00  | EUR      | a client sends receipts |

  @field:E02 @field:E03 @field:E04
  Scenario Outline: Refunds, reversals and rebills are posted to the id of the debit
    Given a debit of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | <type>     |
      | amount      | <amount>   |
      | currency    | <currency> |
    Then the payment succeeds
    And the response shows paymentType "<type>"

    Examples:
      | type | amount | currency | why                      |
      | RF   | 92.00  | EUR      | the full amount          |
      | RF   | 30.00  | EUR      | a partial amount         |
      | RV   |        |          | a client reverses debits |
      | RB   | 92.00  | EUR      | a client sends rebills   |

  @field:E61 @decision:D-15
  Scenario Outline: A response to a reference shows the id it refers to
    Given <payment> of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | <type>     |
      | amount      | <amount>   |
      | currency    | <currency> |
    Then the payment succeeds
    And the response shows the referencedId of the payment

    Examples:
      | payment               | type | amount | currency | why        |
      | an authorized payment | CP   | 92.00  | EUR      | a capture  |
      | a debit               | RF   | 92.00  | EUR      | a refund   |
      | an authorized payment | RV   |        |          | a reversal |

  @field:E62 @decision:D-281
  Scenario: A captured authorization is refunded by its own id
    Given an authorized payment of 92.00 EUR
    And 92.00 EUR of it is captured
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |
    Then the payment succeeds

  @field:E62 @decision:D-281
  Scenario: A refund of an authorization is taken from a capture that has as much left
    Given an authorized payment of 92.00 EUR
    And 40.00 EUR of it is captured
    And 52.00 EUR of it is captured
    And 40.00 EUR of it is refunded
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | RF    |
      | amount      | 30.00 |
      | currency    | EUR   |
    Then the payment succeeds

  @field:E62 @decision:D-281
  Scenario: An authorization that was not captured cannot be refunded
    Given an authorized payment of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |
    Then the payment is refused with 700.400.520

  @field:E63 @decision:D-282 @pattern:limit
  Scenario Outline: Receipts together may not exceed what was taken
    Given <payment>
    And a receipt of 60.00 EUR for it
    When the merchant reports <amount> EUR received for it
    Then <outcome>

    Examples:
      | payment                            | amount | outcome                                 | why          |
      | a debit of 92.00 EUR               | 32.00  | the receipt succeeds                    | all of it    |
      | a debit of 92.00 EUR               | 32.01  | the receipt is refused with 700.400.100 | a cent more  |
      | a direct debit of 92.00 EUR        | 32.01  | the receipt is refused with 700.400.100 | a cent more  |

  @field:E63 @decision:D-282
  Scenario Outline: A receipt may refer to any payment that takes money
    Given <payment>
    And <earlier>
    When the merchant reports 15.00 EUR received for <what>
    Then the receipt succeeds
    And the response shows paymentType "RC"

    Examples:
      | payment                            | earlier                     | what        | why                   |
      | a debit of 92.00 EUR               | a rebill of 15.00 EUR on it | it          | a debit               |
      | a debit of 92.00 EUR               | a rebill of 15.00 EUR on it | the rebill  | a rebill              |
      | an authorized payment of 92.00 EUR | 92.00 EUR of it is captured | the capture | a capture             |
      | an authorized payment of 92.00 EUR | 30.00 EUR of it is captured | it          | the rest of the whole |

  @field:E63 @decision:D-282
  Scenario: Receipts never exceed the debit they are for
    Given a debit of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | RC    |
      | amount      | 92.01 |
      | currency    | EUR   |
    Then the payment is refused with 700.400.100

  @field:E03
  Scenario: A reversal is sent without an amount
    Given an authorized payment of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | RV |
    Then the payment succeeds

  @field:E04
  Scenario: A capture is refunded by its own id
    Given an authorized payment of 92.00 EUR
    And 92.00 EUR of it is captured
    When the merchant posts to "/v1/payments/{capture}"
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |
    Then the payment succeeds

  @field:E05
  Scenario: Clients store a card under registrations
    When the merchant posts to "/v1/registrations"
      | paymentBrand     | VISA             |
      | card.number      | 4200000000000000 |
      | card.holder      | Jane Jones       |
      | card.expiryMonth | 12               |
      | card.expiryYear  | 2099             |
    Then the registration succeeds

  @field:E05 @field:E06 @field:E50
  Scenario Outline: A stored card is read and deleted with the entity in the query
    Given a stored card
    When the merchant <asks> "/v1/registrations/{stored}"
    Then the registration succeeds
    And the response shows result.code "000.100.110"

    Examples:
      | asks    | why                            |
      | GETs    | the entity stands in the query |
      | DELETEs | the entity stands in the query |

  @field:E05 @decision:D-180
  Scenario Outline: A stored card is charged under its id
    Given a stored card
    When the merchant posts to "/v1/registrations/{stored}/payments"
      | paymentType | <type> |
      | amount      | 92.00  |
      | currency    | EUR    |
    Then the payment succeeds
    And the response shows paymentType "<shown>"

    Examples:
      | type | shown | why                               |
      | PA   | PA    | an authorization                  |
      | DB   | DB    | a sale                            |
      | CP   | PA.CP | an authorization captured at once |

  @field:E06
  Scenario: A payment is read with the entity in the query
    Given a debit of 92.00 EUR
    When the merchant GETs "/v1/payments/{payment}"
    Then the payment succeeds
    And the response has the id of the payment

  @field:E07
  Scenario: A registration is read under payments
    Given a stored card
    When the merchant GETs "/v1/payments/{stored}"
    Then the registration succeeds
    And the response has the id of the registration

  @field:E07
  Scenario: A registration created by a payment is read under payments
    Given the registration created by a payment
    When the merchant GETs "/v1/payments/{stored}"
    Then the registration succeeds
    And the response has the id of the registration

  @field:E08
  Scenario: A refund without a reference is refused like a new payment
    When the merchant posts to "/v1/payments/"
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |
    Then the request is refused, naming paymentType

  @field:E08
  Scenario: A path with a trailing slash accepts a payment
    When the merchant posts a debit to "/v1/payments/"
    Then the payment succeeds

  @field:E09
  Scenario: A report by id shows the payment
    Given a debit of 92.00 EUR
    When the merchant GETs "/v1/query/{payment}"
    Then the payment succeeds
    And the response has the id of the payment

  @field:E09
  Scenario Outline: A report by reference lists the payments
    Given a debit of 92.00 EUR with merchantTransactionId "abc123"
    When the merchant GETs "<path>?merchantTransactionId=abc123"
    Then the response shows result.code "000.000.100"
    And the result description contains "successful request"
    And the report contains 1 <list>

    Examples:
      | path      | list         | why                |
      | /v1/query | transactions | the older report   |
      | /v3/query | records      | the one with pages |

  @field:E64
  Scenario Outline: A report of one transaction is a page of records
    Given a debit of 92.00 EUR
    When the merchant GETs "/v3/query/{payment}<filter>"
    Then the response shows result.code "000.000.100"
    And the report contains <count> records
    And the report has 1 page

    Examples:
      | filter                                 | count | why                |
      |                                        | 1     | the transaction    |
      | ?includeLinkedTransactions=true        | 1     | nothing refers yet |
      | ?paymentTypes=DB&paymentMethods=CC     | 1     | it fits            |
      | ?paymentTypes=CP,RF                    | 0     | another type       |

  @field:E64
  Scenario: A report of one unknown transaction finds none
    When the merchant GETs "/v3/query/80000000000000000000000000000000"
    Then the request is refused with 700.400.580
    And the result description contains "cannot find transaction"

  @field:E64 @needs:clock @decision:D-172 @pattern:limit
  Scenario Outline: A time frame may begin and end within a day
    Given payments at different times of
      | at                   | amount |
      | 2028-02-29T10:59:59Z | 1.00   |
      | 2028-02-29T11:00:00Z | 2.00   |
      | 2028-02-29T13:00:00Z | 3.00   |
      | 2028-02-29T13:00:01Z | 4.00   |
      | 2028-03-01T00:00:00Z | 5.00   |
    When the merchant GETs "/v3/query?date.from=<from>&date.to=<to>"
    Then the report contains <count> records

    Examples:
      | from                  | to                    | count | why                     |
      | 2028-02-29%2011:00:00 | 2028-02-29%2013:00:00 | 2     | its first and last second |
      | 2028-02-29%2011:00:01 | 2028-02-29%2012:59:59 | 0     | between two payments    |
      | 2028-02-29%2000:00:00 | 2028-02-29%2023:59:59 | 4     | the whole day           |

  @field:E64 @decision:D-280
  Scenario: A report of a time frame without an end contains the newest payment
    Given a debit of 92.00 EUR
    When the merchant GETs "/v3/query?date.from=2001-01-01"
    Then the report contains 1 records
    And the report has 1 page

  @field:E09
  Scenario: A report by an unused reference finds no transaction
    When the merchant GETs "/v1/query?merchantTransactionId=unused99"
    Then the request is refused with 700.400.580
    And the result description contains "cannot find transaction"

  @field:E09
  Scenario: A checkout is changed by a post to its id
    Given a checkout for 92.00 EUR
    When the merchant posts to "/v1/checkouts/{checkout}"
      | amount      | 93.00 |
      | currency    | EUR   |
      | paymentType | DB    |
    Then the status is 200

  @field:E65 @needs:clock
  Scenario: A deletion ends a schedule
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.90 EUR with
      | job.dayOfMonth | 15 |
    When the merchant DELETEs "/scheduling/v1/schedules/{schedule}"
    Then the schedule is accepted
    And the plan is inactive

  @field:E57
  Scenario: An account with a provider is registered without an account
    When the merchant posts to "/v1/registrations"
      | paymentBrand       | BRADESCO    |
      | customer.givenName | Jane        |
      | customer.surname   | Jones       |
      | billing.street1    | Main Street |
      | billing.city       | Osasco      |
      | billing.country    | BR          |
    Then the registration succeeds
    And the response shows id as an id of profile field
    And the response shows paymentBrand "BRADESCO"

  @field:E66
  Scenario: The integrity of the script is read without a checkout
    When "/v1/fastcheckout/integrity" is requested with GET without a token
    Then the status is 200
    And the response shows the integrity hash of the script

  @field:E59 @needs:channels @decision:D-283
  Scenario: An authentication alone requires no browser data
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant posts to "/v1/threeDSecure"
      | amount           | 92.00                     |
      | currency         | EUR                       |
      | paymentBrand     | VISA                      |
      | card.number      | 4012001036275556          |
      | card.expiryMonth | 05                        |
      | card.expiryYear  | 2034                      |
      | shopperResultUrl | https://shop.example/done |
    Then the payment is pending
    And the response redirects the shopper

  @field:E09
  Scenario: The script of the payment form is served
    Given a checkout for 92.00 EUR
    When "/v1/paymentWidgets.js" is requested with GET without a token
    Then the status is 200

  @field:E10
  Scenario: The older name of the entity is accepted in the query
    Given a debit of 92.00 EUR
    When the payment is read with the older login in the query
    Then the payment succeeds
    And the response has the id of the payment

  @field:E11 @decision:D-179
  Scenario: The older login is accepted instead of a token
    When a payment is posted with the older login
    Then the payment succeeds

  @field:E11 @decision:D-179
  Scenario: Both parts of the older login are accepted as a token
    When a payment is posted with both parts of the older login as a token
    Then the payment succeeds

  @field:E11 @field:E38 @decision:D-179
  Scenario Outline: An older login with a wrong part is refused
    When a payment is posted with the older login, the <part> wrong
    Then the status is 403
    And the response shows result.code "800.900.300"

    Examples:
      | part     | why                  |
      | user     | the token of another |
      | password | an unknown token     |

  @field:E12
  Scenario Outline: The content types of existing clients are accepted
    When a payment is posted to "/v1/payments" as "<content type>"
    Then the payment succeeds

    Examples:
      | content type                                     | why               |
      | application/x-www-form-urlencoded                | without a charset |
      | application/x-www-form-urlencoded;charset=UTF-8  | without a blank   |
      | application/x-www-form-urlencoded; charset=UTF-8 | with a blank      |

  @field:E12
  Scenario: A form without percent-encoding is accepted in profile field
    When a payment is posted as curl sends it, with card.holder=Jane Jones and customParameters[note]=a/b:c
    Then the payment succeeds
    And the response shows card.holder "Jane Jones"
    And the response shows customParameters[note] "a/b:c"

  @field:E12
  Scenario: A shopperResultUrl without percent-encoding is accepted
    When a payment is posted as curl sends it, with card.holder=Jane Jones and shopperResultUrl=https://shop.example/done?order=1
    Then the payment succeeds

  @field:E13
  Scenario Outline: A read with a form content type or an empty body is accepted
    Given a debit of 92.00 EUR
    When the merchant GETs "/v1/payments/{payment}" <dress>
    Then the payment succeeds
    And the response has the id of the payment

    Examples:
      | dress                           | why                          |
      | with the content type of a form | clients set it on everything |
      | with an empty body              | clients send an empty form   |

  @field:E13 @field:E50
  Scenario: A deletion with a form body is accepted
    Given a stored card
    When the merchant DELETEs "/v1/registrations/{stored}" with a form that says testMode=EXTERNAL
    Then the registration succeeds

  @field:E38
  Scenario Outline: A malformed Authorization header is answered with the expected scheme
    When a payment is posted with the header Authorization "<header>"
    Then the status is 401
    And the header WWW-Authenticate begins with "Bearer"
    And the response shows result.code "800.900.300"
    And the result description contains "invalid authentication information"
    And the response ends with buildNumber, timestamp and ndc

    Examples:
      | header             | why            |
      | Bearer             | no token       |
      | Bearer one two     | a blank in it  |
      | Basic dXNlcjpwYXNz | another scheme |

  @field:E38
  Scenario: An unknown token is answered with status 403
    When a payment is posted with the header Authorization "Bearer 00000000000000000000000000000000"
    Then the status is 403
    And the response shows result.code "800.900.300"

  @field:E39
  Scenario Outline: Errors of every status end with buildNumber, timestamp and ndc
    When "<path>" is requested with <method>
    Then the status is <status>
    And the response is JSON
    And the response ends with buildNumber, timestamp and ndc

    Examples:
      | path                                          | method | status | why             |
      | /v1/nothing                                   | GET    | 404    | no such path    |
      | /v1/payments                                  | PUT    | 405    | no such method  |
      | /v1/payments/8a8294174b7ecb28014b9699220015ca | GET    | 400    | no such payment |
      | /v1/query                                     | GET    | 400    | no criterion    |

  @field:E39 @field:E40
  Scenario: An error before authentication has a request id without an entity
    When a payment is posted without a token
    Then the status is 401
    And the response ends with buildNumber, timestamp and ndc
    And the response shows ndc as a bare request id

  @field:E43
  Scenario: A response is JSON and not chunked
    When the merchant posts a debit to "/v1/payments"
    Then the response is declared as JSON in UTF-8 and is not chunked

  @field:E24
  Scenario Outline: An unknown checkout is answered as no payment session
    When "<path>" is requested with GET
    Then the status is 400
    And the response shows result.code "200.300.404"
    And the result description contains "No payment session found for the requested id"

    Examples:
      | path                                                                 | why               |
      | /v1/checkouts/0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx02/payment | of another node   |
      | /v1/checkouts/0123456789ABCDEF0123456789ABCDEF.unknown/registration  | of a registration |

  @field:E49
  Scenario: An unknown payment is answered with status 400
    When "/v1/payments/8a8294174b7ecb28014b9699220015ca" is requested with GET
    Then the status is 400
    And the response is JSON
    And the response ends with buildNumber, timestamp and ndc
