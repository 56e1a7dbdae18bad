import { test } from "vitest";
import { replayChanges } from "../pipeline/products/replay-changes.ts";
import { scratchFolder } from "../pipeline/publish/scratch.ts";

const scratch = scratchFolder();

test("300 random sequences of schedules: the changes lead from any snapshot to any later one", () =>
  replayChanges(scratch, 300));
