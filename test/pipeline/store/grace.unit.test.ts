/** What a collector removes of all that no snapshot names, by its kind, its age, and who else may publish there. */
import { expect, it } from "vitest";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { RETENTION } from "../../../pipeline/contract/retention.ts";
import { collect } from "../../../pipeline/store/collect.ts";
import { snapshotKey, type StoredPointer } from "../../../pipeline/store/pointer.ts";
import type { Store } from "../../../pipeline/store/store.ts";

const NOW = new Date("2026-11-22T20:00:00Z");
const GRACE_MS = 3_600_000;

const keyOf = (generation: number) => snapshotKey({ generation, id: String(generation).repeat(16) });
const KINDS = {
  object: `grades/2024-${"a".repeat(32)}.parquet`,
  "manifest of an earlier number": keyOf(4),
  "manifest of a later number": keyOf(6),
} as const;
type Kind = keyof typeof KINDS;
const AGES = { young: NOW.getTime() - GRACE_MS + 1, old: NOW.getTime() - GRACE_MS - 1 } as const;
const COLLECTORS = {
  "shared store": { graceMs: GRACE_MS },
  "store of its own": { graceMs: 0 },
  "take-down": { graceMs: GRACE_MS, isUrgent: true },
} as const;
type Collector = keyof typeof COLLECTORS;

/** Others may be publishing a young object, and a snapshot with a later number. */
const isRemoved = (by: Collector, kind: Kind, age: keyof typeof AGES): boolean =>
  by !== "shared store" || (age === "old" && kind !== "manifest of a later number");

const CASES = Object.keys(COLLECTORS).flatMap((by) =>
  Object.keys(KINDS).flatMap((kind) =>
    Object.keys(AGES).map((age) => [by as Collector, kind as Kind, age as keyof typeof AGES] as const),
  ),
);

it.each(CASES)("%s, %s, %s", async (by, kind, age) => {
  const { graceMs, ...options } = { isUrgent: false, ...COLLECTORS[by] };
  const snapshot = { id: "5".repeat(16), generation: 5, files: [] } as unknown as Manifest;
  const key = KINDS[kind];
  const left = new Map([
    [keyOf(5), AGES.old],
    [key, AGES[age]],
  ]);
  const store = {
    name: "store",
    graceMs,
    list: async (prefix: string) =>
      [...left].flatMap(([path, modifiedMs]) => (path.startsWith(prefix) ? [{ key: path, bytes: 1, modifiedMs }] : [])),
    remove: async (path: string) => void left.delete(path),
  } as unknown as Store;
  const pointer = { snapshot, retained: [], etag: "e" } as unknown as StoredPointer;
  const { removed } = await collect(store, pointer, { now: NOW, retain: RETENTION, ...options });
  expect(removed).toEqual(isRemoved(by, kind, age) ? [key] : []);
  expect(left.has(key)).toBe(!isRemoved(by, kind, age));
  expect(left.has(keyOf(5))).toBe(true);
});
