"""Fetches saved series in the way of the public Python client of the service that this wire comes from.

One JSON request a series, a dict a point that is then flattened, a data frame a series. As that client does it
(`each`), each request has a connection of its own, and each frame is concatenated onto those before; `once` keeps one
connection and concatenates at the end. Reads `task.json` in the folder that is given, writes the columns of the frame
there as numbers, sorted by item, region and start, and prints the milliseconds that fetching and joining took.
"""

import json
import re
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import requests

folder, way = Path(sys.argv[1]), sys.argv[2]
task = json.loads((folder / "task.json").read_text())
IDS = ["metric_id", "item_id", "region_id", "partner_region_id", "frequency_id", "source_id"]
ASKED = ["metric_id", "item_id", "region_id", "frequency_id", "source_id"]


def camel(name):
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def fetch_series(http, key):
    params = {camel(name): key[name] for name in ASKED}
    params["responseType"] = "list_of_series"
    response = http.get(task["url"] + "/v2/data", params=params, headers={"authorization": "Bearer none"})
    response.raise_for_status()
    return response.json()


def points_of(blocks):
    """Every point as a dict of its own, with the ids of its series."""
    points = []
    for block in blocks:
        series = block["series"]
        ids = {name: series.get(camel(name), 0) for name in IDS[:-1]}
        for row in block["data"]:
            points.append(
                {
                    "start_date": row[0],
                    "end_date": row[1],
                    "value": row[2],
                    "unit_id": row[4] if len(row) > 4 else series.get("unitId"),
                    "reporting_date": row[3] if len(row) > 3 else None,
                    "available_date": row[6] if len(row) > 6 else None,
                    "metadata": row[5] if len(row) > 5 and row[5] is not None else {},
                    "input_unit_id": row[4] if len(row) > 4 else series.get("unitId"),
                    "input_unit_scale": 1,
                    **ids,
                }
            )
    return points


def flat(point):
    """A dict whose values are no dicts: those of an inner dict come by its name and theirs."""
    out = {}
    for name, value in point.items():
        if isinstance(value, dict):
            for inner, text in flat(value).items():
                out[name + "_" + inner] = text
        else:
            out[name] = value
    return out


def frame_of(key, points):
    frame = pd.DataFrame([flat(point) for point in points])
    frame["source_id"] = key["source_id"]
    for column in ["start_date", "end_date", "reporting_date", "available_date"]:
        frame[column] = pd.to_datetime(frame[column])
    return frame


def get_frame():
    http = requests if way == "each" else requests.Session()
    frames = []
    for key in task["keys"]:
        frame = frame_of(key, points_of(fetch_series(http, key)))
        frames = [pd.concat([*frames, frame])] if way == "each" else [*frames, frame]
    return frames[0] if way == "each" else pd.concat(frames)


began = time.perf_counter()
frame = get_frame()
ms = (time.perf_counter() - began) * 1000

frame = frame.sort_values(["item_id", "region_id", "start_date"], kind="stable")
for name in ["start_date", "end_date"]:
    frame[name].to_numpy().astype("datetime64[ms]").astype("int64").tofile(folder / name)
for name in [*IDS, "unit_id"]:
    frame[name].to_numpy().astype("int32").tofile(folder / name)
frame["value"].to_numpy().astype("float64").tofile(folder / "value")
assert frame["reporting_date"].isna().all()
print(ms)
