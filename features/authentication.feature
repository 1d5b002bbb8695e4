Feature: Authentication
  A merchant authenticates with an access token and names the entity that a request is for.

  @req:AUTH-01
  Scenario: A request without credentials is refused
    When the merchant debits 92.00 EUR without any credentials
    Then the credentials are refused as missing or malformed

  @req:AUTH-01
  Scenario: Reading a payment without credentials is refused
    Given a debit of 92.00 EUR
    When the merchant reads it without any credentials
    Then the credentials are refused as missing or malformed

  @req:AUTH-03
  Scenario Outline: Credentials that are no bearer token are refused
    When the merchant debits 92.00 EUR with the credentials "<credentials>"
    Then the credentials are refused as missing or malformed

    Examples:
      | credentials        | why                   |
      | Bearer             | a scheme and no token |
      | Basic dXNlcjpwYXNz | another scheme        |
      | Bearer one two     | a blank in the token  |
      | OGFjN2E0Yzc=       | a token and no scheme |

  @req:AUTH-04
  Scenario: A token that was never issued is refused
    When the merchant debits 92.00 EUR with the token "bm9ib2R5fG5vdGhpbmc="
    Then the credentials are refused as unknown

  @req:AUTH-04
  Scenario: A token without its last character is refused
    When the merchant debits 92.00 EUR with its token without the last character
    Then the credentials are refused as unknown

  @req:AUTH-03 @req:AUTH-04 @decision:D-18
  Scenario Outline: All authentication failures have the same result code
    When the merchant debits 92.00 EUR <presenting>
    Then the response shows result.code "800.900.300"

    Examples:
      | presenting                                        | why               |
      | without any credentials                           | none at all       |
      | with the credentials "Basic dXNlcjpwYXNz"         | another scheme    |
      | with the token "bm9ib2R5fG5vdGhpbmc="             | an unknown token  |
      | for the entity "8ac7a4c7000000000000000000000000" | an unknown entity |

  @req:AUTH-03 @req:AUTH-04
  Scenario: A refusal shows neither the token nor its beginning
    When the merchant debits 92.00 EUR with the token "bm9ib2R5fG5vdGhpbmc="
    Then the credentials are refused as unknown
    And the response does not contain "bm9ib2R5"

  @req:AUTH-02
  Scenario Outline: A payment names its entity by 32 lowercase hex digits
    When the merchant debits 92.00 EUR for the entity "<entity>"
    Then the request is refused, naming entityId

    Examples:
      | entity                            | why             |
      | 8AC7A4C7000000000000000000000000  | capital letters |
      | 8ac7a4c700000000000000000000000   | 31 digits       |
      | 8ac7a4c70000000000000000000000000 | 33 digits       |
      | zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz  | no hex digits   |

  @req:AUTH-02
  Scenario: A payment that names no entity is refused
    When the merchant debits 92.00 EUR without an entity id
    Then the request is refused, naming entityId

  @req:AUTH-02 @req:AUTH-04 @code:D-18
  Scenario: An unknown entity is refused like an unknown token
    When the merchant debits 92.00 EUR for the entity "8ac7a4c7000000000000000000000000"
    Then the credentials are refused as unknown

  @req:AUTH-02 @decision:D-32
  Scenario: The older name of entityId is accepted
    When the merchant debits 92.00 EUR with authentication.entityId instead of entityId
    Then the payment succeeds

  @req:AUTH-06 @needs:other
  Scenario: A merchant cannot pay with the entity of another merchant
    Given two merchants of one sandbox
    When the merchant debits 92.00 EUR for the entity of the other merchant
    Then the credentials are refused as unknown

  @req:AUTH-06 @needs:other
  Scenario: A merchant cannot read the payment of another merchant
    Given two merchants of one sandbox
    And an authorized payment of 92.00 EUR
    When the other merchant reads it
    Then the request is refused as not found

  @req:AUTH-06 @needs:other
  Scenario: A merchant cannot capture the payment of another merchant
    Given two merchants of one sandbox
    And an authorized payment of 92.00 EUR
    When the other merchant captures 92.00 EUR of it
    Then the request is refused as not found

  @req:AUTH-06 @needs:other
  Scenario: A merchant cannot reverse the payment of another merchant
    Given two merchants of one sandbox
    And an authorized payment of 92.00 EUR
    When the other merchant reverses it
    Then the request is refused as not found

  @req:AUTH-06 @needs:other
  Scenario: Another merchant's payment is answered like an unknown payment
    Given two merchants of one sandbox
    And an authorized payment of 92.00 EUR
    When the other merchant reads it
    Then the request is refused as not found
    And the response does not contain "92.00"
    And the response does not contain "Jane Jones"

  @req:AUTH-06 @needs:other
  Scenario: An attempt of another merchant does not change the payment
    Given two merchants of one sandbox
    And an authorized payment of 92.00 EUR
    And the other merchant tries to capture 92.00 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @req:AUTH-06 @needs:other
  Scenario: A merchant of another sandbox cannot read the payment
    Given an authorized payment of 92.00 EUR
    When a merchant of another sandbox reads it
    Then the request is refused as not found

  @req:AUTH-07
  Scenario Outline: A token sent as a parameter does not authenticate
    When the merchant debits 92.00 EUR with its token only as parameter <parameter>
    Then the credentials are refused as missing or malformed

    Examples:
      | parameter                  | why               |
      | accessToken                | a likely name     |
      | authentication.accessToken | beside the entity |
      | Authorization              | the name it has   |
