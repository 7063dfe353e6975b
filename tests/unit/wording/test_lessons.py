import pytest

from games.rules import Bid
from games.wording.lessons import Lesson, lessons

NAMES = [lesson.title for lesson in lessons()]


@pytest.mark.parametrize("lesson", lessons(), ids=NAMES)
def test_a_lesson_has_one_right_answer_and_says_why_each_is_what_it_is(lesson: Lesson) -> None:
    assert sum(choice.is_right for choice in lesson.choices) == 1
    assert len(lesson.choices) == 3
    assert all(choice.text and choice.why for choice in lesson.choices)


def test_the_lessons_speak_of_every_move() -> None:
    assert NAMES == [
        "Your cup", "The bid", "The raise", "The price of aces", "Dudo", "Calza", "Palifico",
    ]  # fmt: skip


def test_the_rules_give_the_reasons() -> None:
    said = {
        (lesson.title, choice.bid): choice.why for lesson in lessons() for choice in lesson.choices
    }
    assert said["The raise", Bid(4, 3)] == "4 threes does not raise 4 fours."
    assert said["The bid", Bid(2, 1)] == "A normal round cannot be opened with a bid on aces."
    assert "at least 3 aces" in said["The price of aces", Bid(2, 1)]
    assert "stay with the fours" in said["Palifico", Bid(2, 6)]


def test_a_call_is_judged_as_the_rules_judge_it() -> None:
    dudo, calza = (lesson for lesson in lessons() if lesson.outcome)
    assert dudo.choices[0].is_right
    assert "there are 5 fives. Bob loses a die." in dudo.choices[0].why
    assert calza.choices[1].is_right
    assert "Alice gets a die back." in calza.choices[1].why
