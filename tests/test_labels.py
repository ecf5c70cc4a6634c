"""Label files: which positions are held back, how batches are turned, how reading goes on."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from labels import Labels, labels_by_size, mixed_batches, prefetched
from toy_labels import write_labels

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
    groups = labels_by_size([*paths, other])
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
        labels_by_size([])


def test_labels_of_two_sizes_do_not_mix(paths: list[Path], tmp_path: Path) -> None:
    other = write_labels(tmp_path / "x.npz", 4, n_games=3, seed=1)
    with pytest.raises(ValueError, match=r"expected labels of one board size, got '\[4, 5\]'"):
        Labels([paths[0], other])
    with pytest.raises(ValueError, match="expected label files, got none"):
        Labels([])
