from __future__ import annotations

import pytest

import outflank


@pytest.fixture(scope="module")
def engine():
    return outflank.Engine(hash_mib=4)


def play(engine, skill, seed, plies=60):
    engine.clear()
    player = outflank.SkillPlayer(skill, seed=seed)
    game = outflank.Game()
    while not game.is_over and len(game.plies) < plies:
        engine.play(game, skill=player)
    return game, player


def test_weaker_players_lose_their_discs(engine):
    """The losses are those of the player's own searches."""
    game, player = play(engine, "30,0,0", 1, plies=20)
    assert len(game.plies) == 20
    assert 15 < player.lost("black") < 50
    assert 15 < player.lost("white") < 50
    again, _ = play(engine, "30,0,0", 1, plies=20)
    assert again.plies == game.plies
    other, _ = play(engine, "30,0,0", 2, plies=20)
    assert other.plies != game.plies


def test_passes_are_made(engine):
    game = outflank.Game(start="-OX-OXXX" + "X" * 56 + " X")
    game.play("A1")
    player = outflank.SkillPlayer("beginner")
    assert engine.play(game, skill=player) == "PS"
    assert engine.play(game, skill=player) == "D1"
    assert engine.play(game, skill=player) is None


def test_skills_have_names_and_ratings():
    skills = outflank.skills()
    assert list(skills)[0] == "beginner" and list(skills)[-1] == "unlimited"
    assert list(skills.values()) == sorted(skills.values())
    for name in skills:
        assert outflank.SkillPlayer(name).skill == name
    assert outflank.SkillPlayer("1.5/move").skill == "15,15,15"
    assert repr(outflank.SkillPlayer("Club")) == "<outflank.SkillPlayer club>"


def test_wrong_skills_are_refused(engine):
    for text in ["", "weak", "-1", "nan", "1,2"]:
        with pytest.raises(ValueError, match="is no skill: expected beginner"):
            outflank.SkillPlayer(text)
    player = outflank.SkillPlayer("club")
    with pytest.raises(ValueError, match="a skill sets the depth"):
        engine.play(outflank.Game(), skill=player, level=4)
    with pytest.raises(TypeError, match="skill: expected a SkillPlayer, got str"):
        engine.play(outflank.Game(), skill="club")
    with pytest.raises(ValueError, match="side"):
        player.lost("red")
    with pytest.raises(ValueError, match="seed"):
        outflank.SkillPlayer("club", seed=-1)
