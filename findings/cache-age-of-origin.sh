#!/usr/bin/env bash
# undici 7.30.2 (cache interceptor, Node.js 20) and requests-cache 1.2.1 (cache_control=True, Python 3.11), asked
# three times for one address.
#
# The origin sends a valid response whose data is 35 minutes old and valid for another 25: `Age: 2107` and `Cache-
# Control: max-age=1492`. By RFC 9111 a cache counts the Age of the response, so that the response is stale when it
# arrives. undici asks the origin three times. requests-cache does not look at Age: it asks once, and keeps the
# response for all of max-age. Without Age both ask once. A service that means "how old is the data" by Age is thus
# cached by one library and by the other not.
#
# Output seen:
#   undici: 3 requests with Age, 1 without
#   requests-cache: 1 request with Age, 1 without
#
# Exit status 0 while that is so.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q requests-cache==1.2.1
echo '{"private":true}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund undici@7.30.2

cat > origin.py <<'PYTHON'
import http.server

class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = {}

    def do_GET(self):
        if self.path == "/count":
            body = repr(self.requests).encode()
        else:
            self.requests[self.path] = self.requests.get(self.path, 0) + 1
            body = b'{"weeks":[3]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store" if self.path == "/count" else "public, max-age=1492")
        if "/aged" in self.path:
            self.send_header("Age", "2107")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
with open("port", "w") as file:
    file.write(str(server.server_port))
server.serve_forever()
PYTHON
python3 origin.py 2> origin.log &
server=$!
until [ -s port ]; do sleep 0.1; done
port=$(cat port)

cat > ask.cjs <<'NODE'
const { Agent, interceptors, request } = require("undici");
const dispatcher = new Agent().compose(interceptors.cache());
(async () => {
  for (const path of ["/undici/aged", "/undici/plain"])
    for (let n = 0; n < 3; n++)
      await (await request(`http://127.0.0.1:${process.argv[2]}${path}`, { dispatcher })).body.text();
  process.exit(0);
})();
NODE
node ask.cjs "$port"

cat > ask.py <<'PYTHON'
import sys
import urllib.request
import requests_cache

base = f"http://127.0.0.1:{sys.argv[1]}"
session = requests_cache.CachedSession(backend="memory", cache_control=True)
for path in ("/python/aged", "/python/plain"):
    for _ in range(3):
        session.get(base + path).raise_for_status()
counts = eval(urllib.request.urlopen(base + "/count").read())
print("undici:", counts["/undici/aged"], "requests with Age,", counts["/undici/plain"], "without")
print("requests-cache:", counts["/python/aged"], "request with Age,", counts["/python/plain"], "without")
sys.exit(0 if list(counts.values()) == [3, 1, 1, 1] else 1)
PYTHON
venv/bin/python ask.py "$port"
