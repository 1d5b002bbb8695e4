Feature: Transport
  Requests are forms in UTF-8 over HTTP, responses are JSON. Only this feature and the one about paths
  in profile field name paths, headers and status codes.

  @req:TRN-01 @needs:tls
  Scenario: A plain request is refused where TLS is required
    When a payment is posted without TLS to the TLS address
    Then the payment is not accepted

  @req:TRN-01 @needs:tls
  Scenario: A payment travels over TLS
    When a payment is posted over TLS
    Then the status is 200
    And the payment succeeds

  @req:TRN-03
  Scenario Outline: A form is accepted with every content type that clients send
    When a payment is posted to "/v1/payments" as "<content type>"
    Then the status is 200
    And the payment succeeds

    Examples:
      | content type                                     | why               |
      | application/x-www-form-urlencoded; charset=UTF-8 | as suggested      |
      | application/x-www-form-urlencoded;charset=UTF-8  | without a blank   |
      | application/x-www-form-urlencoded                | without a charset |
      | application/x-www-form-urlencoded; charset=utf-8 | in small letters  |

  @req:TRN-02 @req:TRN-03
  Scenario: A form without percent-encoding is accepted
    When a payment is posted as curl sends it, with card.holder=Jane Jones and customParameters[note]=a/b:c
    Then the status is 200
    And the response shows card.holder "Jane Jones"
    And the response shows customParameters[note] "a/b:c"

  @req:TRN-02
  Scenario Outline: Values beyond ASCII are UTF-8
    When a payment is posted with customParameters[name] "<name>"
    Then the status is 200
    And the response shows customParameters[name] "<name>"

    Examples:
      | name        | why                |
      | Jörg Müller | two bytes a sign   |
      | Łukasz Żak  | two bytes a sign   |
      | 山田太郎    | three bytes a sign |

  @req:TRN-02 @code:D-04
  Scenario Outline: Bytes that are not UTF-8 are refused
    When a payment is posted with "<bytes>" appended
    Then the status is 400
    And the response is JSON

    Examples:
      | bytes              | why                |
      | &descriptor=%FF%FE | not UTF-8          |
      | &descriptor=a%C3   | cut in a character |

  @req:TRN-02 @decision:D-04
  Scenario Outline: Repeated names and invalid characters are refused
    When a payment is posted with "<bytes>" appended
    Then the status is 400
    And the request is refused as malformed

    Examples:
      | bytes                   | why                      |
      | &amount=93.00           | a name twice             |
      | &amount=92.00           | a name twice, same value |
      | &descriptor=a%00b       | NUL                      |
      | &descriptor=a%EF%BF%BDb | a replacement character  |
      | &=something             | an empty name            |

  @req:TRN-02 @decision:D-04 @pattern:limit
  Scenario: A name that comes again far behind is refused too
    When a payment is posted with a long parameter and its amount once more
    Then the status is 400
    And the request is refused as malformed

  @req:TRN-04
  Scenario Outline: Every response is JSON, whatever its status
    When <request>
    Then the status is <status>
    And the response is JSON
    And the response shows result.code as a result code

    Examples:
      | request                                            | status | why             |
      | a payment is posted to "/v1/payments"              | 200    | success         |
      | a payment is posted with "&amount=93.00" appended  | 400    | a violation     |
      | a payment is posted to "/v1/paymnets"              | 404    | a mistyped path |
      | "/v1/payments/nosuchpayment" is requested with GET | 404    | no such id      |
      | a payment is posted without a token                | 401    | no header       |

  @req:TRN-04 @decision:D-18
  Scenario: An unsupported method is refused
    When "/v1/payments" is requested with PUT
    Then the status is 405
    And the response is JSON
    And the response shows result.code "200.300.403"

  @req:ERR-01 @needs:declines
  Scenario: The status of a decline differs from that of a success
    When a payment is posted with card.holder "800.100.152"
    Then the status is 400

  @req:ERR-01
  Scenario Outline: The status of a refusal differs from that of a success
    When a payment is posted with <parameter> "<value>"
    Then the status is <status>

    Examples:
      | parameter   | value            | status | why                 |
      | card.holder | Jane Jones       | 200    | success             |
      | amount      | 92.0             | 400    | a violation         |
      | card.number | 4200000000000001 | 400    | a wrong check digit |

  @req:AUTH-03 @req:AUTH-04
  Scenario Outline: The status of a malformed header differs from that of an unknown token
    When a payment is posted with the header Authorization "<header>"
    Then the status is <status>

    Examples:
      | header         | status | why              |
      | Bearer         | 401    | no token         |
      | Basic YTpi     | 401    | another scheme   |
      | Bearer YTpiOmM | 403    | an unknown token |

  @req:AUTH-03
  Scenario: A malformed header is answered with the expected scheme
    When a payment is posted without a token
    Then the status is 401
    And the header WWW-Authenticate begins with "Bearer"

  @req:TRN-05
  Scenario: Dotted names become nested objects
    When a payment is posted with billing.city "Berlin"
    Then the status is 200
    And the response has billing as an object with city "Berlin"

  @req:TRN-06
  Scenario Outline: Indexes start at 0 and leave no gap
    When a payment is posted with "<bytes>" appended
    Then the status is 400
    And the request is refused as malformed

    Examples:
      | bytes                                             | why              |
      | &cart.items[1].name=Book                          | starts at 1      |
      | &cart.items[0].name=Book&cart.items[2].name=Apple | a gap            |
      | &cart.items[-1].name=Book                         | below 0          |
      | &cart.items[00].name=Book                         | 0 in another way |
      | &cart.items[x].name=Book                          | no number        |
      | &cart.items.name=Book                             | no index         |

  @req:TRN-06
  Scenario: Indexes may come in any order
    When a payment is posted with "&cart.items[1].name=Apple&cart.items[0].name=Book" appended
    Then the status is 200
    And the response shows cart.items[0].name "Book"
    And the response shows cart.items[1].name "Apple"

  @req:TRN-07
  Scenario: Maps take their keys in square brackets
    When a payment is posted with "&customParameters[my.key]=a&customParameters[my_key]=b" appended
    Then the status is 200
    And the response shows customParameters[my.key] "a"
    And the response shows customParameters[my_key] "b"

  @req:TRN-07
  Scenario: A map without a key is refused
    When a payment is posted with "&customParameters[]=a" appended
    Then the status is 400

  @req:END-01 @req:VER-01
  Scenario: A payment is created under the version's path
    When a payment is posted to "/v1/payments"
    Then the status is 200
    And the response shows id as a payment id

  @req:END-02
  Scenario: A payment is read under its id
    Given a debit of 92.00 EUR
    When the payment is requested under "/v1/payments/"
    Then the status is 200
    And the response has the id of the payment

  @req:END-02 @req:END-09
  Scenario: An unknown payment id is answered with 404
    When "/v1/payments/8a8294174b7ecb28014b9699220015ca" is requested with GET
    Then the status is 404

  @req:END-09
  Scenario Outline: An unknown path is answered with 404
    When a payment is posted to "<path>"
    Then the status is 404
    And the response shows result.code as a result code

    Examples:
      | path                                               | why              |
      | /v1/paymnets                                       | mistyped         |
      | /v1/Payments                                       | a capital letter |
      | /v1                                                | a version alone  |
      | /v1/payment                                        | one letter short |
      | /v1/payments/8a8294174b7ecb28014b9699220015ca/more | too long         |

  @req:VER-01 @req:VER-03
  Scenario Outline: An unknown version is answered with 404
    When a payment is posted to "<path>"
    Then the status is 404

    Examples:
      | path         | why        |
      | /v2/payments | not yet    |
      | /v0/payments | never was  |
      | /payments    | no version |

  @req:END-09 @decision:D-59
  Scenario: An unknown path is reported before missing credentials
    When "/v1/paymnets" is requested with GET without a token
    Then the status is 404

  @req:END-01 @decision:D-38
  Scenario: A trailing slash means the same path
    When a payment is posted to "/v1/payments/"
    Then the status is 200

  @req:END-02
  Scenario Outline: A read with a form content type is accepted
    Given a debit of 92.00 EUR
    When the payment is read with the content type "<content type>"
    Then the status is 200

    Examples:
      | content type                                     | why              |
      | application/x-www-form-urlencoded                | as posts have it |
      | application/x-www-form-urlencoded; charset=UTF-8 | as posts have it |

  @req:TRN-04 @decision:D-05
  Scenario: A body over the size limit is refused
    When a body of 2 MiB is posted
    Then the status is 413
    And the response is JSON

  @req:TRN-04 @decision:D-05
  Scenario: More parameters than allowed are refused
    When a payment of 10001 parameters is posted
    Then the status is 413
    And the response is JSON

  @req:ERR-04 @needs:throttling @decision:D-89
  Scenario: A throttled request is answered with Retry-After
    Given a merchant limited to 1 payment a minute, at half past the minute
    And a debit of 92.00 EUR
    When a payment is posted to "/v1/payments"
    Then the status is 429
    And the response is JSON
    And the header Retry-After begins with "30"

  @req:TRN-04
  Scenario: Responses are declared as JSON
    When a payment is posted to "/v1/payments"
    Then the header Content-Type begins with "application/json"

  @req:END-03 @req:END-05 @req:END-07 @req:VER-01
  Scenario Outline: Every reading of a checkout is there with and without the version prefix
    Given a checkout for 92.00 EUR
    When the merchant GETs "/<path>"
    Then the status is 200
    And the response shows result.code as a result code

    Examples:
      | path                                 | why                |
      | v1/checkouts/{checkout}              | with the prefix    |
      | checkouts/{checkout}                 | without the prefix |
      | v1/checkouts/{checkout}/payment      | with the prefix    |
      | checkouts/{checkout}/payment         | without the prefix |
      | v1/checkouts/{checkout}/registration | with the prefix    |
      | checkouts/{checkout}/registration    | without the prefix |

  @req:END-03 @req:END-04
  Scenario Outline: A checkout is paid with and without the version prefix
    Given a checkout for 92.00 EUR
    When the merchant posts to "/<path>"
      | paymentBrand     | VISA             |
      | card.number      | 4200000000000000 |
      | card.expiryMonth | 12               |
      | card.expiryYear  | 2099             |
      | card.cvv         | 123              |
    Then the status is 200
    And the payment succeeds
    And the response shows amount "92.00"

    Examples:
      | path                            | why                |
      | v1/checkouts/{checkout}/payment | with the prefix    |
      | checkouts/{checkout}/payment    | without the prefix |

  @req:END-03
  Scenario Outline: A checkout is deleted with and without the version prefix
    Given a checkout for 92.00 EUR
    When the merchant DELETEs "/<path>"
    Then the status is 200
    And the response shows buildNumber as some text
    And the response shows ndc as a request id

    Examples:
      | path                    | why                |
      | v1/checkouts/{checkout} | with the prefix    |
      | checkouts/{checkout}    | without the prefix |

  @req:END-03
  Scenario Outline: A checkout is changed under either path
    Given a checkout for 92.00 EUR
    When the merchant posts to "/<path>"
      | amount | 42.00 |
    Then the status is 200
    And the response shows buildNumber as some text
    And the response shows ndc as a request id

    Examples:
      | path                    | why                |
      | v1/checkouts/{checkout} | with the prefix    |
      | checkouts/{checkout}    | without the prefix |

  @req:RSP-02 @req:RSP-10 @req:ERR-03 @req:TRN-04
  Scenario Outline: A method that a path does not have is answered like any other request
    When "/<path>" is requested with <method>
    Then the response is JSON
    And the response shows result.code as a result code
    And the response shows buildNumber as some text
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id

    Examples:
      | path             | method | why              |
      | v1/payments      | PUT    | it takes a POST  |
      | v1/payments      | DELETE | it takes a POST  |
      | v1/checkouts     | GET    | it takes a POST  |
      | v1/registrations | PATCH  | it takes a POST  |
      | v1/risk          | GET    | it takes a POST  |

  @req:PAY-10 @req:RSP-07 @req:END-03
  Scenario Outline: A checkout that is read shows its amount with two decimals, and no memo
    Given a checkout for <amount> EUR with merchantMemo "ask for the blue one"
    When the merchant GETs "/v1/checkouts/{checkout}"
    Then the status is 200
    And the response shows amount "<shown>"
    And the response does not contain "ask for the blue one"

    Examples:
      | amount | shown | why          |
      | 92     | 92.00 | no decimals  |
      | 92.10  | 92.10 | two decimals |
