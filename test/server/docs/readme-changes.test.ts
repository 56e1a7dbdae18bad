/** The examples of live changes in the server's README, run as they are written, but for the address. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { changeRow, publishChanges } from "../../support/published/published-changes.ts";
import { openFolder, serve } from "../../support/whole-run.ts";

const root = new URL("../../..", import.meta.url).pathname;
const readme = await readFile(join(root, "server/README.md"), "utf8");
const [, changes = ""] = readme.split("\n## Changes\n");
const example = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(changes.split("\n## ")[0] ?? "")?.[1] ?? "";

const folder = await openFolder();
let scripts: string;
let server: Awaited<ReturnType<typeof serve>>;
let started: ChildProcess | undefined;
beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), "examples-"));
  await publishChanges(folder.artifacts, [], []);
  server = await serve(folder.env);
});
afterAll(async () => {
  started?.kill();
  await server?.close();
  await rm(scripts, { recursive: true });
  await folder.remove();
});

/** What the program writes when a seat opens, and another one does not. */
async function runExample(command: string, args: readonly string[], stderr: string[] = []): Promise<string> {
  started = spawn(command, args, { cwd: scripts, detached: true });
  let written = "";
  started.stdout?.on("data", (part: Buffer) => void (written += part.toString()));
  started.stderr?.on("data", (part: Buffer) => void stderr.push(part.toString()));
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  await vi.waitFor(async () => expect(await metrics()).toMatch(/academic_data_event_streams_open 1/), {
    timeout: 20_000,
  });
  const at = new Date().toISOString();
  const term = { at, since: at, year: "2026", quarter: "Fall" } as const;
  await publishChanges(
    folder.artifacts,
    [],
    [
      changeRow({ ...term, sectionCode: "34250", before: "FULL", after: "OPEN" }),
      changeRow({ ...term, sectionCode: "34251", before: "FULL", after: "OPEN" }),
      changeRow({ ...term, sectionCode: "34250", field: "numOnWaitlist", kind: "waitlist", after: "OPEN" }),
    ],
  );
  await vi.waitFor(() => expect(written).toMatch(/\n/), { timeout: 30_000 });
  process.kill(-(started.pid ?? 0));
  await vi.waitFor(async () => expect(await metrics()).toMatch(/academic_data_event_streams_open 0/), {
    timeout: 30_000,
  });
  return written;
}

it("a seat alert in five lines of shell", async () => {
  const script = example("sh").replaceAll("localhost:3000", new URL(server.url).host);
  expect(script.trimEnd().split("\n")).toHaveLength(5);
  const written = await runExample("bash", ["-c", script]);
  const [, change = ""] = /^A seat is open: data: (.*)\n$/.exec(written) ?? [];
  expect(JSON.parse(change)).toMatchObject({ sectionCode: "34250", field: "status", before: "FULL", after: "OPEN" });
});

it("a seat alert in TypeScript", async () => {
  await promisify(execFile)("npm", ["run", "-s", "client", "--", "--out", join(scripts, "client.ts")], { cwd: root });
  await writeFile(join(scripts, "package.json"), '{"type":"module"}');
  await writeFile(join(scripts, "alert.ts"), example("ts").replace("http://localhost:3000", server.url));
  const tsx = join(root, "node_modules/tsx/dist/esm/index.mjs");
  expect(await runExample(process.execPath, ["--import", `file://${tsx}`, "alert.ts"])).toBe(
    "A seat is open: 34250 was FULL\n",
  );
});
