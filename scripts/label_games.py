"""Games to label: sampled from the teacher's own policy, or read from SGF files.

A game is a generator: it yields itself at every position that is to be labelled, is sent the label,
plays on, and returns all of it when it is over.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gtpengine.core.types import BLACK, WHITE
from gtpengine.game import Game, IllegalMove, Move
from gtpengine.rules import PRESETS
from gtpengine.sgf import load
from label_writer import Floats, Label, LabelledGame, index_of, point_of

AREA, TERRITORY = PRESETS["chinese-ogs"], PRESETS["japanese"]

MOST_OPENING_MOVES = 10  # of a flattened policy, so that openings differ
FLATTENED = 2.0  # its temperature
TEMPERATURES = (0.5, 0.8, 1.0)
RANDOM_MOVES = (0, 0, 0, 0.03, 0.1)  # share of moves that are any legal one
TERRITORY_SHARE = 0.2  # of the games
FAR_SHARE = 0.1  # of the games, with a komi far off
LONGEST = 1.6  # moves a point
DECIDED = 0.02  # win rate of one side below which a game is decided
PLAYED_ON = 0.3  # share of games that are played to their end, decided or not

Labelling = Generator[Game, Label, LabelledGame]


def draw_komi(rng: random.Random, fair: float) -> float:
    """Points for White, half a point exact: mostly close to ``fair``, now and then far off."""
    spread = 12.0 if rng.random() < FAR_SHARE else 1.5
    return round(2 * rng.gauss(fair, spread)) / 2


def tempered(policy: Floats, temperature: float) -> Floats:
    """The policy with all logarithms divided by ``temperature``; what is 0 stays 0."""
    powers = (policy / policy.max()) ** (1 / temperature)
    return np.asarray(powers / powers.sum(), np.float32)


@dataclass(frozen=True)
class SampledGame:
    """Game ``number`` of those that ``seed`` gives; fair komi in points."""

    size: int
    seed: int
    number: int
    fair_komi: float

    def play(self) -> Labelling:
        rng = random.Random(f"{self.seed} {self.number}")
        rules = TERRITORY if rng.random() < TERRITORY_SHARE else AREA
        game = Game(self.size, rules, draw_komi(rng, self.fair_komi))
        done = LabelledGame(self.size, game.komi, rules is TERRITORY)
        n_opening_moves = rng.randint(0, MOST_OPENING_MOVES)
        temperature, random_moves = rng.choice(TEMPERATURES), rng.choice(RANDOM_MOVES)
        n_points = self.size * self.size
        patience = rng.randint(5, 3 * self.size)  # moves after the game is decided
        if rng.random() < PLAYED_ON:
            patience = 2 * n_points
        while not game.is_over and len(game.moves) < LONGEST * n_points and patience > 0:
            label = yield game
            legal = game.legal_points(game.to_play)
            if legal and rng.random() < random_moves:
                move = index_of(rng.choice(legal), self.size)
            else:
                is_opening = len(game.moves) < n_opening_moves
                policy = tempered(label.policy, FLATTENED if is_opening else temperature)
                move = rng.choices(range(n_points + 1), policy.tolist())[0]
            patience -= not DECIDED <= label.win_rate <= 1 - DECIDED
            done.moves.append(move)
            done.labels.append(label)
            game.play(game.to_play, point_of(move, self.size))
        return done


@dataclass(frozen=True)
class RecordedGame:
    """A game that others played, as far as label files can hold it."""

    size: int
    moves: Sequence[Move]
    komi: float
    territory: bool

    def play(self) -> Labelling:
        game = Game(self.size, TERRITORY if self.territory else AREA, self.komi)
        done = LabelledGame(self.size, self.komi, self.territory)
        for color, point in self.moves:
            label = yield game
            done.moves.append(index_of(point, self.size))
            done.labels.append(label)
            game.play(color, point)
        return done


def read_game(path: Path) -> RecordedGame:
    """The game of an SGF file up to its first two passes in a row.

    Raises ValueError, in one line, if label files cannot hold it: handicap or set-up stones,
    colors that do not alternate from Black on, moves that the superko of area games forbids.
    """
    record = load(path)
    first = record.first_board
    if first.stones(BLACK) or first.stones(WHITE):
        raise ValueError("expected an empty board, got handicap or set-up stones")
    if record.komi * 2 % 1:
        raise ValueError(f"expected komi in half points, got '{record.komi:g}'")
    is_territory = record.rules.scoring == "territory"
    game = Game(record.size, TERRITORY if is_territory else AREA, record.komi)
    for color, point in record.moves:
        if game.is_over:
            break
        if color != game.to_play:
            raise ValueError(
                f"expected colors by turns, got two moves in a row after {len(game.moves)}"
            )
        try:
            game.play(color, point)
        except IllegalMove as error:
            raise ValueError(f"move {len(game.moves) + 1} is illegal: {error}") from None
    if not game.moves:
        raise ValueError("expected moves, got none")
    return RecordedGame(game.size, game.moves, game.komi, is_territory)


def sgf_files(sources: Sequence[Path]) -> Iterator[Path]:
    """The .sgf files among and anywhere in ``sources``, sorted within each folder."""
    for source in sources:
        if source.is_dir():
            yield from sorted(source.rglob("*.sgf"))
        else:
            yield source
