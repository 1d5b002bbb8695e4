"""What stands under a secret name in an answer is shown under no other name of it either."""

from simulator.client.wire import Answer, OutgoingRequest
from simulator.commands.surface.shown import masking_answers

SECRET = "zebra-quince-81"


def test_a_journal_of_another_server_is_shown_without_what_it_repeats_of_a_secret() -> None:
    sent = {"customParameters[apiToken]": SECRET, "merchantMemo": f"by {SECRET}"}
    body = {"entries": [{"request": sent, "label": f"with {SECRET}"}]}
    request = OutgoingRequest("http://x/", "GET", "sandboxes/a/journal", {}, None)

    shown = masking_answers(request, lambda: Answer(200, {}, body)).body

    hidden = {"customParameters[apiToken]": "***", "merchantMemo": "by ***"}
    assert shown == {"entries": [{"request": hidden, "label": "with ***"}]}
