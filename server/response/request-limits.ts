/**
 * The limits of everything that a client can multiply in or next to a request. RULES.md (Limits) shows this table, and
 * a test compares them.
 */

interface Bound {
  readonly most: number;
  readonly of: string;
  /** The response to clients that exceed the limit. */
  readonly beyond: string;
}

export const REQUEST_LIMITS = {
  address: { most: 8192, of: "characters of an address", beyond: "414" },
  values: { most: 2000, of: "values of one parameter, ranges and `fields` included", beyond: "400" },
  ids: { most: 200, of: "`ids`", beyond: "400" },
  rows: { most: 10_000, of: "elements that `limit` asks for", beyond: "400" },
  accepted: {
    most: 50,
    of: "entries of `Accept` and `Accept-Encoding` that count",
    beyond: "further ones are ignored",
  },
  streams: { most: 256, of: "open streams of changes of one client", beyond: "429" },
  message: { most: 64 * 1024, of: "bytes of a message to `/mcp`", beyond: "413" },
  batch: { most: 1, of: "messages in one request to `/mcp`", beyond: "400" },
  calls: { most: 2, of: "calls of tools of one client at once", beyond: "further ones wait" },
  waitingCalls: { most: 128, of: "calls of one client that wait", beyond: "an error of the tool" },
  statements: { most: 1, of: "statements in one call of `sql`", beyond: "an error of the tool" },
  runningStatements: { most: 1, of: "statements of one client at once", beyond: "further ones wait" },
  waitingStatements: { most: 3, of: "statements of one client that wait", beyond: "an error of the tool" },
  answer: {
    most: 40_000,
    of: "bytes of the text of a tool's answer",
    beyond: "a part, and the call that brings the next one",
  },
} as const satisfies Readonly<Record<string, Bound>>;
