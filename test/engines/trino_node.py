"""Starts a Trino server on a free port for as long as a script needs it."""
import contextlib
import os
import shutil
import socket
import subprocess
import time
import trino


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


CATALOG = """hive.metastore=file
hive.metastore.catalog.dir=local:///metastore
fs.native-local.enabled=true
local.location={root}
"""
BUCKET = """fs.native-s3.enabled=true
s3.endpoint={AWS_ENDPOINT_URL}
s3.region={AWS_REGION}
s3.aws-access-key={AWS_ACCESS_KEY_ID}
s3.aws-secret-key={AWS_SECRET_ACCESS_KEY}
s3.path-style-access=true
"""


@contextlib.contextmanager
def open_trino(job):
    """Yields a function that runs a statement. The folder that holds the lake, when it is in one, is the root of `local:///`."""
    home, port, is_bucket = job["trino"]["home"], free_port(), job["lake"].startswith("s3://")
    node = f"{job['scratch']}/trino-{port}"
    root = f"{node}/root" if is_bucket else os.path.dirname(job["lake"])
    for plugin in ("delta-lake", "hive"):
        os.makedirs(f"{node}/plugin", exist_ok=True)
        os.symlink(f"{home}/plugin/{plugin}", f"{node}/plugin/{plugin}")
    write(f"{node}/etc/node.properties", f"node.environment=test\nnode.id=one\nnode.data-dir={node}/data\n")
    write(f"{node}/etc/jvm.config", "-server\n-Xmx2G\n-XX:ReservedCodeCacheSize=256M\n-Djdk.attach.allowAttachSelf=true\n")
    write(
        f"{node}/etc/config.properties",
        f"coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port={port}\n"
        f"discovery.uri=http://127.0.0.1:{port}\nplugin.dir={node}/plugin\ncatalog.management=static\n",
    )
    catalog = CATALOG.format(root=root) + (BUCKET.format(**os.environ) if is_bucket else "")
    register = "delta.register-table-procedure.enabled=true\n"
    write(f"{node}/etc/catalog/delta.properties", f"connector.name=delta_lake\n{catalog}{register}")
    write(f"{node}/etc/catalog/hive.properties", f"connector.name=hive\n{catalog}")
    shutil.rmtree(f"{root}/metastore", ignore_errors=True)
    os.makedirs(f"{root}/metastore/academic")
    environment = {**os.environ, "JAVA_HOME": job["trino"]["java"], "PATH": f"{job['trino']['java']}/bin:{os.environ['PATH']}"}
    with open(f"{node}/log", "wb") as log:
        command = [f"{home}/bin/launcher", "run", "--etc-dir", f"{node}/etc"]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        yield connect(port, process, f"{node}/log")
    finally:
        process.terminate()
        process.wait()


def connect(port, process, log):
    """Waits until the server answers; returns a function that runs a statement."""
    for _ in range(240):
        if process.poll() is not None:
            break
        try:
            connection = trino.dbapi.connect(host="127.0.0.1", port=port, user="engines")
            connection.cursor().execute("SELECT node_id FROM system.runtime.nodes").fetchall()
            return lambda statement: run(connection, statement)
        except Exception:
            time.sleep(0.5)
    with open(log, encoding="utf-8", errors="replace") as file:
        raise RuntimeError(f"Trino did not start: {file.read()[-2000:]}")


def run(connection, statement):
    """A node announces its catalogs some seconds after the server answers."""
    for _ in range(60):
        try:
            return connection.cursor().execute(statement).fetchall()
        except trino.exceptions.TrinoQueryError as error:
            if error.error_name != "NO_NODES_AVAILABLE":
                raise
            time.sleep(1)
    raise RuntimeError("no node of Trino announced its catalogs")
