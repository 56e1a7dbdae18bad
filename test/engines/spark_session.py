"""A Spark session on two cores, with the JARs of Delta Lake and S3."""
import os
from pyspark.sql import SparkSession


def address(path):
    """Hadoop has a name of its own for S3."""
    return path.replace("s3://", "s3a://")


def open_spark(job, memory="2g"):
    return (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.extraClassPath", ":".join(job["jars"]))
        # The credentials come from the environment; of the region there it knows nothing when there is an endpoint.
        .config("spark.hadoop.fs.s3a.endpoint", os.environ.get("AWS_ENDPOINT_URL", ""))
        .config("spark.hadoop.fs.s3a.endpoint.region", os.environ.get("AWS_REGION", ""))
        .config("spark.hadoop.fs.s3a.path.style.access", "true")
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
