"""Reads the folder of each table in the shortest way that each library has, and prints the types that it gives to the columns."""
import json
import os
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyspark
from pyarrow import types as is_type
from pyspark.sql.pandas.types import to_arrow_schema
from questions import read_job
from spark_session import open_spark

job = read_job()
spark = open_spark(job)


def from_duckdb(options):
    def schema(folder):
        return duckdb.sql(f"FROM read_parquet('{folder}/**/*.parquet'{options}) LIMIT 0").to_arrow_table().schema

    return schema


READERS = {
    "pandas": lambda folder: pyarrow.Schema.from_pandas(pandas.read_parquet(folder, dtype_backend="pyarrow"), preserve_index=False),
    "Polars": lambda folder: polars.read_parquet(folder).to_arrow().schema,
    "Arrow": lambda folder: pyarrow.dataset.dataset(folder).schema,
    "Arrow, hive": lambda folder: pyarrow.dataset.dataset(folder, partitioning="hive").schema,
    "DuckDB": from_duckdb(""),
    "DuckDB, hive": from_duckdb(", hive_partitioning = true"),
    "DuckDB, no hive": from_duckdb(", hive_partitioning = false"),
    "Spark": lambda folder: to_arrow_schema(spark.read.parquet(folder).schema),
}


def name_of(type_):
    """The same name for what engines write in several widths or units, and never one for two kinds of values."""
    if is_type.is_dictionary(type_):
        return f"dictionary of {name_of(type_.value_type)}"
    if is_type.is_string(type_) or is_type.is_large_string(type_) or is_type.is_string_view(type_):
        return "text"
    if is_type.is_map(type_):
        return f"map({name_of(type_.key_type)}, {name_of(type_.item_type)})"
    if is_type.is_list(type_) or is_type.is_large_list(type_) or is_type.is_list_view(type_):
        # Polars has a map as the list of its entries, which is how Parquet stores it.
        inner = type_.value_type
        if is_type.is_struct(inner) and [field.name for field in inner] == ["key", "value"]:
            return f"map({name_of(inner.field(0).type)}, {name_of(inner.field(1).type)})"
        return f"list({name_of(inner)})"
    if is_type.is_struct(type_):
        return f"struct({', '.join(f'{field.name} {name_of(field.type)}' for field in type_)})"
    if is_type.is_timestamp(type_):
        return "instant" if type_.tz else "timestamp"
    return str(type_).replace("date32[day]", "date")


types = {reader: {} for reader in READERS}
for table in job["tables"]:
    folder = f"{job['snapshots'][0]['folder']}/{table}"
    if os.path.isdir(folder):
        for reader, schema in READERS.items():
            types[reader][table] = {field.name: name_of(field.type) for field in schema(folder)}
versions = {
    "pandas": pandas.__version__,
    "Polars": polars.__version__,
    "Arrow": pyarrow.__version__,
    "DuckDB": duckdb.__version__,
    "Spark": pyspark.__version__,
}
print(json.dumps({"versions": versions, "types": types}))
