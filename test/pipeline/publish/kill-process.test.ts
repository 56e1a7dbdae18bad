import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killPublisher } from "./kill-loop.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const { connection } = await scratchDatabase();
const artifacts = join(scratchFolder(), "artifacts");
mkdirSync(artifacts);

test("5 random SIGKILLs of a real publisher: always the old generation or the new one, whole", async () => {
  const { broken, published, interrupted } = await killPublisher(connection, artifacts, 5);
  expect(broken).toEqual([]);
  expect(published).toBeGreaterThan(5);
  expect(interrupted).toBeGreaterThan(0);
});
