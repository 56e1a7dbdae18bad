"""What a user of sseclient-py writes over requests, with a read timeout of 5 seconds: `python sseclient_stream.py <stream> <seconds>`."""

import json
import sys
import threading
import time

import requests
from sseclient import SSEClient

url, seconds = sys.argv[1], float(sys.argv[2])
changes, snapshots, problems = 0, [], []


def follow():
    global changes
    try:
        response = requests.get(url, headers={"Accept": "text/event-stream"}, stream=True, timeout=5)
        for event in SSEClient(response.iter_content(chunk_size=None)).events():
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
