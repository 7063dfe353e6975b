"""Learning the game, and the rules of a preset and of one's own table with examples."""

import html as entities
from dataclasses import replace

import pytest
from django.test import Client

from games import rules, wording
from games.rules import PRESETS
from games.wording.lessons import lessons
from games.wording.rule_examples import explain
from tests.cast import person, table

pytestmark = pytest.mark.django_db


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return entities.unescape(response.content.decode())


@pytest.mark.parametrize("step", range(1, 8))
def test_each_step_asks_and_answers_without_scripts(client: Client, step: int) -> None:
    lesson = lessons()[step - 1]
    page = read(client, f"/learn/{step}/")
    assert lesson.question in page
    assert "Right." not in page
    for number, choice in enumerate(lesson.choices, 1):
        page = read(client, f"/learn/{step}/?answer={number}")
        assert ("Right." in page) == choice.is_right
        assert choice.why in page
    assert (f'href="/learn/{step + 1}/"' in page) == (step < 7)


def test_the_end_leads_to_a_first_game(client: Client) -> None:
    assert "/accounts/signup/" in read(client, "/learn/7/")
    client.force_login(person("alice"))
    assert "Play against 3 bots now" in read(client, "/learn/7/")


@pytest.mark.parametrize("address", ["/learn/0/", "/learn/8/", "/learn/x/"])
def test_there_is_no_other_step(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("answer", ["0", "4", "", "x", "1" * 5000])
def test_an_answer_that_is_none_is_no_answer(client: Client, answer: str) -> None:
    page = read(client, f"/learn/2/?answer={answer}")
    assert "Not quite." not in page
    assert "Right." not in page


@pytest.mark.parametrize("address", ["/", "/rules/"])
def test_a_visitor_finds_the_way_to_learn_it(client: Client, address: str) -> None:
    assert 'href="/learn/"' in read(client, address)


def test_who_has_no_game_yet_finds_it_too(client: Client) -> None:
    client.force_login(person("alice"))
    assert 'href="/learn/"' in read(client, "/")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_s_page_has_an_example_for_every_rule(client: Client, name: str) -> None:
    page = read(client, f"/rules/{name}/")
    for each in explain(PRESETS[name]):
        assert each.line.sentence in page
        assert each.example.text in page
        for verdict in each.example.verdicts:
            assert verdict.is_legal or verdict.why in page


def test_a_table_s_own_rules_have_a_page_with_its_own_toggles(client: Client) -> None:
    own = replace(
        rules.find_ruleset("bga"),
        name="custom",
        raise_mode=rules.RaiseMode.ONE_WAY,
        bid_cap=rules.BidCap.DICE_IN_PLAY,
    )
    game = table(("alice", "bob"), ruleset=own, is_private=False)
    page = read(client, f"/g/{game.code}/rules/")
    assert "wild-ace" in page
    for each in explain(own):
        assert each.line.sentence in page
        assert each.example.text in page
    assert wording.choice_text(rules.BidCap.DICE_IN_PLAY) in page
    assert "Time for a turn: 1 day." in page


def test_the_table_and_its_waiting_room_lead_to_that_page(client: Client) -> None:
    game = table(("alice", "bob"), is_private=False)
    assert f'href="/g/{game.code}/rules/"' in read(client, f"/g/{game.code}/")


def test_a_stranger_does_not_learn_the_rules_of_a_private_table(client: Client) -> None:
    game = table(("alice", "bob"), is_private=True)
    client.force_login(person("mallory"))
    assert client.get(f"/g/{game.code}/rules/").status_code == 404
