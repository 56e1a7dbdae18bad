import { expect, test } from "vitest";
import { scratchDatabase } from "../pipeline/publish/scratch.ts";
import { killRuns } from "./run-kill-loop.ts";

const KILLS = 200;

test(`${KILLS} random SIGKILLs of whole runs: the old state or the new one, whole; the next run converges`, async () => {
  const { connection } = await scratchDatabase();
  const { broken, before, after, late, generations } = await killRuns(connection, KILLS);
  process.stdout.write(
    `${KILLS} kills: ${before} left the old state, ${after} the new one, ${late} runs were quicker; ${generations} generations\n`,
  );
  expect(broken).toEqual([]);
  expect(before).toBeGreaterThan(KILLS / 10);
});
