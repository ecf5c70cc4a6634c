"""Files of random games, for tests: with a teacher that knows only what captures and who won, and
without."""

import random
from pathlib import Path

import numpy as np

from gtpengine.coords import row_column
from gtpengine.core.board import Board
from gtpengine.core.history import History
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, PASS


def write_labels(path: Path, size: int, n_games: int, seed: int) -> Path:
    """Write random games; the policy favors captures, the values are the final score."""
    rng = random.Random(seed)
    length, moves, policies, leads, owners, komis = [], [], [], [], [], []
    for _ in range(n_games):
        history, komi = History(Board(size)), rng.choice([0.5, 6.5, 7.0])
        n_moves = rng.randrange(size, 2 * size * size)
        signs = []
        for _ in range(n_moves):
            board, color = history.board, history.to_play
            policy = np.zeros(size * size + 1)
            policy[-1] = 0.5
            points = [p for p in board.points() if not history.legality(color, p, "positional")]
            for point in points:
                row, column = row_column(point, size)
                after = board.copy()
                policy[row * size + column] = 1 + 20 * after.play(color, point)
            policy /= policy.sum()
            index = rng.choices(range(size * size + 1), policy.tolist())[0]
            moves.append(index)
            policies.append(np.round(255 * np.sqrt(policy)))
            signs.append(1 if color == BLACK else -1)
            point = next((p for p in points if row_column(p, size) == divmod(index, size)), PASS)
            history.play(color, point, "positional")
        owner = area_owner(history.board).reshape(-1)
        length.append(n_moves)
        komis.append(komi)
        leads += [sign * (float(owner.sum()) - komi) for sign in signs]
        owners += [sign * 7 * owner for sign in signs]
    leads_array = np.array(leads)
    np.savez(
        path,
        size=np.int32(size),
        game_length=np.array(length, np.int32),
        moves=np.array(moves, np.int16),
        komi=np.array(komis, np.float32),
        territory=np.zeros(n_games, bool),
        policy_sqrt=np.array(policies, np.uint8),
        winrate=np.where(leads_array > 0, 65535, 0).astype(np.uint16),
        lead=leads_array.astype(np.float16),
        ownership7=np.array(owners, np.int8),
    )
    return path


def write_games(path: Path, size: int, n_games: int, seed: int) -> Path:
    """Write random games without passes; every second one was resigned, its margin is 0."""
    rng = random.Random(seed)
    length, moves, winners, margins = [], [], [], []
    for game in range(n_games):
        history = History(Board(size))
        before = len(moves)
        for _ in range(rng.randrange(size, size * size)):
            board, color = history.board, history.to_play
            points = [p for p in board.points() if not history.legality(color, p, "simple")]
            if not points:
                break
            point = rng.choice(points)
            row, column = row_column(point, size)
            moves.append(row * size + column)
            history.play(color, point, "simple")
        score = float(area_owner(history.board).sum()) - 6.5
        length.append(len(moves) - before)
        winners.append(1 if score > 0 else -1)
        margins.append(abs(score) if game % 2 else 0)
    np.savez(
        path,
        size=np.int32(size),
        game_length=np.array(length, np.uint16),
        moves=np.array(moves, np.uint16),
        winner=np.array(winners, np.int8),
        margin=np.array(margins, np.float16),
    )
    return path


def contents(folder: Path) -> dict[str, dict[str, list[object]]]:
    """All arrays of the label files of a folder, as lists."""
    files = {}
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as archive:
            files[path.name] = {name: archive[name].tolist() for name in archive.files}
    return files
