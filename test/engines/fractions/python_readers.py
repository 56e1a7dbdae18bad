"""
Reads the averages of the published grades as each library does by default, without a cast: the mean, what `describe`
says of it, the rows above 3, and one value. Arguments: the folder of the table, then the names of readers; without
names all of them. Prints one line of JSON.
"""
import glob
import json
import sys

folder, *wanted = sys.argv[1:]
files = sorted(glob.glob(f"{folder}/*.parquet"))
pattern = f"{folder}/*.parquet"


def duckdb():
    import duckdb

    rows = f"FROM read_parquet('{pattern}')"
    described = duckdb.sql(f"SELECT avg FROM (SUMMARIZE SELECT averageGPA {rows})").fetchall()[0][0]
    return {
        "version": duckdb.__version__,
        "mean": duckdb.sql(f"SELECT avg(averageGPA) {rows}").fetchall()[0][0],
        "describe": float(described),
        "above": len(duckdb.sql(f"SELECT 1 {rows} WHERE averageGPA > 3").fetchall()),
        "value": duckdb.sql(f"SELECT max(averageGPA) {rows}").fetchall()[0][0],
    }


def pandas():
    import pandas as pd

    grades = pd.read_parquet(folder, engine="pyarrow")
    return {
        "version": pd.__version__,
        "mean": grades.averageGPA.mean(),
        "describe": grades.describe()["averageGPA"]["mean"],
        "above": len(pd.read_parquet(folder, filters=[("averageGPA", ">", 3)])),
        "value": grades.averageGPA.round(2).max(),
    }


def pyarrow():
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    grades = ds.dataset(folder)
    column = grades.to_table().column("averageGPA")
    return {
        "version": pa.__version__,
        "mean": pc.mean(column).as_py(),
        "above": grades.count_rows(filter=ds.field("averageGPA") > 3),
        "value": pc.max(column).as_py(),
    }


def polars():
    import polars as pl

    grades = pl.scan_parquet(pattern)
    described = grades.describe().filter(pl.col("statistic") == "mean")["averageGPA"].item()
    return {
        "version": pl.__version__,
        "mean": grades.select(pl.col("averageGPA").mean()).collect().item(),
        "describe": float(described),
        "above": grades.filter(pl.col("averageGPA") > 3).collect().height,
        "value": grades.select(pl.col("averageGPA").max()).collect().item(),
    }


def ibis():
    import ibis

    grades = ibis.read_parquet(files)
    described = grades.describe().execute().set_index("name").loc["averageGPA"]
    return {
        "version": ibis.__version__,
        "mean": grades.averageGPA.mean().execute(),
        "describe": described["mean"],
        "above": grades.filter(grades.averageGPA > 3).count().execute(),
        "value": grades.averageGPA.max().execute(),
    }


def datafusion():
    import datafusion

    context = datafusion.SessionContext()
    context.register_parquet("grades", folder)
    frame = context.table("grades")
    # A name in capitals needs quotes.
    column = datafusion.col('"averageGPA"')
    described = {row["describe"]: row["averageGPA"] for row in frame.describe().to_pylist()}
    one = 'SELECT avg("averageGPA") AS mean, max("averageGPA") AS value FROM grades'
    [answer] = context.sql(one).to_pylist()
    return {
        "version": datafusion.__version__,
        "mean": answer["mean"],
        "describe": float(described["mean"]),
        "above": frame.filter(column > datafusion.lit(3)).count(),
        "value": answer["value"],
    }


def daft():
    import daft

    grades = daft.read_parquet(pattern)
    return {
        "version": daft.__version__,
        "mean": grades.mean("averageGPA").to_pydict()["averageGPA"][0],
        "above": grades.where(daft.col("averageGPA") > 3).count_rows(),
        "value": grades.max("averageGPA").to_pydict()["averageGPA"][0],
    }


def chdb():
    import chdb

    def ask(select):
        return json.loads(chdb.query(f"SELECT {select} FROM file('{pattern}', Parquet)", "JSONCompact").data())["data"][0][0]

    return {
        "version": chdb.__version__,
        "mean": ask("avg(averageGPA)"),
        "above": int(ask("countIf(averageGPA > 3)")),
        "value": ask("max(averageGPA)"),
    }


READERS = {
    "DuckDB": duckdb,
    "pandas, pyarrow engine": pandas,
    "pyarrow compute": pyarrow,
    "Polars": polars,
    "ibis": ibis,
    "DataFusion": datafusion,
    "daft": daft,
    "chDB": chdb,
}


def answer(read):
    try:
        # Numbers of numpy are numbers of Python here; a decimal stays what it is.
        return {key: value.item() if hasattr(value, "item") else value for key, value in read().items()}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:300]}


results = {name: answer(read) for name, read in READERS.items() if not wanted or name in wanted}
print(json.dumps(results, default=lambda value: f"{type(value).__name__} {value}"))
