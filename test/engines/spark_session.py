"""A Spark session on two cores, with the JARs of Delta Lake."""
from pyspark.sql import SparkSession


def open_spark(job, memory="2g"):
    return (
        SparkSession.builder.master("local[2]")
        .config("spark.jars", ",".join(job["jars"]))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.driver.memory", memory)
        .config("spark.sql.warehouse.dir", f"{job['scratch']}/warehouse")
        .config("spark.sql.shuffle.partitions", "4")
        # Made for large tables: fifty tasks to read a log of a few files.
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
