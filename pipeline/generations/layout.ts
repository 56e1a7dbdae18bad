import { join } from "node:path";
import type { Partition } from "../contract/documents/manifest.ts";

export interface Layout {
  /** The symbolic link to the current generation. */
  readonly current: string;
  readonly generations: string;
  /** Everything unfinished is in here and nowhere else. */
  readonly staging: string;
  readonly freshness: string;
  readonly lock: string;
}

export function layoutOf(artifacts: string): Layout {
  return {
    current: join(artifacts, "current"),
    generations: join(artifacts, "generations"),
    staging: join(artifacts, "staging"),
    freshness: join(artifacts, "freshness.json"),
    lock: join(artifacts, "lock"),
  };
}

export function generationName(generation: number, id: string): string {
  return `${generation}-${id}`;
}

/** Parses `<n>-<snapshot id>`; undefined for any other name. */
export function parseGenerationName(name: string): { generation: number; id: string } | undefined {
  const found = /^([1-9]\d{0,14})-([0-9a-f]{16})$/.exec(name);
  return found?.[1] && found[2] ? { generation: Number(found[1]), id: found[2] } : undefined;
}

interface Part {
  readonly table: string;
  readonly partition: Partition;
}

/** `<table>/year=…/quarter=…/month=…/<name>.parquet`, with the keys that the table is partitioned by. */
export function filePath(table: string, { year, quarter, month }: Partition, name: string): string {
  return [
    table,
    ...(year === undefined ? [] : [`year=${year}`]),
    ...(quarter === undefined ? [] : [`quarter=${quarter}`]),
    ...(month === undefined ? [] : [`month=${month}`]),
    `${name}.parquet`,
  ].join("/");
}

/** For reports: `2024 Fall`, `2024`, or `""` for a table in one file. */
export function partitionName({ year, quarter, month }: Partition): string {
  return [year, quarter, month].filter((part) => part !== undefined).join(" ");
}

/** For reports: `enrollment_periods 2026 Fall 2026-11`. */
export const partitionTitle = ({ table, partition }: Part): string => `${table} ${partitionName(partition)}`.trim();

/** Whether two files hold the same partition of the same table. */
export const samePart = (a: Part, b: Part): boolean => a.table === b.table && samePartition(a.partition, b.partition);

export function samePartition(a: Partition, b: Partition): boolean {
  return a.year === b.year && a.quarter === b.quarter && a.month === b.month;
}
