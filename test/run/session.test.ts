/** A first session at a terminal of 100 columns: `make serve` until Ctrl-C, then `make refresh`. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTerminal, runInTerminal, showOnScreen } from "../support/terminal.ts";
import { openFolder } from "../support/whole-run.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SIZE = { columns: 100, rows: 40 };
const PHASES = ["setup", "calendar", "schedule", "grades", "catalogue", "instructors", "larc", "history", "enrollment"];
/** Every form that a line of a session may have. */
const FORMS = [
  /^$/,
  /^[✓–] [a-z]+ +(?:\d+\.\d s {2}\S.*|not due)$/,
  /^Published: snapshot [0-9a-f]{16}(?:, as before)?\. All is well\. \(\d+\.\d s\)$/,
  /^(?:New|Report) +\S.*$/,
  /^Building the sample campus …$/,
  /^ {2}(?:Docs|Status|Data|Stop) +\S.*$/,
  /^Ready: http:\S+$/,
];
/** The server may be ready before the build has ended its last phase, whose status then stands above what it writes. */
const STATUS_OF_PUBLISH = /^█+░* 9\/10 publish \d+ s$/;

let folder: Awaited<ReturnType<typeof openFolder>>;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await openFolder();
  env = { ...folder.env, HOST: "127.0.0.1", PORT: "0", TERMS: "2026 Summer2" };
});
afterAll(() => folder?.remove());

/** The lines that remain; none is torn. */
function show(written: string): string[] {
  const lines = showOnScreen(written, SIZE, (line) => {
    if (/[█░]/.test(line)) expect(line).toMatch(/^[█░]{1,20}(?: [\d/]*(?: [\w\d/ ]*)?)?$/);
  });
  expect(lines.filter((line) => line.length >= SIZE.columns)).toEqual([]);
  return lines;
}

const phasesIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /^[✓–] (\w+)/.exec(line)?.[1] ?? []).filter((phase) => phase !== "compile");

it("`make serve` builds, phase by phase, and ends with what to open and how to stop; Ctrl-C stops it", async () => {
  const terminal = openTerminal(`make -C ${ROOT} --no-print-directory serve`, env, SIZE);
  await terminal.says(/Ready: http:\S+\r\n/);
  if (!terminal.written().includes("✓ publish")) await terminal.says(/✓ publish.*\r\n/);
  const lines = show(terminal.written()).filter((line) => !STATUS_OF_PUBLISH.test(line));
  expect(lines.filter((line) => !FORMS.some((form) => form.test(line)))).toEqual([]);
  expect(phasesIn(lines)).toEqual([...PHASES, "publish"]);
  const block = lines.filter((line) => line !== "" && !line.startsWith("✓ publish")).slice(-5);
  const [, url = ""] = /^Ready: (http:\S+)$/.exec(block.at(-1) ?? "") ?? [];
  expect(block.slice(0, -1)).toEqual([
    `  Docs     ${url}/docs`,
    `  Status   ${url}/status`,
    expect.stringMatching(
      /^ {2}Data {5}snapshot 1-[0-9a-f]{16}, sample campus \(invented\), (?:less than a minute|\d+ minutes?) old$/,
    ),
    "  Stop     Ctrl-C",
  ]);
  for (const page of ["/docs", "/status"]) expect((await fetch(url + page)).status).toBe(200);
  terminal.type("\u0003");
  await terminal.ended;
  await expect(fetch(url)).rejects.toThrow();
  const after = show(terminal.written());
  expect(after.filter((line) => ![...lines, "^C"].includes(line) && !STATUS_OF_PUBLISH.test(line))).toEqual([]);
}, 300_000);

it("`make refresh` shows the phases and what is new, and not its own command line", async () => {
  const { code, written } = await runInTerminal(`make -C ${ROOT} --no-print-directory refresh`, env, SIZE);
  const lines = show(written);
  expect(code).toBe(0);
  expect(lines.filter((line) => !FORMS.some((form) => form.test(line)))).toEqual([]);
  expect(phasesIn(lines)).toEqual([...PHASES, "publish"]);
  expect(lines.filter(Boolean).slice(-3)).toEqual([
    expect.stringMatching(/^Published: snapshot .* All is well\./),
    expect.stringMatching(/^New +/),
    expect.stringMatching(/^Report +.*report\.txt$/),
  ]);
}, 300_000);
