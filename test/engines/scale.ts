/**
 * Spark over many universities, from a folder and from a bucket: `node --import tsx test/engines/scale.ts <artifacts>
 * [1:published,100:terms]`. Each cell has the seconds and, in brackets, the processor seconds. The table goes to
 * artifacts/ENGINES.md.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { TABLE_NAMES } from "../../pipeline/contract/tables.ts";
import { exportSnapshot } from "../../pipeline/lake/complete.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import { installEngines } from "./install.ts";
import { table, writePart } from "./report.ts";
import { type Layout, LAYOUTS, writeLake } from "./scale-lakes.ts";
import { installStores } from "./stores.ts";
import { TERM } from "./world.ts";

const SCRIPT = fileURLToPath(new URL("scale.py", import.meta.url));
const ALL = "1:published,1:tables,10:published,100:published,100:terms";
/** Each run is a new process; the shortest time of each question counts. */
const ROUNDS = Number(process.env["ROUNDS"] ?? 2);
const [artifacts = "artifacts", wanted = ALL] = process.argv.slice(2);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const { python, jars } = await installEngines(say);
const [versitygw] = await installStores(say, [], (name) => name === "versitygw");
if (python === undefined || jars.length === 0 || !versitygw)
  throw new Error("Spark or the store could not be installed");
const scratch = await mkdtemp(join(tmpdir(), "academic-scale-"));
const target = await versitygw.start();
/** Answer, seconds and processor seconds by question. */
type Measured = { readonly sections: number } & Readonly<Record<string, readonly [unknown, number, number]>>;
const rows: string[][] = [];
let questions: string[] = [];
try {
  const bucket = `s3://${target.bucket}`;
  const folder = join(target.folder, target.bucket);
  const { aws } = readPipelineConfig(target.env);
  const store = openStore(new URL(bucket), { aws });
  await exportSnapshot(artifacts, openStore(new URL(`${bucket}/one`), { aws }), { now: new Date() });
  for (const setting of wanted.split(",")) {
    const [count, layout] = setting.split(":") as [string, Layout];
    const universities = Number(count);
    const started = performance.now();
    const to = `lake-${count}-${layout}`;
    const files = await writeLake({ layout, universities, store, folder, from: "one", to, scratch, isRead });
    say(`${setting}: ${files} files, written in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    for (const [place, lake] of [
      ["folder", join(folder, to)],
      ["bucket", `${bucket}/${to}`],
    ] as const) {
      const runs: Measured[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        runs.push(await measure(lake));
        say(`${setting}, ${place}: ${JSON.stringify(runs.at(-1))}`);
      }
      const { sections = 0, ...asked } = runs[0] ?? {};
      questions = Object.keys(asked);
      const least = (name: string, at: 1 | 2) => Math.min(...runs.map((run) => run[name]?.[at] ?? Infinity)).toFixed(1);
      const times = questions.map((name) => `${least(name, 1)} (${least(name, 2)})`);
      rows.push([
        count,
        LAYOUTS[layout],
        files.toLocaleString("en"),
        Number(sections).toLocaleString("en"),
        place,
        ...times,
      ]);
    }
    await rm(join(folder, to), { recursive: true });
    await writePart("scale", table(["universities", "a file has", "files", "sections", "from", ...questions], rows));
  }
} finally {
  await target.close();
  await rm(scratch, { recursive: true, force: true });
}

function isRead(of: string, { quarter, year }: Readonly<Record<string, string | null>>): boolean {
  return of === "grades" || (of === "sections" && year === TERM.year && quarter === TERM.quarter);
}

async function measure(lake: string): Promise<Measured> {
  const job = join(scratch, "job.json");
  await writeFile(job, JSON.stringify({ lake, tables: TABLE_NAMES, jars, scratch, term: TERM }));
  const { stdout } = await promisify(execFile)(python as string, [SCRIPT, job], {
    env: { ...process.env, ...target.env },
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Measured;
}
