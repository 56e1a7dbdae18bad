"""What a user of httpx-sse writes, with httpx's own read timeout of 5 seconds: `python httpx_sse_stream.py <stream> <seconds>`."""

import json
import sys
import threading
import time

import httpx
from httpx_sse import connect_sse

url, seconds = sys.argv[1], float(sys.argv[2])
changes, snapshots, problems = 0, [], []


def follow():
    global changes
    try:
        with httpx.Client(timeout=5) as client, connect_sse(client, "GET", url) as source:
            for event in source.iter_sse():
                value = json.loads(event.data)
                if event.event == "snapshot":
                    snapshots.append(value)
                else:
                    changes += 1
    except Exception as error:
        problems.append(repr(error))


threading.Thread(target=follow, daemon=True).start()
time.sleep(seconds)
if problems:
    sys.exit(problems[0])
print(json.dumps({"changes": changes, "snapshots": snapshots}))
