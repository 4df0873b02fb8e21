"""Does one piece of work with pandas each time a line arrives, and answers with the milliseconds it took.

The line `answer` also has it write the result to a file.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

work, folder = sys.argv[1], Path(sys.argv[2])
sizes = json.loads((folder / "sizes.json").read_text())
regions, days = sizes["regions"], sizes["days"]


def column(name):
    return np.fromfile(folder / f"{name}.f64")


def degree_days():
    """One column a region, the layout that suits pandas best."""
    tmin = pd.DataFrame(column("tmin").reshape(regions, days).T)
    tmax = pd.DataFrame(column("tmax").reshape(regions, days).T)
    return lambda: ((tmin + tmax) / 2).clip(upper=sizes["cap"]).sub(sizes["base"]).clip(lower=0).sum()


def long_frame():
    region = np.repeat(np.arange(regions), days)
    day = np.tile(np.arange(days), regions)
    return pd.DataFrame({"region": region, "day": day, "value": column("value")}), column("weights")


def weighted_series():
    frame, weights = long_frame()
    return lambda: frame["value"] * weights[frame["region"].to_numpy()]


def wide():
    series = np.repeat(np.arange(regions), days)
    points = pd.DataFrame({"series": series, "day": column("day"), "value": column("value")})
    pivoted = dict(index="day", columns="series", values="value", aggfunc="first", dropna=False)
    return lambda: points.pivot_table(**pivoted).to_numpy().T.ravel()


run = {"wide": wide, "degree-days": degree_days, "weighted-series": weighted_series}[work]()
for line in sys.stdin:
    began = time.perf_counter()
    answer = run()
    ms = (time.perf_counter() - began) * 1000
    if line.strip() == "answer":
        np.asarray(answer, dtype=np.float64).tofile(folder / "answer.f64")
    print(ms, flush=True)
