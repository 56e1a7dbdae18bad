/**
 * `make demo`: an hour of the sample campus every few seconds, seen through the event stream; nothing is left behind.
 */
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { campusDay } from "../../pipeline/campus/days.ts";
import { offeredTerms } from "../../pipeline/campus/courses/offered-terms.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { descendants } from "../support/leftovers.ts";
import { openEvents } from "../support/event-client.ts";

// The server that it starts is compiled.
const PIPELINE = fileURLToPath(new URL("../../dist/current/pipeline/main.js", import.meta.url));
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("academic-data-demo-"));
/** The term in which enrolment opened last. */
const term = (() => {
  const today = campusDay(new Date());
  const open = offeredTerms(today).filter(({ enrolmentOpens }) => enrolmentOpens < today);
  return open.toSorted((a, b) => a.enrolmentOpens - b.enrolmentOpens).at(-1);
})();

function start(args: readonly string[], port: number) {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, TMPDIR: tmpdir(), HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "warn" };
  const child = spawn(process.execPath, [PIPELINE, "demo", ...args], {
    env: { ...env, ...(term ? { TERMS: termName(term) } : {}) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { child, ended: once(child, "exit") };
}

it("changes come hour by hour, and SIGINT ends everything", async () => {
  const port = await freePort();
  const { child, ended } = start(["--every", "0.5"], port);
  try {
    const base = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).status).toBe(200), { timeout: 150_000 });
    const stream = await openEvents(`${base}/v1/rest/changes`);
    const hours = () => [...new Set(stream.events.map(({ data }) => (data as { at: string }).at))];
    await vi.waitFor(() => expect(hours().length).toBeGreaterThan(1), { timeout: 60_000 });
    const [first = "", second = ""] = hours();
    expect((Date.parse(second) - Date.parse(first)) % 3_600_000).toBe(0);
    expect(Date.parse(second)).toBeLessThan(Date.now());
    stream.close();
    expect(folders()).toHaveLength(1);
    const started = descendants(child.pid ?? 0);
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    expect(folders()).toEqual([]);
    for (const { pid } of started) expect(() => process.kill(pid, 0)).toThrow();
    await expect(fetch(`${base}/health`)).rejects.toThrow();
  } finally {
    child.kill("SIGKILL");
  }
}, 300_000);

it("SIGINT during the build ends it as well", async () => {
  const { child, ended } = start([], await freePort());
  await vi.waitFor(() => expect(folders()).toHaveLength(1), { timeout: 30_000 });
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(folders()).toEqual([]);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
