/** Questions of students and analysts, as tool calls: what comes back is what the API has over HTTP (server/RULES.md, Assistants). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSample } from "../../support/sample-build.ts";
import { serve } from "../../support/whole-run.ts";
import { openAssistant } from "./assistant.ts";
import { QUESTIONS } from "./questions.ts";

let server: Awaited<ReturnType<typeof serve>>;
let assistant: Awaited<ReturnType<typeof openAssistant>>;
beforeAll(async () => {
  server = await serve((await openSample()).env);
  assistant = await openAssistant(server.url);
}, 600_000);
afterAll(async () => {
  await assistant?.close();
  await server?.close();
});

const twoDecimals = (name: string, value: unknown) =>
  name === "averageGPA" ? Math.round((value as number) * 100) / 100 : value;

it("there are thirty of them", () => {
  expect(Object.keys(QUESTIONS).length).toBeGreaterThanOrEqual(30);
});

it("every tool is asked, and every one is called", () => {
  const called = new Set(Object.values(QUESTIONS).flatMap((calls) => calls.map(({ tool }) => tool)));
  expect([...called].sort()).toEqual(assistant.tools.map(({ name }) => name).sort());
});

it.each(Object.entries(QUESTIONS))("%s", async (_, calls) => {
  const found: unknown[] = [];
  for (const { tool, args, same, ofApi = (json: unknown) => json, ofTool = (data: unknown) => data } of calls) {
    const path = typeof same === "string" ? same : same(found);
    const result = await assistant.result(tool, typeof args === "object" ? args : args(found));
    if (path === "too many") {
      expect(result.narrow).toMatch(/match; \d+ are shown\. Give offset \d+ for the next ones\. Narrow by /);
      found.push(undefined);
      continue;
    }
    const response = await server.get(path);
    const json = JSON.parse(await response.text(), tool === "sql" ? undefined : twoDecimals) as never;
    expect(ofTool(result.data as never)).toEqual(ofApi(json));
    expect(result.snapshot).toBe(response.headers.get("x-data-snapshot"));
    expect(JSON.stringify(result.data)).not.toMatch(/^(?:\[\]|\{"schools":\[\]\})$/);
    found.push(result.data);
  }
});
