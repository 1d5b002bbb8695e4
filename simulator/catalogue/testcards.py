"""Test cards: numbers that mean something to the simulator. Any expiry date to come will do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TestCard:
    """A card number, the brand it is detected as, and how the simulator takes it."""

    __test__ = False

    brand: str
    number: str
    meaning: str


# fmt: off
TEST_CARDS = (
    #        brand       number                  meaning
    TestCard("VISA",     "4200000000000000",     "plain"),
    TestCard("VISA",     "4111111111111111",     "plain"),
    TestCard("VISA",     "4242424242424242",     "plain"),
    TestCard("VISA",     "4012888888881881",     "3-D Secure 1"),
    TestCard("VISA",     "4711100000000000",     "3-D Secure 1"),
    TestCard("MASTER",   "5454545454545454",     "plain"),
    TestCard("MASTER",   "5105105105105100",     "plain"),
    TestCard("MASTER",   "5212345678901234",     "3-D Secure 1"),
    TestCard("AMEX",     "377777777777770",      "plain"),
    TestCard("AMEX",     "375987000000005",      "3-D Secure 1"),
    TestCard("DINERS",   "30082246403846",       "plain"),
    TestCard("VISA",     "4200000000000091",     "3-D Secure 2: frictionless with method"),
    TestCard("VISA",     "4200000000000109",     "3-D Secure 2: attempt with method"),
    TestCard("VISA",     "4200000000000026",     "3-D Secure 2: frictionless"),
    TestCard("VISA",     "4200000000000059",     "3-D Secure 2: attempt"),
    TestCard("VISA",     "4012001037461114",     "3-D Secure 2: technical error (status U)"),
    TestCard("VISA",     "4012001037141112",     "3-D Secure 2: not enrolled (status N)"),
    TestCard("VISA",     "4532497088771651",     "3-D Secure 2: not participating"),
    TestCard("VISA",     "4200000000000042",     "3-D Secure 2: challenge with method"),
    TestCard("VISA",     "4200000000000067",     "3-D Secure 2: challenge with method"),
    TestCard("VISA",     "4200000000000018",     "3-D Secure 2: challenge"),
    TestCard("VISA",     "4200000000000075",     "3-D Secure 2: challenge"),
    TestCard("MASTER",   "5200000000000007",     "3-D Secure 2: frictionless with method"),
    TestCard("MASTER",   "5200000000000023",     "3-D Secure 2: attempt with method"),
    TestCard("MASTER",   "5200000000000056",     "3-D Secure 2: frictionless"),
    TestCard("MASTER",   "5200000000000106",     "3-D Secure 2: attempt"),
    TestCard("MASTER",   "5434580000000006",     "3-D Secure 2: technical error (status U)"),
    TestCard("MASTER",   "5457350076543210",     "3-D Secure 2: not enrolled (status N)"),
    TestCard("MASTER",   "5497260847316287",     "3-D Secure 2: not participating"),
    TestCard("MASTER",   "5200000000000015",     "3-D Secure 2: challenge with method"),
    TestCard("MASTER",   "5200000000000049",     "3-D Secure 2: challenge with method"),
    TestCard("MASTER",   "5200000000000064",     "3-D Secure 2: challenge"),
    TestCard("MASTER",   "5200000000000072",     "3-D Secure 2: challenge"),
    TestCard("AMEX",     "374500262001008",      "3-D Secure 2: frictionless with method"),
    TestCard("AMEX",     "377277081382243",      "3-D Secure 2: attempt with method"),
    TestCard("AMEX",     "375987000000062",      "3-D Secure 2: frictionless"),
    TestCard("AMEX",     "373953192351004",      "3-D Secure 2: attempt"),
    TestCard("AMEX",     "375987000169875",      "3-D Secure 2: technical error (status U)"),
    TestCard("AMEX",     "375987000169883",      "3-D Secure 2: not enrolled (status N)"),
    TestCard("AMEX",     "343923092050144",      "3-D Secure 2: not participating"),
    TestCard("AMEX",     "343434343434343",      "3-D Secure 2: challenge with method"),
    TestCard("AMEX",     "375987000000021",      "3-D Secure 2: challenge with method"),
    TestCard("AMEX",     "375987000169867",      "3-D Secure 2: challenge"),
    TestCard("AMEX",     "371449635398431",      "3-D Secure 2: challenge"),
    TestCard("MAESTRO",  "6761301000993772",     "3-D Secure 2: frictionless with method"),
    TestCard("MAESTRO",  "6706981111111113",     "3-D Secure 2: attempt with method"),
    TestCard("MAESTRO",  "6799851000000032",     "3-D Secure 2: frictionless"),
    TestCard("MAESTRO",  "6007930123456780",     "3-D Secure 2: attempt"),
    TestCard("MAESTRO",  "6761301000941201",     "3-D Secure 2: technical error (status U)"),
    TestCard("MAESTRO",  "6761301000946341",     "3-D Secure 2: not enrolled (status N)"),
    TestCard("MAESTRO",  "6761257707836567",     "3-D Secure 2: not participating"),
    TestCard("MAESTRO",  "6799998900000060018",  "3-D Secure 2: challenge with method"),
    TestCard("MAESTRO",  "6773670009114879",     "3-D Secure 2: challenge with method"),
    TestCard("MAESTRO",  "67034200554565015",    "3-D Secure 2: challenge"),
    TestCard("MAESTRO",  "6759888888888888",     "3-D Secure 2: challenge"),
    TestCard("DINERS",   "36177580677072",       "3-D Secure 2: frictionless with method"),
    TestCard("DISCOVER", "6011000400001008",     "3-D Secure 2: attempt with method"),
    TestCard("DISCOVER", "6011010000000003",     "3-D Secure 2: frictionless"),
    TestCard("DISCOVER", "6011000990099818",     "3-D Secure 2: attempt"),
    TestCard("DISCOVER", "6510000000001248",     "3-D Secure 2: technical error (status U)"),
    TestCard("DISCOVER", "6011025500265831",     "3-D Secure 2: not enrolled (status N)"),
    TestCard("DISCOVER", "6011420711746440",     "3-D Secure 2: not participating"),
    TestCard("DINERS",   "36259600000004",       "3-D Secure 2: challenge with method"),
    TestCard("DISCOVER", "6011208701117775",     "3-D Secure 2: challenge with method"),
    TestCard("DISCOVER", "6559906559906557",     "3-D Secure 2: challenge"),
    TestCard("DINERS",   "36458811111119",       "3-D Secure 2: challenge"),
    TestCard("JCB",      "3530111333300000",     "3-D Secure 2: frictionless with method"),
    TestCard("JCB",      "3566002020360505",     "3-D Secure 2: attempt with method"),
    TestCard("JCB",      "3569990012278361",     "3-D Secure 2: frictionless"),
    TestCard("JCB",      "3569990012278353",     "3-D Secure 2: attempt"),
    TestCard("JCB",      "3566007770017510",     "3-D Secure 2: technical error (status U)"),
    TestCard("JCB",      "3569990012291497",     "3-D Secure 2: not enrolled (status N)"),
    TestCard("JCB",      "3096023363379943",     "3-D Secure 2: not participating"),
    TestCard("JCB",      "3566002345432153",     "3-D Secure 2: challenge with method"),
    TestCard("JCB",      "3569990010095916",     "3-D Secure 2: challenge with method"),
    TestCard("JCB",      "3569990012300876",     "3-D Secure 2: challenge"),
    TestCard("JCB",      "3569990012300884",     "3-D Secure 2: challenge"),
    TestCard("UNIONPAY", "6250947000000014",     "3-D Secure 2: frictionless with method"),
    TestCard("UNIONPAY", "6250947000000022",     "3-D Secure 2: attempt with method"),
    TestCard("UNIONPAY", "6250947000000089",     "3-D Secure 2: frictionless"),
    TestCard("UNIONPAY", "6250944220914108",     "3-D Secure 2: attempt"),
    TestCard("UNIONPAY", "6250947000000048",     "3-D Secure 2: technical error (status U)"),
    TestCard("UNIONPAY", "6250947000000030",     "3-D Secure 2: not enrolled (status N)"),
    TestCard("UNIONPAY", "6250947000000052",     "3-D Secure 2: not participating"),
    TestCard("UNIONPAY", "6250947000000097",     "3-D Secure 2: challenge with method"),
    TestCard("UNIONPAY", "6250944196725207",     "3-D Secure 2: challenge with method"),
    TestCard("UNIONPAY", "6250949644050173",     "3-D Secure 2: challenge"),
    TestCard("UNIONPAY", "6250945882768112",     "3-D Secure 2: challenge"),
)
# fmt: on
