import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killPublisher } from "../pipeline/publish/kill-loop.ts";
import { scratchDatabase, scratchFolder } from "../pipeline/publish/scratch.ts";

const { connection } = await scratchDatabase();
const artifacts = join(scratchFolder(), "artifacts");
mkdirSync(artifacts);

test("200 random SIGKILLs of a real publisher: always the old generation or the new one, whole", async () => {
  const { broken, published, interrupted } = await killPublisher(connection, artifacts, 200);
  process.stdout.write(`200 kills: ${published} generations, ${interrupted} kills in the middle of a run\n`);
  expect(broken).toEqual([]);
  expect(interrupted).toBeGreaterThan(50);
});
