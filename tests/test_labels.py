"""Labels and recorded games: what is held back, how batches are turned, how reading goes on."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from labels import (
    Labels,
    RecordedGames,
    labels_by_size,
    mixed_batches,
    positions_by_size,
    prefetched,
)
from toy_labels import write_games, write_labels

SIZE = 5


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("labels")
    return [write_labels(folder / f"{i}.npz", SIZE, n_games=23, seed=i) for i in range(2)]


def games_of(labels: Labels, index: npt.NDArray[np.int64]) -> set[int]:
    return set(labels.first[index].tolist())


def test_every_tenth_game_of_a_file_is_held_back(paths: list[Path]) -> None:
    labels = Labels(paths)
    training, validation = (games_of(labels, part) for part in (labels.training, labels.validation))
    assert not training & validation
    assert len(validation) == 2 * 2
    assert len(training) == 2 * 21
    alone = Labels(paths[:1])
    assert np.array_equal(alone.validation, labels.validation[: len(alone.validation)])


def test_a_turned_position_has_turned_labels(paths: list[Path]) -> None:
    labels = Labels(paths)
    index = labels.training[:40]
    plain = labels.batch(index, np.zeros(40, np.uint8))
    assert plain.policy.sum(axis=1) == pytest.approx(np.ones(40))
    for symmetry in range(8):
        turned = labels.batch(index, np.full(40, symmetry, np.uint8))
        table = labels.tables[symmetry]
        assert np.array_equal(turned.policy, plain.policy[:, table])
        flat = plain.owner.reshape(40, -1)[:, table[:-1]]
        assert np.array_equal(turned.owner.reshape(40, -1), flat)
        flat = plain.planes.reshape(40, -1, SIZE * SIZE)[:, :, table[:-1]]
        assert np.array_equal(turned.planes.reshape(flat.shape), flat)
        assert np.array_equal(turned.lead, plain.lead)


def test_reading_goes_on_where_it_stopped(paths: list[Path]) -> None:
    labels = Labels(paths)
    n_steps = 2 * len(labels.training) // 32 + 3  # into the third epoch
    stream = labels.training_batches(32, seed=3, start=0)
    all_at_once = [next(stream) for _ in range(n_steps)]
    for k in (1, n_steps // 2, n_steps - 1):
        later = next(labels.training_batches(32, seed=3, start=32 * k))
        assert np.array_equal(later.planes, all_at_once[k].planes)
        assert np.array_equal(later.policy, all_at_once[k].policy)


def test_prefetching_changes_nothing_and_hides_no_error(paths: list[Path]) -> None:
    labels = Labels(paths)
    plain = list(labels.fixed_batches(labels.validation, 7))
    ahead = list(prefetched(labels.fixed_batches(labels.validation, 7)))
    assert sum(len(batch.lead) for batch in plain) == len(labels.validation)
    assert len(plain) == len(ahead)
    assert all(np.array_equal(a.planes, b.planes) for a, b in zip(plain, ahead, strict=True))
    with pytest.raises(ValueError, match="expected at least 100000 positions for training"):
        list(prefetched(labels.training_batches(100_000, seed=1, start=0)))


def test_sizes_take_turns_by_their_share_and_go_on_where_they_stopped(
    paths: list[Path], tmp_path: Path
) -> None:
    other = write_labels(tmp_path / "x.npz", 4, n_games=20, seed=1)
    groups = positions_by_size([*paths, other])
    assert [labels.size for labels in groups] == [4, 5]
    stream = mixed_batches(groups, 32, seed=3, start=0)
    batches = [next(stream) for _ in range(60)]
    n_small = sum(batch.planes.shape[-1] == 4 for batch in batches)
    n_positions = [len(labels.training) for labels in groups]
    assert n_small == pytest.approx(60 * n_positions[0] / sum(n_positions), abs=1)
    for k in (1, 30, 59):
        later = next(mixed_batches(groups, 32, seed=3, start=32 * k))
        assert np.array_equal(later.planes, batches[k].planes)
    with pytest.raises(ValueError, match="expected label files, got none"):
        positions_by_size([])


def test_recorded_games_tell_the_move_the_winner_and_sometimes_the_margin(tmp_path: Path) -> None:
    path = write_games(tmp_path / "games.npz", SIZE, n_games=20, seed=4)
    games = RecordedGames([path])
    assert games_of(games, games.validation) == set(games.first[games.n_moves == 0][[9, 19]])
    archive = np.load(path)
    index = np.arange(len(archive["moves"]))
    for symmetry in (0, 5):
        batch = games.batch(index, np.full(len(index), symmetry, np.uint8))
        place = games.tables[symmetry][batch.policy.argmax(axis=1)]
        assert np.array_equal(place, archive["moves"])
        assert np.array_equal(batch.policy.sum(axis=1), np.ones(len(index)))
        assert np.isnan(batch.owner).all()
        first = 0
        for number, length in enumerate(archive["game_length"]):
            black = batch.win_rate[first : first + length : 2]
            white = batch.win_rate[first + 1 : first + length : 2]
            black_won = archive["winner"][number] == 1
            assert (black == black_won).all()
            assert (white != black_won).all()
            lead, margin = batch.lead[first : first + length], archive["margin"][number]
            if margin == 0:
                assert np.isnan(lead).all()
            else:
                assert np.array_equal(
                    lead[::2], np.full(len(black), margin if black_won else -margin)
                )
                assert np.array_equal(
                    lead[1::2], np.full(len(white), -margin if black_won else margin)
                )
            first += length


def test_recorded_games_get_as_many_batches_as_the_labels_of_their_size(
    paths: list[Path], tmp_path: Path
) -> None:
    games = write_games(tmp_path / "games.npz", SIZE, n_games=400, seed=4)
    other = write_labels(tmp_path / "x.npz", 4, n_games=20, seed=1)
    groups = positions_by_size([*paths, games, other])
    assert [group.name for group in groups] == ["4x4", "5x5", "5x5 games"]
    stream = mixed_batches(groups, 32, seed=3, start=0)
    batches = [next(stream) for _ in range(60)]
    without_owner = sum(bool(np.isnan(batch.owner).any()) for batch in batches)
    with_owner = sum(batch.planes.shape[-1] == SIZE for batch in batches) - without_owner
    assert without_owner == pytest.approx(with_owner, abs=1)
    assert len(positions_by_size([games])[0].training) > 10 * 32
    with pytest.raises(ValueError, match="expected label files, got recorded games only"):
        labels_by_size([games])


def test_labels_of_two_sizes_do_not_mix(paths: list[Path], tmp_path: Path) -> None:
    other = write_labels(tmp_path / "x.npz", 4, n_games=3, seed=1)
    with pytest.raises(ValueError, match=r"expected files of one board size, got '\[4, 5\]'"):
        Labels([paths[0], other])
    with pytest.raises(ValueError, match="expected label files, got none"):
        Labels([])
