/**
 * Versions of a part of which only counts are known: a run's context whose database answers the guard's statements from
 * them.
 */
import { columnMeasures } from "../../../../pipeline/contract/measures.ts";
import { createTally } from "../../../../pipeline/contract/documents/tally.ts";
import { samePart, type PublishedFile } from "../../../../pipeline/contract/documents/manifest.ts";
import type { UnknownField } from "../../../../pipeline/contract/source-fields.ts";
import { TABLES } from "../../../../pipeline/contract/tables.ts";
import type { RunContext } from "../../../../pipeline/products/context.ts";
import type { Column } from "../../../../pipeline/products/guard/profile.ts";
import type { PublishedPart } from "../../../../pipeline/products/guard/references.ts";

type Counted = Readonly<{ rows: number; columns?: Readonly<Record<string, Partial<Column>>> }>;

export interface Version extends Counted {
  /** Part of its path, and so of its relation. */
  readonly name: string;
  /** When its snapshot was published. */
  readonly at?: string;
  readonly part?: PublishedPart;
  /** Some keys; by default as many as rows, the first ones. */
  readonly keys?: readonly number[];
  readonly quarters?: Readonly<Record<string, Counted>>;
  /** The hash of its content, its name by default. */
  readonly content?: string;
  /** True when it cannot be read. */
  readonly isBroken?: boolean;
}

export const FALL: PublishedPart = { table: "sections", partition: { year: "2026", quarter: "Fall" } };
export const NOW = new Date("2026-11-20T20:00:00Z");

const keysOf = ({ keys, rows }: Version): readonly number[] => keys ?? Array.from({ length: rows }, (_, n) => n);

function database(versions: readonly Version[]) {
  /** The versions in the order in which the statement names them, each with its quarter, if any. */
  const named = (sql: string): (Counted & Version)[] =>
    [
      ...sql.matchAll(
        /\b(\w+)\.parquet'[^)]*\)(?: WHERE quarter = '(\w+)')?|\bFROM (staged)\b(?: WHERE quarter = '(\w+)')?/g,
      ),
    ].map(([, file, quarter, staged, ofStaged]) => {
      const version = versions.find(({ name }) => name === (file ?? staged));
      if (!version || version.isBroken) throw new Error(`cannot read ${file ?? staged}`);
      const slice = quarter ?? ofStaged;
      return slice === undefined ? version : { ...version, rows: 0, columns: {}, ...version.quarters?.[slice] };
    });
  const profileOf = (part: string, { rows, columns = {} }: Counted) => [
    part,
    rows,
    ...columnMeasures(TABLES.sections, []).flatMap(({ name }) => {
      const { filled = 0, distinct = 0, written = 0, formed = 0 } = columns[name] ?? {};
      return [filled, distinct, written, formed];
    }),
  ];
  function answer(sql: string): unknown[][] {
    const [first, other] = named(sql);
    if (!first) return [];
    if (other) {
      const others = new Set(keysOf(other));
      const common = keysOf(first).filter((key) => others.has(key)).length;
      const losses = columnMeasures(TABLES.sections).flatMap(({ name }) => {
        const [held, left] = [first.columns?.[name]?.filled ?? 0, other.columns?.[name]?.filled ?? 0];
        const [formed, kept] = [first.columns?.[name]?.formed ?? 0, other.columns?.[name]?.formed ?? 0];
        return [held, Math.max(0, held - left), formed, Math.max(0, formed - kept)];
      });
      return [[keysOf(first).length, keysOf(other).length, common, ...losses]];
    }
    if (sql.startsWith("SELECT min(")) return [["an example"]];
    if (sql.startsWith("SELECT quarter AS"))
      return Object.entries(first.quarters ?? {}).map(([part, counted]) => profileOf(part, counted));
    return first.rows === 0 ? [] : [profileOf("", first)];
  }
  return { runAndReadAll: async (sql: string) => ({ getRowsJS: () => answer(sql) }) };
}

interface World {
  readonly staged: Counted & Omit<Version, "name">;
  /** The published version and those of earlier snapshots, newest first. */
  readonly versions?: readonly Version[];
  /** The file of the published version is damaged. */
  readonly isDamaged?: boolean;
  /** Published versions of other parts. */
  readonly others?: readonly Version[];
  readonly remembered?: Readonly<Record<string, UnknownField[]>>;
  /** When something was accepted, by part. */
  readonly acceptedAt?: Readonly<Record<string, string>>;
}

export function openVersions({ versions = [], staged, others = [], isDamaged, remembered, acceptedAt }: World) {
  const fileOf = ({ name, rows, part = FALL, content = name }: Version): PublishedFile =>
    ({ ...part, path: `${name}.parquet`, rows, sha256: content, bytes: 1 }) as PublishedFile;
  const [published] = versions;
  const files = [...(published ? [published] : []), ...others].map(fileOf);
  const isSound = (file: PublishedFile) => !(isDamaged && file === files[0]);
  const accepted = new Set<string>();
  const tally = createTally("schedule");
  const context = {
    accepted,
    now: () => NOW,
    database: { connection: database([...versions, ...others, { ...staged, name: "staged" }]) },
    freshness: { remembered, accepted: acceptedAt },
    earlier: async () =>
      versions.map((version) => ({
        folder: "/generations",
        manifest: { id: `of ${version.name}`, createdAt: version.at ?? NOW.toISOString(), files: [fileOf(version)] },
      })),
    staging: {
      files: () => files,
      find: (table: string, partition: object) => files.find((file) => samePart(file, { table, partition })),
      paths: (table: string, partition: object) =>
        files.filter((file) => samePart(file, { table, partition }) && isSound(file)).map(({ path }) => path),
      lost: () => files.filter((file) => !isSound(file)),
      disk: {
        stat: async (path: string) => {
          const version = versions.find(({ name }) => path.endsWith(`/${name}.parquet`));
          return version && { kind: "file", bytes: version.isBroken || (isDamaged && version === published) ? 0 : 1 };
        },
        digest: async (path: string) => {
          const version = versions.find(({ name }) => path.endsWith(`/${name}.parquet`));
          return { bytes: 1, sha256: version && (version.content ?? version.name) };
        },
      },
    },
  } as unknown as RunContext;
  return { context, accepted, tally, noted: () => tally.report("published", 0).noted };
}
