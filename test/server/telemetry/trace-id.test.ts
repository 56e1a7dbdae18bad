/** `traceparent` (W3C Trace Context): its trace id is in the log, where it is valid, and nowhere else. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { traceIdIn } from "../../../server/telemetry/observation.ts";
import { start } from "../../support/program.ts";
import { openFolder } from "../../support/whole-run.ts";
import { ask } from "../http/wire.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

it.each([
  `00-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-00`,
  `01-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01-more`,
])("%s is valid", (sent) => expect(traceIdIn(sent)).toBe(TRACE));

it.each([
  undefined,
  null,
  "",
  TRACE,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${"0".repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE.slice(1)}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${TRACE}-${PARENT}-01\n{}`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  [`00-${TRACE}-${PARENT}-01`],
])("%o is not", (sent) => expect(traceIdIn(sent)).toBeUndefined());

const folder = await openFolder();
const server = start("server/main.ts", [], {
  ...folder.env,
  ...{ HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json", LOG_LEVEL: "debug" },
});
let url = "";
beforeAll(async () => void (url = (await server.says(/"url":"([^"]+)"/))[1] ?? ""));
afterAll(async () => {
  server.child.kill();
  await server.ended;
  await folder.remove();
});

it("a valid one is in the request's line of the log and not in the response; others are left out", async () => {
  const asked = async (id: string, traceparent: string) => {
    const headers = { "x-request-id": id, traceparent };
    for (const path of ["/health", "/nothing"]) {
      const answer = await ask(url + path, { headers });
      expect(JSON.stringify(answer.headers) + answer.text).not.toContain(TRACE);
    }
    const [line] = await server.says(new RegExp(`.*"requestId":"${id}".*`));
    return (JSON.parse(line) as { traceId?: string }).traceId;
  };
  expect(await asked("traced", `00-${TRACE}-${PARENT}-01`)).toBe(TRACE);
  expect(await asked("untraced", `00-${TRACE}-${PARENT}-01-more`)).toBeUndefined();
});
