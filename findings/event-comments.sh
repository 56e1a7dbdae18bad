#!/usr/bin/env bash
# Blocks of an event stream (WHATWG HTML, section 9.2) that hold no data, in three clients.
# Versions: httpx-sse 0.4.3, sseclient-py 1.9.0 (both PyPI), eventsource-parser 3.0.6 (npm).
# The standard: a blank line dispatches nothing while the data buffer is empty. A comment (`:`) and a field `id` alone make no event.
# Seen: httpx-sse dispatches an event with empty data for a block with only an id, and, once it has seen any id, for every comment that a
# blank line follows, since it keeps the last id and asks for that one to be empty as well. `json.loads(event.data)` then fails on a
# valid stream. A comment line without the blank line makes no event anywhere.
# sseclient-py and eventsource-parser dispatch none of them.
# Output seen:
#   httpx-sse           id alone: 1, comment and blank line after an id: 1, comment line alone: 0
#   sseclient-py        id alone: 0, comment and blank line after an id: 0, comment line alone: 0
#   eventsource-parser  id alone: 0, comment and blank line after an id: 0, comment line alone: 0
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q httpx==0.28.1 httpx-sse==0.4.3 sseclient-py==1.9.0
npm install --silent --no-audit --no-fund --ignore-scripts eventsource-parser@3.0.6

cat > count.py <<'PY'
import httpx
from httpx_sse import EventSource
from sseclient import SSEClient

STREAMS = {
    "id alone": "id: 7\n\n",
    "comment and blank line after an id": "id: 7\ndata: {}\n\n:\n\n",
    "comment line alone": "id: 7\ndata: {}\n\n:\n",
}


def with_httpx_sse(text):
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=text.encode())
    return list(EventSource(response).iter_sse())


def with_sseclient(text):
    return list(SSEClient(iter([text.encode()])).events())


for name, read in (("httpx-sse", with_httpx_sse), ("sseclient-py", with_sseclient)):
    empty = {title: sum(event.data == "" for event in read(text)) for title, text in STREAMS.items()}
    print(f"{name:<20}" + ", ".join(f"{title}: {count}" for title, count in empty.items()))
PY
cat > count.mjs <<'JS'
import { createParser } from "eventsource-parser";

const streams = {
  "id alone": "id: 7\n\n",
  "comment and blank line after an id": "id: 7\ndata: {}\n\n:\n\n",
  "comment line alone": "id: 7\ndata: {}\n\n:\n",
};
const counts = Object.entries(streams).map(([title, text]) => {
  let empty = 0;
  createParser({ onEvent: ({ data }) => void (empty += data === "" ? 1 : 0) }).feed(text);
  return `${title}: ${empty}`;
});
console.log("eventsource-parser".padEnd(20) + counts.join(", "));
JS

{ venv/bin/python count.py; node count.mjs; } | tee found
grep -q '^httpx-sse  *id alone: 1, comment and blank line after an id: 1, comment line alone: 0$' found
grep -q '^sseclient-py  *id alone: 0, comment and blank line after an id: 0, comment line alone: 0$' found
grep -q '^eventsource-parser  *id alone: 0, comment and blank line after an id: 0, comment line alone: 0$' found
