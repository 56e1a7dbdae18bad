/**
 * `/status`: the snapshot in service, the disk usage of the retained snapshots, and the report of the last run,
 * without paths, credentials and stacks that its messages may contain.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunReport, runReport } from "../../pipeline/contract/documents/run-report.ts";
import {
  acceptanceLine,
  type Freshness,
  isMade,
  type PublishedFile,
} from "../../pipeline/contract/documents/manifest.ts";
import type { Store } from "../snapshot/store.ts";
import { dataAge } from "./data-age.ts";
import { objectBytes } from "../../pipeline/store/layout.ts";
import { listPublished } from "../../pipeline/store/published.ts";

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** Parts of which a newer version was refused: since when, why, and the line that accepts it. */
const withheldStatus = ({ withheld = [] }: Freshness) =>
  withheld.map(({ reasons, since, title }) => ({
    part: title,
    since,
    reasons: reasons.map(({ text }) => redact(text)),
    accept: acceptanceLine(reasons),
  }));

export async function readStatus(
  store: Store,
  run: RunReport | undefined,
  disk: Awaited<ReturnType<typeof readDiskUse>>,
) {
  const { refused, lastRefused } = store.state();
  const freshness = store.freshness();
  const { products, nextRefresh } = freshness;
  const manifest = store.current()?.published.manifest;
  const age = dataAge(store, new Date());
  const snapshot = manifest &&
    age && {
      id: manifest.id,
      generation: manifest.generation,
      createdAt: manifest.createdAt,
      ageSeconds: age.seconds,
      stale: age.isStale,
      /** When the refresh was due that did not come. */
      overdueSince: age.overdueSince,
      tables: tablesOf(manifest.files.filter((file) => !isMade(file))),
    };
  const retained = await store.history.retained();
  return {
    snapshot: snapshot ?? null,
    /** Why the newest snapshot was rejected, now or last time. */
    refused: refused ?? null,
    lastRefused: lastRefused ?? null,
    nextRefresh,
    looked: products,
    /** The number of terms that a first build has yet to add; null when it is complete. */
    olderTerms: freshness.olderTerms ?? null,
    withheld: withheldStatus(freshness),
    /** Systems that are gone, each with a line for people: what is published of them stays. */
    closed: freshness.closed ?? {},
    lastRun: run ?? null,
    disk,
    /** The snapshots that `asOf` can name; `retain` is the last run's RETAIN. */
    retained: {
      snapshots: retained.length,
      oldest: retained.at(-1)?.servedFrom ?? null,
      retain: run?.disk.retain ?? null,
    },
  };
}

/** `parts` are the terms or years, oldest first, if partitioned. */
function tablesOf(files: readonly PublishedFile[]) {
  const tables = new Map<string, { rows: number; bytes: number; parts: { name: string; rows: number }[] }>();
  for (const { table, partition, rows, bytes } of files) {
    const known = tables.get(table) ?? { rows: 0, bytes: 0, parts: [] };
    known.rows += rows;
    known.bytes += bytes;
    const name = [partition.year, partition.quarter].filter((part) => part !== undefined).join(" ");
    if (name !== "") known.parts.push({ name, rows });
    tables.set(table, known);
  }
  return [...tables].map(([table, about]) => ({ table, ...about }));
}

/** An object of several snapshots counts once. */
export async function readDiskUse(artifactsDir: string) {
  return { generations: (await listPublished(artifactsDir)).length, bytes: await objectBytes(artifactsDir) };
}

/** Reads the report with all of its texts redacted; undefined when it is missing or invalid. */
export async function readLastRun(artifactsDir: string): Promise<RunReport | undefined> {
  try {
    const text = await readFile(join(artifactsDir, "report.json"), "utf8");
    const { advice: _forTheOperator, ...report } = runReport.parse(
      JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? redact(value) : value)),
    );
    return report;
  } catch {
    return undefined;
  }
}

/** Matches `file:` URLs and absolute paths with at least two segments, but not the path of a web URL. */
const DIRECTORIES = /file:\/\/\S*\/|(?<![\w:/.])(?:[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w.@+-])+[/\\]/g;
const CREDENTIALS = /(:\/\/)[^\s/@]+@/g;
const MAX_LENGTH = 500;

/** Returns the first line of a text, with paths reduced to their last segment. */
export const redact = (text: string): string =>
  (text.split("\n")[0] ?? "").replace(CREDENTIALS, "$1").replace(DIRECTORIES, "").slice(0, MAX_LENGTH);
