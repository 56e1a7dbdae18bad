/** The physical limit that answers are measured against: node:http with a finished body. Prints its address. */
import http from "node:http";

const body = Buffer.alloc(Number(process.argv[2] ?? 1000), "x");
const headers = { "Content-Type": "application/json", "Content-Length": body.length };
const server = http.createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
});
process.stdin.on("end", () => process.exit(0)).resume();
