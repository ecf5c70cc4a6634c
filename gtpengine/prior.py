"""The learned weights of moves that come with the package."""

from functools import cache
from pathlib import Path

import numpy as np

from gtpengine.core.prior import Prior
from gtpengine.core.spatial import Patterns

SHIPPED = Path(__file__).parent / "data" / "prior.npz"


@cache
def shipped_prior() -> Prior:
    """What scripts/priors.py learned, for boards of all sizes; read once."""
    with np.load(SHIPPED, allow_pickle=False) as archive:
        return Prior(Patterns(archive["packed"], archive["levels"]), archive["weights"])
