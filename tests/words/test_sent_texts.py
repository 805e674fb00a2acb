"""What the tour's ear finds, and what it lets pass."""

import pytest

from tests.support.sent_texts import ENTRY, PICTURE, SentText, find_untranslated, list_body_texts

MADE_UP = frozenset({"Matchhh", "iss", "overrr", "andd", "too"})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("«Matchhh 7 iss overrr.»", []),
        ("### «<@7> andd Ana: «overrr», `a-b` andd /7»", []),
        ("«unusable: lost iss overrr»", ["unusable", "lost"]),
        ("«off too bar-af, hand15, a too z»", ["off", "bar", "hand"]),
        ("Match 7 is over.", ["Match", "is", "over"]),
        ("«Matchhh 7 is overrr.»", ["is"]),
        ("Matchhh 7 «iss overrr.»", ["outside: Matchhh"]),
        ("«Matchhh 7 iss overrr", ["outside: Matchhh", "outside: iss", "outside: overrr", "cut"]),
        ("«Matchhh 7 iss ov…", ["ov", "outside: Matchhh", "outside: iss", "cut"]),
        ("«3 off»", ["off"]),
    ],
)
def test_words_that_no_reader_said_are_found(text: str, wrong: list[str]) -> None:
    assert find_untranslated(SentText("content", text), MADE_UP) == wrong


def test_only_what_explains_an_entry_and_names_of_teams_may_be_cut() -> None:
    assert find_untranslated(SentText(ENTRY, "«Matchhh iss ov…"), MADE_UP) == []
    assert find_untranslated(SentText(ENTRY, "Match iss ov…"), MADE_UP) != []
    assert find_untranslated(SentText(PICTURE, "«Ana andd B…"), MADE_UP) == []
    assert find_untranslated(SentText(PICTURE, "«Matchhh andd B…"), MADE_UP) != []


def test_all_that_people_read_is_heard() -> None:
    menu = {
        "placeholder": "Pick",
        "options": [{"label": "a-b", "value": "a-b", "description": "Long"}],
    }
    button = {"label": "af", "custom_id": "match:1:2:table:af"}
    body = {
        "data": {
            "components": [{"content": "Told"}, {"items": [{"description": "Seen"}]}, menu, button]
        }
    }
    assert [sent.text for sent in list_body_texts(body)] == ["Told", "Seen", "Pick", "Long"]
    entry = {"label": "«Aaa bbb", "value": "b", "description": "ccc»"}
    assert [sent.text for sent in list_body_texts(entry)] == ["«Aaa bbb ccc»"]
    offered = {
        "data": {"choices": [{"name": "Zeno", "value": "zeno"}, {"name": "a-b", "value": "a-b"}]}
    }
    assert [sent.text for sent in list_body_texts(offered)] == ["Zeno"]
