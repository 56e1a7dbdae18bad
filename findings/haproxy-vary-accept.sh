#!/usr/bin/env bash
# HAProxy 2.6.12 (Debian 12), its cache with `process-vary on`, before an origin that negotiates.
#
# A response with `Cache-Control: public, max-age=3600` and `Vary: Accept-Encoding` is kept: of three equal requests
# one reaches the origin. With `Vary: Accept-Encoding, Accept`, which every origin sends that has JSON and CSV at one
# address, nothing is kept, and nothing says so: all three reach the origin. The cache only knows a few names in Vary,
# and a response with any other one is not stored, although a key of the whole value of Accept would do. Varnish 7.1,
# Squid 5.7, Apache 2.4, Traffic Server 9.2 and nginx 1.22 keep it.
#
# Output seen:
#   Vary: Accept-Encoding: 1 of 3 requests reach the origin
#   Vary: Accept-Encoding, Accept: 3 of 3 requests reach the origin
#
# Exit status 0 while that is so. The packages are unpacked into a folder of their own, not installed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${proxy:-}" "${origin:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get -o APT::Sandbox::User=root download -q haproxy=2.6.12-1+deb12u4 liblua5.3-0 libopentracing-c-wrapper0 libopentracing1 > apt.log 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(find root -name '*.so*' -printf '%h\n' | sort -u | sed "s#^#$folder/#" | paste -sd:)

cat > origin.py <<'PYTHON'
import http.server

class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = {}

    def do_GET(self):
        self.requests[self.path] = self.requests.get(self.path, 0) + 1
        body = str(self.requests.get(self.path.replace("/count", ""), 0)).encode() if "/count" in self.path else b"[]"
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store" if "/count" in self.path else "public, max-age=3600")
        self.send_header("Vary", "Accept-Encoding, Accept" if "/both" in self.path else "Accept-Encoding")
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
origin=$!
until [ -s port ]; do sleep 0.1; done
free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > haproxy.cfg <<CONFIG
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
cache kept
  total-max-size 8
  max-age 3600
  process-vary on
frontend all
  bind 127.0.0.1:$free
  http-request cache-use kept
  http-response cache-store kept
  default_backend origin
backend origin
  server one 127.0.0.1:$(cat port)
CONFIG
LD_LIBRARY_PATH=$libraries root/usr/sbin/haproxy -db -f haproxy.cfg > haproxy.log 2>&1 &
proxy=$!
until curl -fs "http://127.0.0.1:$free/started" > /dev/null; do sleep 0.2; done

reaching() { # path
  for _ in 1 2 3; do curl -fs -H 'Accept: application/json' -H 'Accept-Encoding: gzip' "http://127.0.0.1:$free$1" > /dev/null; done
  curl -fs "http://127.0.0.1:$(cat port)$1/count"
}
one=$(reaching /encoding)
both=$(reaching /both)
echo "Vary: Accept-Encoding: $one of 3 requests reach the origin"
echo "Vary: Accept-Encoding, Accept: $both of 3 requests reach the origin"
[ "$one" = 1 ] && [ "$both" = 3 ]
