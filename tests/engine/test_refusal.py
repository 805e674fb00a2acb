"""Refusals."""

from engine.refusal import Refusal, Rule


def test_a_refusal_carries_its_rule_sentence_and_what_is_legal() -> None:
    refusal = Refusal(Rule.BLOCKED, "k-p: black holds p with 2 men", ("k-q",))
    assert (refusal.rule, refusal.sentence, refusal.legal) == (Rule.BLOCKED, str(refusal), ("k-q",))
    assert isinstance(refusal, ValueError)


def test_without_anything_legal_the_list_is_empty() -> None:
    assert Refusal(Rule.PHASE, "the match is over").legal == ()
