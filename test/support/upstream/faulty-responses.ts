/** Sends a response with a fault applied. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { CampusResponse } from "../../../pipeline/campus/listening/response.ts";
import { htmlResponse } from "../../../pipeline/campus/html.ts";
import { sendResponse } from "../../../pipeline/campus/listening/http.ts";
import type { Fault } from "./faults.ts";

const XML = "text/xml; charset=UTF-8";
const EMPTY_XML =
  '<?xml version="1.0" encoding="UTF-8"?>\n<websoc_results>\n<course_list>\n</course_list>\n</websoc_results>\n';

export async function sendFaulty(
  fault: Fault,
  answer: CampusResponse,
  request: IncomingMessage,
  response: ServerResponse,
  rateLimitPath: string,
): Promise<void> {
  const bytes = Buffer.from(answer.body);
  const send = (change: Partial<CampusResponse>) => sendResponse(request, response, { ...answer, ...change });
  const headers = { "Content-Type": answer.type, "Content-Length": bytes.length, ...answer.headers };
  if (fault.status !== undefined) {
    const retry = fault.retryAfter === undefined ? {} : { "Retry-After": String(fault.retryAfter) };
    return sendResponse(request, response, {
      ...htmlResponse("Error", "<h1>Error</h1>", fault.status),
      headers: retry,
    });
  }
  if (fault.redirect)
    return send({ status: 302, headers: { Location: fault.redirect === true ? rateLimitPath : fault.redirect } });
  if (fault.delay !== undefined) {
    await sleep(fault.delay);
    return send({});
  }
  if (fault.hang !== undefined) {
    await sleep(fault.hang, undefined, { ref: false });
    response.destroy();
    return;
  }
  if (fault.drop !== undefined) {
    const part = bytes.subarray(0, Math.floor(bytes.length * fault.drop));
    response.writeHead(answer.status, headers);
    response.write(part, () => setTimeout(() => response.destroy(), 10));
    return;
  }
  if (fault.wrongLength !== undefined) return sendOtherLength(response, answer, bytes, fault.wrongLength);
  if (fault.trickle) {
    response.writeHead(answer.status, headers);
    for (let at = 0; at < bytes.length && !response.destroyed; at += fault.trickle.bytes) {
      response.write(bytes.subarray(at, at + fault.trickle.bytes));
      await sleep(fault.trickle.everyMs, undefined, { ref: false });
    }
    response.end();
    return;
  }
  if (fault.truncate !== undefined)
    return send({ status: 200, body: bytes.subarray(0, Math.floor(bytes.length * fault.truncate)) });
  if (fault.htmlError) return send(htmlResponse("Error", "<h1>Error</h1><p>The connection to database is down.</p>"));
  if (fault.malformed) return send({ status: 200, body: malform(bytes.toString("utf8")) });
  if (fault.empty) return send({ status: 200, type: XML, body: EMPTY_XML });
  if (fault.rewrite) return send({ body: fault.rewrite(bytes.toString("utf8")) });
  if (fault.body === undefined) throw new Error("a fault without an action");
  return send({ status: 200, type: fault.type ?? answer.type, body: fault.body });
}

/** Written to the socket: Node refuses a body that differs from its Content-Length. */
function sendOtherLength({ socket }: ServerResponse, { type }: CampusResponse, bytes: Buffer, by: number): void {
  socket?.write(
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length + by}\r\nConnection: close\r\n\r\n`,
  );
  socket?.end(bytes);
}

/** Opens an element that is never closed. */
function malform(text: string): string {
  const at = text.indexOf("<", text.length >> 1);
  return `${text.slice(0, at)}<sec_unclosed>${text.slice(at)}`;
}
