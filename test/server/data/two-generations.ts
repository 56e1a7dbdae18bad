/** A server over two snapshots that are kept: grades and a course, then other grades beside the same course. */
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { BulkFile, BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../support/published/published.ts";
import { ask } from "../http/wire.ts";

export const FOR_EVER = "public, max-age=31536000, immutable";
export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
export const fileOf = ({ tables }: BulkManifest, table: string) => tables[table]?.files[0] as BulkFile;

interface TwoGenerations {
  readonly courseBytes?: number;
  /** Of the server. */
  readonly env?: Record<string, string>;
}

/** The course's file has about so many bytes, which no compression makes less. */
export async function openTwoGenerations({ courseBytes = 1_000, env = {} }: TwoGenerations = {}) {
  const folder = await openFolder();
  const description = randomBytes(courseBytes).toString("base64");
  await publishRows(folder.artifacts, { grades: [gradeRow()], courses: [courseRow({ description })] });
  const server = await serve({ ...folder.env, ...env });
  const manifest = async () => (await ask(`${server.url}/v1/data/manifest.json`)).json<BulkManifest>();
  const older = await manifest();
  const many = Array.from({ length: 500 }, (_, n) => gradeRow({ sectionCode: String(10_000 + n) }));
  const { id } = await publishRows(folder.artifacts, { grades: [...many, gradeRow({ year: "2023" })] });
  const now = await vi.waitFor(
    async () => {
      const found = await manifest();
      expect(found.id).toBe(id);
      // It is written after the flip, and told a moment later.
      expect(found.freshness).toEqual(JSON.parse(await readFile(join(folder.artifacts, "freshness.json"), "utf8")));
      return found;
    },
    { timeout: 30_000 },
  );
  return {
    url: server.url,
    artifacts: folder.artifacts,
    manifest,
    /** Of the snapshot before, which is kept. */
    older,
    now,
    grades: now.tables["grades"]?.files.find(({ partition }) => partition.year === "2024") as BulkFile,
    course: fileOf(now, "courses"),
    at: (file: BulkFile) => `${server.url}${file.url}`,
    async close() {
      await server.close();
      await folder.remove();
    },
  };
}
