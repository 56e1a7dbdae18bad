/** The results as tables, in the output and in artifacts/ENGINES.md. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BucketResult } from "./bucket.ts";
import type { CacheResult } from "./caches.ts";
import type { ConformanceResult } from "./conformance.ts";
import type { AnalystResult } from "./analysts.ts";
import { type EngineResult, QUESTIONS, type Question } from "./engine.ts";
import type { FollowerResult } from "./followers.ts";
import type { ExampleResult } from "./examples.ts";
import { FRACTION_QUESTIONS, fractionCell, type FractionsResult } from "./fractions.ts";
import type { GeneratorResult } from "./generators.ts";
import type { LakeReaderResult } from "./ducklake-readers.ts";
import type { ReaderResult } from "./readers.ts";
import type { SchemathesisResult } from "./schemathesis.ts";
import type { Guarantees } from "./store-guarantees.ts";
import type { StatementsResult } from "./statements.ts";
import type { TypesResult } from "./column-types.ts";

const PAGE = fileURLToPath(new URL("../../artifacts/ENGINES.md", import.meta.url));

export interface Results {
  readonly engines: readonly EngineResult[];
  readonly buckets: readonly BucketResult[];
  readonly analyses: readonly AnalystResult[];
  readonly types: readonly TypesResult[];
  readonly fractions: readonly FractionsResult[];
  readonly examples: readonly ExampleResult[];
  readonly statements: readonly StatementsResult[];
  readonly readers: readonly ReaderResult[];
  readonly lakeReaders: readonly LakeReaderResult[];
  readonly schemathesis: readonly SchemathesisResult[];
  readonly conformance: readonly ConformanceResult[];
  readonly caches: readonly CacheResult[];
  readonly generators: readonly GeneratorResult[];
  readonly followers: readonly FollowerResult[];
  readonly missing: readonly string[];
}

const HEADINGS: Readonly<Record<Question, string>> = {
  rows: "rows",
  gpa: "GPA",
  seats: "seats",
  coTaught: "co-taught",
  older: "older snapshot",
};

const FOLLOWED: Readonly<Record<FollowerResult["kind"], string>> = {
  feed: "Readers of the Atom feed, below a path and behind a proxy, whose links of feed and entry are pages of the site",
  stream:
    "Clients of event streams with their own or 5 seconds' read timeout, which had every change and went on while 15 seconds were quiet",
  proxy: "Proxies that compress, through which all missed changes of a stream came within seconds",
};

export function resultsText({
  engines,
  buckets,
  types,
  fractions,
  analyses,
  examples,
  statements,
  readers,
  lakeReaders,
  schemathesis,
  conformance,
  caches,
  generators,
  followers,
  missing,
}: Results): string {
  const answers = engines.map(({ engine, version, problems, failed, ms }) => {
    const cells = QUESTIONS.map((question) => (failed ? "–" : problems[question] === undefined ? "same" : "DIFFERS"));
    return [engine, version || "–", ...cells, (ms / 1000).toFixed(0)];
  });
  const ran = examples.filter(({ problem }) => problem === undefined).length;
  return [
    table(["engine", "version", ...QUESTIONS.map((question) => HEADINGS[question]), "seconds"], answers),
    "",
    ...bucketLines(buckets),
    ...fractions.flatMap(fractionLines),
    ...(missing.length > 0 ? [`Could not be installed: ${missing.join("; ")}`, ""] : []),
    ...analyses.map(analystText),
    ...types.map(
      ({ versions, tables, columns, problems }) =>
        `- Types, reading each table's folder by default and with and without hive partitioning: ${columns - problems.length} of ${columns} columns ` +
        `of ${tables} tables have one type in ${Object.entries(versions)
          .map((pair) => pair.join(" "))
          .join(", ")}.`,
    ),
    ...(examples.length > 0 ? [`- Examples: ${ran} of ${examples.length} ran as printed.`] : []),
    ...statements.map(
      ({ version, statements, problems }) =>
        `- DuckDB ${version} for Python: ${statements - problems.length} of ${statements} views, statements of the READMEs and of \`explain=true\` run.`,
    ),
    ...readers.map(
      ({ engine, exports, reads, errors, mixed }) =>
        `- ${engine}, reading in a loop during ${exports} exports: ${reads} reads, ${errors.length} errors, ${mixed} mixed versions.`,
    ),
    ...lakeReaders.map(
      ({ swaps, reads, refused, errors, mixed }) =>
        `- DuckLake over HTTP, reading in a loop during ${swaps} publications: ${reads} reads, ${refused} of them told to attach again, ${errors.length} errors, ${mixed} mixed snapshots.`,
    ),
    ...schemathesis.map(
      ({ compat, summary, problem }) =>
        `- schemathesis, all checks, valid and invalid requests, \`COMPAT=${compat}\`: ${summary}, ${problem === undefined ? "no failure" : "FAILURES"}.`,
    ),
    ...(generators.length === 0
      ? []
      : [
          `- Code generators with their default options (orval: without explanations), of which the client compiled and had the API's answers: ${generators.map(({ generator, problem }) => `${generator}${problem === undefined ? "" : " (DIFFERS)"}`).join("; ")}.`,
        ]),
    ...Object.entries(FOLLOWED).flatMap(([kind, did]) => {
      const ofKind = followers.filter((follower) => follower.kind === kind);
      const named = ofKind.map(({ follower, problem }) => `${follower}${problem === undefined ? "" : " (DIFFERS)"}`);
      return ofKind.length === 0 ? [] : [`- ${did}: ${named.join("; ")}.`];
    }),
    ...conformance.map(
      ({ server, passed, problem }) =>
        `- Model Context Protocol, the official conformance suite against ${server}: ${passed.map((name) => `\`${name}\``).join(", ")}, ${problem === undefined ? "no failure" : "FAILURES"}.`,
    ),
    ...(caches.length === 0 ? [] : ["", "Caches of others before the server:", "", cachesTable(caches)]),
  ].join("\n");
}

/** Each Parquet reader's answers about the averages. */
export function fractionLines(result: FractionsResult): string[] {
  const rows = Object.entries(result.readers).map(([name, reader]) => [
    name,
    reader.version || "–",
    ...FRACTION_QUESTIONS.map((question) => fractionCell(result, reader, question)),
  ]);
  const { above, mean, value } = result.expected;
  return [
    `Averages in the files, without a cast; the API says a mean of ${mean}, ${above} sections above 3, and ${value} as the greatest:`,
    "",
    table(["reader", "version", "mean", "describe", "filter `> 3`", "one value"], rows),
    "",
  ];
}

/** Each engine's answers from each store's bucket, and the stores' guarantees. */
function bucketLines(buckets: readonly BucketResult[]): string[] {
  if (buckets.length === 0) return [];
  const cell = ({ failed, problems }: EngineResult) =>
    failed ? "–" : Object.keys(problems).length === 0 ? "same" : "DIFFERS";
  const engines = buckets[0]?.engines ?? [];
  const answers = engines.map(({ engine, version }, at) => [
    engine,
    version || "–",
    ...buckets.map((bucket) => {
      const result = bucket.engines[at];
      return result ? `${cell(result)}, ${(result.ms / 1000).toFixed(0)} s` : "–";
    }),
  ]);
  return [
    "Straight from a bucket, all five questions:",
    "",
    table(["engine", "version", ...buckets.map(({ store }) => store)], answers),
    "",
    "What the stores guarantee:",
    "",
    guaranteesTable(buckets.map(({ store, guarantees }) => [store, guarantees])),
    "",
  ];
}

/** A row for each guarantee, a column for each store. */
export function guaranteesTable(stores: readonly (readonly [string, Guarantees])[]): string {
  const names = Object.keys(stores[0]?.[1] ?? {});
  return table(
    ["guarantee", ...stores.map(([store]) => store)],
    names.map((name) => [name, ...stores.map(([, guarantees]) => guarantees[name] ?? "–")]),
  );
}

function analystText({ engine, version, unchanged, adapted, beyond, problems }: AnalystResult): string {
  const all = unchanged.length + adapted.length + beyond.length + problems.length;
  const named = (what: string, names: readonly string[]) =>
    names.length > 0 ? [`${what}: ${names.map((name) => `\`${name}\``).join(", ")}`] : [];
  const parts = [
    `${unchanged.length} of ${all} analyses as printed have the rows of \`make sql\``,
    ...named(`${adapted.length} with other spellings`, adapted),
    ...named("not possible", beyond),
    ...(problems.length > 0 ? [`${problems.length} DIFFER`] : []),
  ];
  return `- ${engine} ${version}: ${parts.join("; ")}.`;
}

/** A row for each cache: of three equal requests how many reach the server, and what else it keeps. */
export function cachesTable(results: readonly CacheResult[]): string {
  const columns = Object.keys(results.find(({ kept }) => Object.keys(kept).length > 0)?.kept ?? {});
  const rows = results.map(({ cache, version, kept }) => [
    ...[cache, version],
    ...columns.map((column) => kept[column] ?? "–"),
  ]);
  return table(["cache", "version", ...columns], rows);
}

/** Formats a table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Everything that must not be, a line each. */
export function problemsOf({
  engines,
  analyses,
  buckets,
  types,
  fractions,
  examples,
  statements,
  readers,
  lakeReaders,
  schemathesis,
  conformance,
  caches,
  generators,
  followers,
}: Results): string[] {
  const fromBuckets = buckets.flatMap(({ store, engines }) =>
    engines.map((engine) => ({ ...engine, engine: `${engine.engine} from ${store}` })),
  );
  return [
    ...[...engines, ...fromBuckets].flatMap(({ engine, failed, problems }) => [
      ...(failed ? [`${engine}: ${failed}`] : []),
      ...Object.entries(problems).map(([question, problem]) => `${engine}, ${question}: ${problem}`),
    ]),
    ...analyses.flatMap(({ engine, problems }) => problems.map((problem) => `${engine}, analysis ${problem}`)),
    ...types.flatMap(({ columns, problems }) =>
      [...problems, ...(columns === 0 ? ["no column was read"] : [])].map((problem) => `types: ${problem}`),
    ),
    ...fractions.flatMap((result) =>
      Object.entries(result.readers).flatMap(([name, reader]) =>
        FRACTION_QUESTIONS.flatMap((question) => {
          const cell = fractionCell(result, reader, question);
          return ["same", "–"].includes(cell) ? [] : [`${name}, ${question} of averages: ${reader.failed ?? cell}`];
        }),
      ),
    ),
    ...examples.flatMap(({ title, problem }) => (problem === undefined ? [] : [`example "${title}": ${problem}`])),
    ...statements.flatMap(({ version, problems }) => problems.map((problem) => `DuckDB ${version}: ${problem}`)),
    ...readers.flatMap(({ engine, errors, mixed, reads }) => [
      ...errors.slice(0, 3).map((error) => `${engine} while exporting: ${error}`),
      ...(mixed > 0 ? [`${engine} while exporting: ${mixed} reads with rows of several versions`] : []),
      ...(reads === 0 ? [`${engine} while exporting: no reads`] : []),
    ]),
    ...lakeReaders.flatMap(({ errors, mixed, reads, refused, snapshots }) => [
      ...errors.slice(0, 3).map((error) => `DuckLake while publishing: ${error}`),
      ...(mixed > 0 ? [`DuckLake while publishing: ${mixed} reads with rows of several snapshots`] : []),
      ...(reads - refused === 0 || snapshots < 2 ? ["DuckLake while publishing: too few reads"] : []),
    ]),
    ...schemathesis.flatMap(({ compat, problem }) =>
      problem === undefined ? [] : [`schemathesis, COMPAT=${compat}: ${problem}`],
    ),
    ...generators.flatMap(({ generator, problem }) => (problem === undefined ? [] : [`${generator}: ${problem}`])),
    ...caches.flatMap(({ cache, problems }) => problems.map((problem) => `${cache}: ${problem}`)),
    ...followers.flatMap(({ follower, problem }) => (problem === undefined ? [] : [`${follower}: ${problem}`])),
    ...conformance.flatMap(({ server, problem }) =>
      problem === undefined ? [] : [`conformance of ${server}: ${problem}`],
    ),
  ];
}

/** Replaces what lies between the markers `<!-- part -->` and `<!-- /part -->` of the page. */
export async function writePart(part: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const page = await readFile(PAGE, "utf8");
  const [before, rest = ""] = page.split(begin);
  const [, after = ""] = rest.split(end);
  await writeFile(PAGE, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
