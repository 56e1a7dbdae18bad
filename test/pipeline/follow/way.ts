/** The way between a follower and what it follows: it counts what is asked, and breaks what it is told to. */
import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The fault that the connection to the origin makes in an answer; undefined = none. */
export type Fault = (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean;

export type Way = Awaited<ReturnType<typeof openWay>>;

export async function openWay(origin: string) {
  const asked: { path: string; range: string | undefined; status: number }[] = [];
  let fault: Fault | undefined;
  const server = createServer((request, response) => {
    // Not compressed, so that the text can be changed.
    const headers = { ...request.headers, "accept-encoding": "identity" };
    const upstream = send(`${origin}${request.url}`, { headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        asked.push({ path: request.url ?? "", range: request.headers.range, status: answer.statusCode ?? 0 });
        const body = Buffer.concat(parts);
        if (fault?.(request, response, body)) return;
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
      });
    });
    upstream.on("error", () => response.destroy());
    upstream.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    breakBy: (next: Fault | undefined) => void (fault = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
