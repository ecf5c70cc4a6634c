"""The learned weights of moves that come with the package."""

from functools import cache
from importlib.resources import files

import numpy as np

from gtpengine.core.prior import Prior
from gtpengine.core.spatial import Patterns


@cache
def shipped_prior() -> Prior:
    """What scripts/priors.py learned, for boards of all sizes; read once."""
    with (
        files("gtpengine").joinpath("data", "prior.npz").open("rb") as file,
        np.load(file, allow_pickle=False) as archive,
    ):
        return Prior(Patterns(archive["packed"], archive["levels"]), archive["weights"])
