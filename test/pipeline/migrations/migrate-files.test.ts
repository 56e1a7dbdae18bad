import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocatedFile, MigrationContext } from "../../../pipeline/migrations/located-file.ts";
import { migrateFiles } from "../../../pipeline/migrations/migrate-files.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import { openFolder } from "../../support/whole-run.ts";
import { openReader } from "./old-base.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
let reader: Database;
let context: MigrationContext;
beforeAll(async () => {
  place = await openFolder();
  reader = await openReader(join(place.data, "spill"));
  await mkdir(place.data, { recursive: true });
  context = { disk: nodeDisk, filesFolder: join(place.data, "files"), connection: reader.connection };
});
afterAll(async () => {
  reader.close();
  await place.remove();
});

async function rowsIn(path: string): Promise<unknown[][]> {
  return (
    await reader.connection.runAndReadAll(`SELECT id, requirementTree, repeatability FROM '${path}'`)
  ).getRowsJson();
}

test("names become courses and exams without grades; a file that has the column already stays", async () => {
  const trees = {
    A1: {},
    B1: { AND: ["MATH 2A"] },
    C1: { OR: ["I&C SCI 46", { AND: ["AP CALCULUS AB", "AP PHYSICS 1", "CRM/LAW C7"] }, "PLACEMENT EXAM"] },
  };
  const values = Object.entries(trees).map(([id, tree]) => `('${id}', '${JSON.stringify(tree)}', '', 'Twice.')`);
  const path = join(place.data, "courses.parquet");
  await reader.connection.run(
    `COPY (FROM (VALUES ${values.join(", ")}) AS t(id, prerequisiteTree, prerequisiteText, repeatability)) TO '${path}'`,
  );
  const file = { table: "courses", partition: {}, path: "courses.parquet", sha256: "0".repeat(64), rows: 3, bytes: 1 };
  const [migrated] = (await migrateFiles(4, [{ file, at: path }], context)) as [LocatedFile];
  const course = (courseId: string) => ({ prereqType: "course", coreq: false, courseId });
  const exam = (examName: string) => ({ prereqType: "exam", examName });
  const rows = (await rowsIn(migrated.at)).map(([id, tree, other]) => [id, JSON.parse(String(tree)) as unknown, other]);
  expect(rows).toEqual([
    ["A1", {}, "Twice."],
    ["B1", { AND: [course("MATH 2A")] }, "Twice."],
    [
      "C1",
      {
        OR: [
          course("I&C SCI 46"),
          { AND: [exam("AP CALCULUS AB"), exam("AP PHYSICS 1"), course("CRM/LAW C7")] },
          exam("PLACEMENT EXAM"),
        ],
      },
      "Twice.",
    ],
  ]);
  expect(await migrateFiles(4, [migrated], context)).toEqual([migrated]);
});
