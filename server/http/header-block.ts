/**
 * The head of an answer as text. node:http checks, joins and writes every line of a head anew for each answer; a head that it has checked before is
 * handed over finished, and only the values that differ from answer to answer are put in.
 */
import { type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";
import { KEEP_ALIVE_MS } from "./limits.ts";

/** Names of headers, lower case. */
export type Varying = "age" | "cache-control" | "content-length" | "etag" | "x-request-id";

const VARYING: ReadonlySet<string> = new Set<Varying>([
  "age",
  "cache-control",
  "content-length",
  "etag",
  "x-request-id",
]);

export interface HeadText {
  /** The value that it was made with; "" where it has none. */
  valueOf(name: Varying): string;
  /** Begins the answer; what follows is its body. */
  begin(response: ServerResponse, values: Readonly<Partial<Record<Varying, string>>>, now: number): void;
}

/** Where node:http keeps a head that is ready to be sent; null until there is one. */
const READY = "_header";
interface Outgoing {
  [READY]?: string | null;
}

/** node:http ends every head of a connection that stays open with these lines. */
const staysOpen = (date: string): string =>
  `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;

let second = 0;
let date = "";
/** The time in a head's words, told anew once a second. */
function dateAt(now: number): string {
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    date = new Date(now).toUTCString();
  }
  return date;
}

/** @throws as node:http does for a header that may not be sent */
export function createHeadText(status: number, headers: Readonly<Record<string, string>>): HeadText {
  const lines = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const own = new Map(lines);
  // The text between the varying values, and which value stands behind each piece but the last.
  const pieces = [`HTTP/1.1 ${status} \r\n`];
  const between: Varying[] = [];
  for (const [name, value] of lines) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    pieces[pieces.length - 1] += `${name}: `;
    if (VARYING.has(name)) {
      between.push(name as Varying);
      pieces.push("\r\n");
    } else pieces[pieces.length - 1] += `${value}\r\n`;
  }
  const valueOf = (name: Varying) => own.get(name) ?? "";

  return {
    valueOf,
    begin(response, values, now) {
      const outgoing = response as unknown as Outgoing;
      // The usual way where the connection ends with this answer, and should node:http keep its head elsewhere one day.
      if (!response.shouldKeepAlive || outgoing[READY] !== null) {
        const all = lines.flatMap(([name, value]) => [name, values[name as Varying] ?? value]);
        response.writeHead(status, "", all);
        return;
      }
      let text = pieces[0] as string;
      for (let i = 0; i < between.length; i++) {
        const name = between[i] as Varying;
        text += (values[name] ?? valueOf(name)) + (pieces[i + 1] as string);
      }
      response.statusCode = status;
      outgoing[READY] = text + staysOpen(dateAt(now));
    },
  };
}
