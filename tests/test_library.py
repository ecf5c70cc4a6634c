"""The Python face: what a notebook or a script gets from ``import gtpengine``."""

import doctest

import numpy as np

import gtpengine
from gtpengine import BLACK, WHITE, Game, Player, PlayerSettings, Rules, format_vertex, parse_vertex


def test_the_example_in_the_package_is_true() -> None:
    assert doctest.testmod(gtpengine).failed == 0


def test_every_public_name_is_there_and_documented() -> None:
    for name in gtpengine.__all__:
        value = getattr(gtpengine, name)
        assert value is not None
        if callable(value):
            assert value.__doc__, name


def test_a_game_from_the_library_to_sgf_and_back() -> None:
    game = Game(9, Rules.from_name("japanese"), komi=6.5)
    for color, vertex in ((BLACK, "E5"), (WHITE, "E3"), (BLACK, "C4")):
        game.play(color, parse_vertex(vertex, 9))
    again = gtpengine.read_sgf(gtpengine.format_sgf(game))
    assert (again.moves, again.komi, again.rules) == (game.moves, 6.5, game.rules)
    assert str(again.board).splitlines()[4] == ". . . . X . . . ."


def test_what_a_search_found_comes_as_arrays_and_tuples() -> None:
    player = Player(PlayerSettings(visits=300, threads=1, seed=1, memory=64))
    game = Game(9)
    point = player.move(game, BLACK)
    owner = player.search.ownership()
    assert owner.shape == (9, 9)
    assert np.abs(owner).max() <= 1
    best = player.search.choices()[0]
    assert format_vertex(best.point) == format_vertex(point)
    assert gtpengine.format_score(gtpengine.final_score(game)) == "W+7.0"
