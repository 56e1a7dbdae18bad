/**
 * Two snapshots of the sample campus, exported as they are published, with the API's answers to the questions at each
 * of them.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BulkManifest } from "../../pipeline/contract/documents/bulk-manifest.ts";
import { exportSnapshot } from "../../pipeline/lake/complete.ts";
import { openFolderStore } from "../../pipeline/store/folder.ts";
import { nodeDisk } from "../../pipeline/disk/disk.ts";
import { readCurrent } from "../../pipeline/store/published.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import type { RunningStore } from "../support/s3/client.ts";
import { serve } from "../support/whole-run.ts";

/** Compiled by `make setup`. */
const PIPELINE = fileURLToPath(new URL("../../dist/current/pipeline/main.js", import.meta.url));

/** A term that only the newer snapshot has. */
export const TERM = { year: "2026", quarter: "Fall" };
const TERMS = ["2018 Spring,2025 Fall", `2018 Spring,2025 Fall,${TERM.year} ${TERM.quarter}`];

export interface Answers {
  /** Numbers by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Averages by department. */
  readonly gpa: Readonly<Record<string, number>>;
  /** Capacity, enrolled and waitlist of the term. */
  readonly seats: readonly number[];
  /** Sections with several instructors by department, each counted once, and their A grades. */
  readonly coTaught: Readonly<Record<string, readonly number[]>>;
}

export interface ExportedAnswers {
  readonly generation: number;
  readonly versions: Readonly<Record<string, number>>;
  readonly folder: string;
  /** Files by table, relative to the folder. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly expected: Answers;
}

/** A bucket to which the snapshots were published as well. */
export interface WorldStore {
  readonly name: string;
  readonly target: RunningStore;
  /** `s3://bucket/prefix` */
  readonly lake: string;
}

export interface World {
  readonly folder: string;
  readonly artifacts: string;
  readonly env: Record<string, string>;
  readonly lake: string;
  /** The newer one first. */
  readonly snapshots: readonly ExportedAnswers[];
  readonly remove: () => Promise<void>;
}

export async function openWorld(stores: readonly WorldStore[] = []): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "academic-engines-"));
  const artifacts = join(folder, "artifacts");
  const lake = join(folder, "root", "lake");
  await mkdir(lake, { recursive: true });
  const env = { DATA_DIR: join(folder, "data"), ARTIFACTS_DIR: artifacts };
  const snapshots: ExportedAnswers[] = [];
  for (const terms of TERMS) {
    await promisify(execFile)(process.execPath, [PIPELINE, "build"], {
      env: { ...process.env, ...env, TERMS: terms },
      maxBuffer: Infinity,
    });
    const { snapshot } = await exportSnapshot(artifacts, openFolderStore(lake), { now: new Date() });
    for (const { lake, target } of stores) {
      const store = openStore(new URL(lake), { aws: readPipelineConfig(target.env).aws });
      const published = await exportSnapshot(artifacts, store, { now: new Date() });
      if (JSON.stringify(published.snapshot.versions) !== JSON.stringify(snapshot.versions))
        throw new Error(`${store.name} has other versions than the folder`);
    }
    const published = await readCurrent(artifacts);
    const files: Record<string, string[]> = {};
    for (const { table, path } of published?.manifest.files ?? []) (files[table] ??= []).push(path);
    const expected = await askApi(env);
    const { generation: number, versions } = snapshot;
    // Use the checkout, a folder with only the files of this snapshot.
    const checkout = await realpath(layoutOf(artifacts).current);
    snapshots.unshift({ generation: number, versions, folder: checkout, files, expected });
  }
  return { folder, artifacts, env, lake, snapshots, remove: () => rm(folder, { recursive: true, force: true }) };
}

interface RawGrade {
  readonly department: string;
  readonly gradeACount: number;
  readonly instructors: readonly string[];
}

interface ScheduledSection {
  readonly maxCapacity: string;
  readonly numCurrentlyEnrolled: { readonly totalEnrolled: string };
  readonly numOnWaitlist: string;
}

type Tree = { schools: { departments: { courses: { sections: ScheduledSection[] }[] }[] }[] };

async function askApi(env: Record<string, string>): Promise<Answers> {
  const server = await serve(env);
  try {
    const manifest = (await (await fetch(`${server.url}/v1/data/manifest.json`)).json()) as BulkManifest;
    const rows = Object.fromEntries(Object.entries(manifest.tables).map(([name, table]) => [name, table.rows]));
    const grades = await server.json<RawGrade[]>("/grades/raw");
    const gpa: Record<string, number> = {};
    const coTaught: Record<string, [number, number]> = {};
    for (const department of new Set(grades.map((grade) => grade.department))) {
      const path = `/grades/aggregate?department=${encodeURIComponent(department)}`;
      const { gradeDistribution } = await server.json<{ gradeDistribution: { averageGPA: number } }>(path);
      gpa[department] = gradeDistribution.averageGPA;
      const shared = grades.filter((grade) => grade.department === department && grade.instructors.length > 1);
      const as = shared.reduce((sum, { gradeACount }) => sum + gradeACount, 0);
      if (shared.length > 0) coTaught[department] = [shared.length, as];
    }
    const query = `year=${TERM.year}&quarter=${TERM.quarter}&cacheOnly=true&cancelledCourses=Include`;
    const { schools } = await server.json<Tree>(`/schedule?${query}`);
    const sections = schools.flatMap(({ departments }) =>
      departments.flatMap(({ courses }) => courses.flatMap((course) => course.sections)),
    );
    const total = (of: (section: ScheduledSection) => string) =>
      sections.reduce((sum, section) => sum + (/^\d+$/.test(of(section)) ? Number(of(section)) : 0), 0);
    const seats = [
      total(({ maxCapacity }) => maxCapacity),
      total(({ numCurrentlyEnrolled }) => numCurrentlyEnrolled.totalEnrolled),
      total(({ numOnWaitlist }) => numOnWaitlist),
    ];
    return { rows, gpa, seats, coTaught };
  } finally {
    await server.close();
  }
}

/** The job that every engine's script reads. */
export async function writeJob(world: World, more: Record<string, unknown>): Promise<string> {
  const scratch = join(world.folder, "scratch");
  await mkdir(scratch, { recursive: true });
  const { lake, snapshots } = world;
  const tables = Object.keys(snapshots[0]?.versions ?? {});
  // A bucket's job stands beside that of the folder.
  const path = join(world.folder, `job-${randomUUID()}.json`);
  await nodeDisk.writeFile(path, JSON.stringify({ lake, tables, term: TERM, scratch, snapshots, ...more }));
  return path;
}
