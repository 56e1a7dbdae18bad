/** The publishers of other tests: every row has the stamp of its snapshot, however its file was written. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifySnapshot } from "../../../pipeline/store/verify.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const database = await scratchDatabase();
const { connection } = database;
const scratch = scratchFolder();

test.each([undefined, 3])("each row is stamped with its generation (files written ahead: %s)", async (ahead) => {
  const artifacts = join(scratch, String(ahead));
  mkdirSync(artifacts);
  const publisher = await openPublisher(artifacts, { rows: 10, ...(ahead ? { ahead } : {}) });
  for (const expected of [1, 2, 3, 4]) {
    const { stamp, published } = await publisher.publish();
    expect([stamp, published.manifest.generation]).toEqual([expected, expected]);
    expect(await verifySnapshot(connection, published)).toEqual([]);
    const reader = await connection.runAndReadAll(
      `SELECT DISTINCT "gradeACount", "gradeWCount" FROM read_parquet('${artifacts}/current/grades/*.parquet')`,
    );
    expect(reader.getRowsJson()).toEqual([[expected, expected]]);
  }
  publisher.close();
});
