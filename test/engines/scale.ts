/**
 * Spark over many universities: `node --import tsx test/engines/scale.ts <artifacts> [1,10,100]`. Each university is the published data under another id,
 * as hard links in a partition of its own. The table goes to artifacts/ENGINES.md.
 */
import { execFile } from "node:child_process";
import { link, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Action, EMPTY_STATE } from "../../pipeline/lake/delta/actions.ts";
import { exportSnapshot } from "../../pipeline/lake/export.ts";
import { openFolderStore } from "../../pipeline/stores/folder.ts";
import { commitKey } from "../../pipeline/lake/delta/keys.ts";
import { applyActions, parseCommit } from "../../pipeline/lake/delta/log.ts";
import type { DeltaStruct } from "../../pipeline/lake/delta/schema.ts";
import { installEngines } from "./install.ts";
import { table, writePart } from "./report.ts";

const SCRIPT = fileURLToPath(new URL("scale.py", import.meta.url));
const [artifacts = "artifacts", counts = "1,10,100"] = process.argv.slice(2);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const { python, jars } = await installEngines(say);
if (python === undefined || jars.length === 0) throw new Error("Spark could not be installed");
const folder = await mkdtemp(join(tmpdir(), "academic-scale-"));
/** Answer and seconds by question. */
type Measured = { readonly sections: number } & Readonly<Record<string, readonly [unknown, number]>>;
const rows: string[][] = [];
let questions: string[] = [];
try {
  const one = join(folder, "one");
  const { snapshot } = await exportSnapshot(artifacts, openFolderStore(one), { now: new Date() });
  const tables = Object.keys(snapshot.versions);
  for (const universities of counts.split(",").map(Number)) {
    const lake = join(folder, `lake-${universities}`);
    const started = performance.now();
    for (const name of tables) await multiply({ from: join(one, name), to: join(lake, name), universities });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const job = join(folder, `job-${universities}.json`);
    await writeFile(
      job,
      JSON.stringify({ lake, tables, jars, scratch: folder, term: { year: "2026", quarter: "Fall" } }),
    );
    const { stdout } = await promisify(execFile)(python, [SCRIPT, job], { maxBuffer: 1 << 26 });
    const line = stdout.trim().split("\n").at(-1) ?? "";
    say(`${universities} universities, written in ${seconds} s: ${line}`);
    const { sections, ...asked } = JSON.parse(line) as Measured;
    const times = Object.values(asked).map(([, secondsOfSpark]) => secondsOfSpark.toFixed(1));
    rows.push([String(universities), sections.toLocaleString("en"), ...times]);
    questions = Object.keys(asked);
    await rm(lake, { recursive: true });
  }
  await writePart("scale", table(["universities", "sections", ...questions], rows));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A table whose first partition column is the university, in two versions: the second one adds the last university. */
async function multiply({ from, to, universities }: { from: string; to: string; universities: number }): Promise<void> {
  const { metaData, files } = applyActions(
    EMPTY_STATE,
    parseCommit(await readFile(join(dirname(from), commitKey(basename(from), 0)), "utf8")),
  );
  if (!metaData) throw new Error(`${from} has no schema`);
  const { fields } = JSON.parse(metaData.schemaString) as DeltaStruct;
  const column = { name: "university", type: "string", nullable: true, metadata: { comment: "id of the university" } };
  const schema = { type: "struct", fields: [column, ...fields] };
  const versions: Action[][] = [[], []];
  versions[0]?.push({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } });
  const partitionColumns = ["university", ...metaData.partitionColumns];
  versions[0]?.push({ metaData: { ...metaData, schemaString: JSON.stringify(schema), partitionColumns } });
  for (let number = 1; number <= universities; number++) {
    const university = `u${String(number).padStart(3, "0")}`;
    for (const add of files.values()) {
      const path = `university=${university}/${add.path}`;
      await mkdir(dirname(join(to, path)), { recursive: true });
      await link(join(from, add.path), join(to, path));
      const partitionValues = { university, ...add.partitionValues };
      versions[number === universities ? 1 : 0]?.push({ add: { ...add, path, partitionValues } });
    }
  }
  await mkdir(join(to, "_delta_log"), { recursive: true });
  for (const [version, actions] of versions.entries()) {
    const lines = actions.map((action) => `${JSON.stringify(action)}\n`);
    await writeFile(join(dirname(to), commitKey(basename(to), version)), lines.join(""));
  }
}
