"""
Reads the grades and the terms of a server's lake in a loop until standard input ends. Every row carries its snapshot's number. Three readers take turns: one
attaches the lake each time, one keeps what it attached until DuckDB refuses it, and one keeps the lake of the first snapshot, which must never be refused.
"""
import json
import select
import sys
import duckdb
from duckdb_session import open_duckdb

data = sys.argv[1]
# The message of DuckDB's refusal holds what it read instead, which Python cannot decode.
REFUSALS = (duckdb.Error, UnicodeDecodeError)


def attach(name):
    connection = open_duckdb({"lake": ""}, "httpfs", "ducklake")
    # A refusal is final.
    connection.execute("SET http_retries = 0")
    connection.execute(f"ATTACH 'ducklake:{data}/{name}' AS uni (READ_ONLY)")
    return connection


def read(connection):
    """The numbers of the snapshots that the rows are of: one of them, or the read is mixed."""
    stamps = connection.execute("SELECT DISTINCT gradeACount FROM uni.grades").fetchall()
    names = connection.execute("SELECT DISTINCT longName FROM uni.terms").fetchall()
    return {f"generation {stamp}" for (stamp,) in stamps} | {name for (name,) in names}


result = {"reads": 0, "refused": 0, "errors": [], "mixed": 0, "snapshots": 0}
seen = set()
first = attach(sys.argv[2])
kept = None
while not select.select([sys.stdin], [], [], 0)[0]:
    for reader in ("fresh", "kept", "first"):
        result["reads"] += 1
        try:
            if reader == "kept" and kept is None:
                kept, expected = attach("lake.ducklake"), None
            numbers = read(first if reader == "first" else kept if reader == "kept" else attach("lake.ducklake"))
            seen |= numbers
            if reader == "kept":
                expected = expected or numbers
            if len(numbers) != 1 or (reader == "kept" and numbers != expected) or (reader == "first" and numbers != {"generation 1"}):
                result["mixed"] += 1
        except REFUSALS as error:
            if reader == "first":
                result["errors"].append(str(error)[:300])
            result["refused"] += 1
            kept = None if reader == "kept" else kept
        except Exception as error:
            result["errors"].append(repr(error)[:300])
result["snapshots"] = len(seen)
print(json.dumps(result))
