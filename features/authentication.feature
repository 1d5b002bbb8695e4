Feature: Authentication
  A merchant says who it is with an access token, and for which of its channels it speaks.

  @req:AUTH-01
  Scenario: A request without credentials is refused
    When the merchant debits 92.00 EUR without any credentials
    Then the credentials are refused as unreadable

  @req:AUTH-01
  Scenario: Reading a payment without credentials is refused
    Given a debit of 92.00 EUR
    When the merchant reads it without any credentials
    Then the credentials are refused as unreadable

  @req:AUTH-03
  Scenario Outline: Credentials that are no bearer token are refused
    When the merchant debits 92.00 EUR presenting "<credentials>"
    Then the credentials are refused as unreadable

    Examples:
      | credentials          | why                     |
      | Bearer               | a scheme and no token   |
      | Basic dXNlcjpwYXNz   | another scheme          |
      | Bearer one two       | a blank in the token    |
      | OGFjN2E0Yzc=         | a token and no scheme   |

  @req:AUTH-04
  Scenario: A token that was never issued is refused
    When the merchant debits 92.00 EUR with the token "bm9ib2R5fG5vdGhpbmc="
    Then the credentials are refused as unknown

  @req:AUTH-04
  Scenario: A token that differs in its last character is refused
    When the merchant debits 92.00 EUR with its token cut by one character
    Then the credentials are refused as unknown

  @req:AUTH-03 @req:AUTH-04 @decision:D-18
  Scenario Outline: Whatever is wrong with credentials, one code says so
    When the merchant debits 92.00 EUR <presenting>
    Then the answer shows result.code "800.900.300"

    Examples:
      | presenting                                           | why              |
      | without any credentials                              | none at all      |
      | presenting "Basic dXNlcjpwYXNz"                      | another scheme   |
      | with the token "bm9ib2R5fG5vdGhpbmc="                | an unknown token |
      | naming the entity "8ac7a4c7000000000000000000000000" | an unknown entity |

  @req:AUTH-03 @req:AUTH-04
  Scenario: The gateway tells neither the token nor its beginning in a refusal
    When the merchant debits 92.00 EUR with the token "bm9ib2R5fG5vdGhpbmc="
    Then the credentials are refused as unknown
    And the answer nowhere contains "bm9ib2R5"

  @req:AUTH-02
  Scenario Outline: A payment names its entity by 32 lowercase hex digits
    When the merchant debits 92.00 EUR naming the entity "<entity>"
    Then the request is refused, naming entityId

    Examples:
      | entity                            | why              |
      | 8AC7A4C7000000000000000000000000  | capital letters  |
      | 8ac7a4c700000000000000000000000   | 31 digits        |
      | 8ac7a4c70000000000000000000000000 | 33 digits        |
      | zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz  | no hex digits    |

  @req:AUTH-02
  Scenario: A payment that names no entity is refused
    When the merchant debits 92.00 EUR naming no entity
    Then the request is refused, naming entityId

  @req:AUTH-02 @req:AUTH-04 @decision:D-18
  Scenario: An entity that nobody knows is refused like a wrong token
    When the merchant debits 92.00 EUR naming the entity "8ac7a4c7000000000000000000000000"
    Then the credentials are refused as unknown

  @req:AUTH-02 @decision:D-32
  Scenario: The entity's older name is understood
    When the merchant debits 92.00 EUR naming its entity by the older name
    Then the payment succeeds

  @req:AUTH-06 @needs:control
  Scenario: A merchant cannot pay in the name of another
    Given a merchant with a neighbour
    When the merchant debits 92.00 EUR naming the neighbour's entity
    Then the credentials are refused as unknown

  @req:AUTH-06 @needs:control
  Scenario: A merchant cannot read the payment of another
    Given a merchant with a neighbour
    And an authorised payment of 92.00 EUR
    When the neighbour reads it
    Then it is not found

  @req:AUTH-06 @needs:control
  Scenario: A merchant cannot capture the payment of another
    Given a merchant with a neighbour
    And an authorised payment of 92.00 EUR
    When the neighbour captures 92.00 EUR of it
    Then it is not found

  @req:AUTH-06 @needs:control
  Scenario: A merchant cannot reverse the payment of another
    Given a merchant with a neighbour
    And an authorised payment of 92.00 EUR
    When the neighbour reverses it
    Then it is not found

  @req:AUTH-06 @needs:control
  Scenario: Another merchant's payment is answered like one that nobody made
    Given a merchant with a neighbour
    And an authorised payment of 92.00 EUR
    When the neighbour reads it
    Then it is not found
    And the answer nowhere contains "92.00"
    And the answer nowhere contains "Jane Jones"

  @req:AUTH-06 @needs:control
  Scenario: What a neighbour tried leaves the payment as it was
    Given a merchant with a neighbour
    And an authorised payment of 92.00 EUR
    And the neighbour tries to capture 92.00 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @req:AUTH-06 @needs:control
  Scenario: A merchant of another sandbox is a stranger
    Given an authorised payment of 92.00 EUR
    When a stranger reads it
    Then it is not found

  @req:AUTH-07
  Scenario Outline: A token sent as a parameter identifies nobody
    When the merchant debits 92.00 EUR with its token as <parameter> alone
    Then the credentials are refused as unreadable

    Examples:
      | parameter                  | why              |
      | accessToken                | a likely name    |
      | authentication.accessToken | beside the entity |
      | Authorization              | the name it has  |
