Feature: Paths, verbs and headers that clients in the field use
  Paths, queries, forms and credentials as existing clients send them, in the profile field.

  @field:E01
  Scenario: Clients prepare a checkout under the version prefix
    When the merchant posts to "/v1/checkouts"
      | amount      | 92.00 |
      | currency    | EUR   |
      | paymentType | DB    |
    Then the status is 200
    And the answer shows result.code "000.200.100"

  @field:E01 @field:E06
  Scenario: Clients read the payment of a checkout under the version prefix
    Given a checkout for 92.00 EUR
    And the shopper has paid in it by card
    When the merchant GETs "/v1/checkouts/{checkout}/payment"
    Then the payment succeeds
    And the answer is about it

  @field:E01 @field:E34
  Scenario: Clients read the registration of a checkout under the version prefix
    Given a checkout that only registers
    And the shopper has registered a card in it
    When the merchant GETs "/v1/checkouts/{checkout}/registration"
    Then the registration succeeds

  @field:E02 @field:E03 @field:E04
  Scenario Outline: What refers to an authorised payment is posted to its id
    Given an authorised payment of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | <type>     |
      | amount      | <amount>   |
      | currency    | <currency> |
    Then the payment succeeds
    And the answer shows paymentType "<type>"

    Examples:
      | type | amount | currency | why                        |
      | CP   | 92.00  | EUR      | the whole                  |
      | CP   | 30.00  | EUR      | a part of it               |
      | RV   |        |          | an amount that is empty    |
      | RC   | 92.00  | EUR      | a client sends receipts    |

  @field:E02 @field:E03 @field:E04
  Scenario Outline: What refers to a debit is posted to its id
    Given a debit of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | <type>     |
      | amount      | <amount>   |
      | currency    | <currency> |
    Then the payment succeeds
    And the answer shows paymentType "<type>"

    Examples:
      | type | amount | currency | why                        |
      | RF   | 92.00  | EUR      | the whole                  |
      | RF   | 30.00  | EUR      | a part of it               |
      | RV   |        |          | a client reverses debits   |
      | RB   | 92.00  | EUR      | a client sends rebills     |

  @field:E03
  Scenario: A reversal says nothing of money
    Given an authorised payment of 92.00 EUR
    When the merchant posts to "/v1/payments/{payment}"
      | paymentType | RV |
    Then the payment succeeds

  @field:E04
  Scenario: A capture is refunded by its own id
    Given an authorised payment of 92.00 EUR
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
  Scenario Outline: A stored card is read and removed by query
    Given a stored card
    When the merchant <asks> "/v1/registrations/{stored}"
    Then the registration succeeds
    And the answer shows result.code "000.100.110"

    Examples:
      | asks    | why                           |
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
    And the answer shows paymentType "<taken>"

    Examples:
      | type | taken | why                                        |
      | PA   | PA    | money is reserved                          |
      | DB   | DB    | money is taken                             |
      | CP   | PA.CP | there is nothing to capture but the account |

  @field:E06
  Scenario: A payment is read with the entity in the query
    Given a debit of 92.00 EUR
    When the merchant GETs "/v1/payments/{payment}"
    Then the payment succeeds
    And the answer is about it

  @field:E07
  Scenario: A registration is found among the payments
    Given a stored card
    When the merchant GETs "/v1/payments/{stored}"
    Then the registration succeeds
    And the answer is about the registration

  @field:E07
  Scenario: The registration a payment left is found among the payments
    Given the registration that a payment left
    When the merchant GETs "/v1/payments/{stored}"
    Then the registration succeeds
    And the answer is about the registration

  @field:E08
  Scenario: A refund without a reference is refused as a new payment would be
    When the merchant posts to "/v1/payments/"
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |
    Then the request is refused, naming paymentType

  @field:E08
  Scenario: A path that ends with a slash takes a payment
    When the merchant posts an ordinary debit to "/v1/payments/"
    Then the payment succeeds

  @field:E09
  Scenario: A report by id shows the payment
    Given a debit of 92.00 EUR
    When the merchant GETs "/v1/query/{payment}"
    Then the payment succeeds
    And the answer is about it

  @field:E09
  Scenario Outline: A report by reference lists the payments
    Given a debit of 92.00 EUR with merchantTransactionId "abc123"
    When the merchant GETs "<path>?merchantTransactionId=abc123"
    Then the answer shows result.code "000.000.100"
    And the result is explained by "successful request"
    And the report holds 1 transactions

    Examples:
      | path      | why                |
      | /v1/query | the older report   |
      | /v3/query | the one with pages |

  @field:E09
  Scenario: A report by a reference that nobody used finds no transaction
    When the merchant GETs "/v1/query?merchantTransactionId=nobody99"
    Then the request is refused with 700.400.580
    And the result is explained by "cannot find transaction"

  @field:E09
  Scenario: A checkout is changed by a post to its id
    Given a checkout for 92.00 EUR
    When the merchant posts to "/v1/checkouts/{checkout}"
      | amount      | 93.00 |
      | currency    | EUR   |
      | paymentType | DB    |
    Then the status is 200

  @field:E09
  Scenario: The script of the form is at the path that pages name
    Given a checkout for 92.00 EUR
    When "/v1/paymentWidgets.js" is asked for by GET without a token
    Then the status is 200

  @field:E10
  Scenario: The older name of the entity stands in a query as well
    Given a debit of 92.00 EUR
    When the payment is read with the older login in the query
    Then the payment succeeds
    And the answer is about it

  @field:E11 @decision:D-179
  Scenario: The older login is taken in the place of a token
    When a payment is posted with the older login
    Then the payment succeeds

  @field:E11 @decision:D-179
  Scenario: Both parts of the older login make a token
    When a payment is posted with both parts of the older login as a token
    Then the payment succeeds

  @field:E11 @field:E38 @decision:D-179
  Scenario Outline: An older login that is wrong is refused
    When a payment is posted with the older login, the <part> wrong
    Then the status is 401
    And the answer shows result.code "800.900.300"

    Examples:
      | part     | why                     |
      | user     | the token of another    |
      | password | a token nobody has      |

  @field:E12
  Scenario Outline: Forms of clients in the field are understood
    When a payment is posted to "/v1/payments" as "<content type>"
    Then the payment succeeds

    Examples:
      | content type                                     | why               |
      | application/x-www-form-urlencoded                | without a charset |
      | application/x-www-form-urlencoded;charset=UTF-8  | without a blank   |
      | application/x-www-form-urlencoded; charset=UTF-8 | with a blank      |

  @field:E12
  Scenario: Bodies of curl and PHP are not percent-encoded
    When a payment is posted as curl sends it, with card.holder=Jane Jones and customParameters[note]=a/b:c
    Then the payment succeeds
    And the answer shows card.holder "Jane Jones"
    And the answer shows customParameters[note] "a/b:c"

  @field:E12
  Scenario: An address is not percent-encoded
    When a payment is posted as curl sends it, with card.holder=Jane Jones and shopperResultUrl=https://shop.example/done?order=1
    Then the payment succeeds

  @field:E13
  Scenario Outline: A read is understood, whatever it is dressed as
    Given a debit of 92.00 EUR
    When the merchant GETs "/v1/payments/{payment}" <dress>
    Then the payment succeeds
    And the answer is about it

    Examples:
      | dress                           | why                          |
      | with the content type of a form | clients set it on everything |
      | with an empty body              | clients send an empty form   |

  @field:E13 @field:E50
  Scenario: A removal may come with a form
    Given a stored card
    When the merchant DELETEs "/v1/registrations/{stored}" with a form that says testMode=EXTERNAL
    Then the registration succeeds

  @field:E38
  Scenario Outline: A header that is no Bearer token is answered with how to authenticate
    When a payment is posted with the header Authorization "<header>"
    Then the status is 401
    And the header WWW-Authenticate begins with "Bearer"
    And the answer shows result.code "800.900.300"
    And the result is explained by "invalid authentication information"
    And the answer is closed as every answer is

    Examples:
      | header             | why              |
      | Bearer             | no token         |
      | Bearer one two     | a blank in it    |
      | Basic dXNlcjpwYXNz | another scheme   |

  @field:E38
  Scenario: A token nobody has is forbidden
    When a payment is posted with the header Authorization "Bearer 00000000000000000000000000000000"
    Then the status is 403
    And the answer shows result.code "800.900.300"

  @field:E39
  Scenario Outline: An error of any status is closed as every answer is
    When "<path>" is asked for by <method>
    Then the status is <status>
    And the answer is JSON
    And the answer is closed as every answer is

    Examples:
      | path                                          | method | status | why                |
      | /v1/nothing                                   | GET    | 404    | no such path       |
      | /v1/payments                                  | PUT    | 405    | no such method     |
      | /v1/payments/8a8294174b7ecb28014b9699220015ca | GET    | 400    | no such payment    |
      | /v1/query                                     | GET    | 400    | nothing asked for  |

  @field:E39 @field:E40
  Scenario: An error before any entity is known has a bare request id
    When a payment is posted without a token
    Then the status is 401
    And the answer is closed as every answer is
    And the answer shows ndc as a bare request id

  @field:E43
  Scenario: An answer is JSON in one piece
    When the merchant posts an ordinary debit to "/v1/payments"
    Then it is declared as JSON in UTF-8, and comes in one piece

  @field:E24
  Scenario Outline: A checkout that nobody prepared is no session
    When "<path>" is asked for by GET
    Then the status is 400
    And the answer shows result.code "200.300.404"
    And the result is explained by "No payment session found for the requested id"

    Examples:
      | path                                                              | why                  |
      | /v1/checkouts/0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx02/payment | of another node   |
      | /v1/checkouts/0123456789ABCDEF0123456789ABCDEF.nobody/registration   | of a registration |

  @field:E49
  Scenario: A payment that nobody made is read as an error
    When "/v1/payments/8a8294174b7ecb28014b9699220015ca" is asked for by GET
    Then the status is 400
    And the answer is JSON
    And the answer is closed as every answer is
