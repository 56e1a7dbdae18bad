"""A connection of DuckDB for Python, with extensions from their packages. It reads from a bucket with the standard variables, which DuckDB does not read itself."""
import glob
import importlib
import os
import duckdb
from urllib.parse import urlparse


def open_duckdb(job, *extensions):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    is_bucket = job["lake"].startswith("s3://")
    for name in ["httpfs", *extensions] if is_bucket else extensions:
        package = os.path.dirname(importlib.import_module(f"duckdb_extension_{name}").__file__)
        connection.execute(f"LOAD '{glob.glob(f'{package}/extensions/*/{name}.duckdb_extension')[0]}'")
    if is_bucket:
        endpoint = urlparse(os.environ["AWS_ENDPOINT_URL"])
        connection.execute(
            f"""CREATE SECRET (TYPE s3, KEY_ID '{os.environ["AWS_ACCESS_KEY_ID"]}', SECRET '{os.environ["AWS_SECRET_ACCESS_KEY"]}',
              REGION '{os.environ["AWS_REGION"]}', ENDPOINT '{endpoint.netloc}', URL_STYLE 'path', USE_SSL {endpoint.scheme == "https"})"""
        )
    return connection
