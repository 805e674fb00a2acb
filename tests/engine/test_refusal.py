"""Refusals."""

from engine.position import Side
from engine.refusal import Reason, Refusal
from tests.engine.build import explain_in_english


def test_a_refusal_carries_its_reason_what_it_names_and_what_is_legal() -> None:
    refusal = Refusal(Reason.BLOCKED, ("k-q",), move="k-p", side=Side.BLACK, place="p", count=2)
    assert (refusal.reason, refusal.legal) == (Reason.BLOCKED, ("k-q",))
    assert refusal.parts == {"move": "k-p", "side": "black", "place": "p", "count": 2}
    assert isinstance(refusal, ValueError)
    assert explain_in_english(refusal) == "k-p: p is blocked by 2 of black's men"


def test_a_developer_sees_the_reason_and_what_it_names() -> None:
    assert str(Refusal(Reason.NO_POINT, name="j")) == "no-point {'name': 'j'}"


def test_without_anything_legal_the_list_is_empty() -> None:
    assert Refusal(Reason.OVER).legal == ()
