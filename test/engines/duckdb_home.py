"""Puts the packages of DuckDB's extensions where DuckDB puts those that it downloads, below a home folder: then they load by themselves."""
import glob
import importlib
import os
import sys
import duckdb

version, platform = duckdb.sql("SELECT version(), (SELECT platform FROM pragma_platform())").fetchone()
folder = f"{sys.argv[1]}/.duckdb/extensions/{version}/{platform}"
os.makedirs(folder, exist_ok=True)
for name in ("delta", "ducklake", "httpfs"):
    package = os.path.dirname(importlib.import_module(f"duckdb_extension_{name}").__file__)
    link = f"{folder}/{name}.duckdb_extension"
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(glob.glob(f"{package}/extensions/*/{name}.duckdb_extension")[0], link)
