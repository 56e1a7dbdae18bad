/**
 * `node --import tsx test/torture/recording/main.ts BEFORE AFTER` lists the responses that differ between two checkouts
 * in which `make setup` was called; with a single checkout it writes its recording. ARTIFACTS_DIR is the served data;
 * without it, a generated world is published.
 */
import { openExplainWorld } from "../../server/response/explain/explain-world.ts";
import { differences, record } from "./record.ts";

const [before, after] = process.argv.slice(2);
if (before === undefined) throw new Error("name the folder of a checkout, or of two");
const given = process.env["ARTIFACTS_DIR"];
const world = given === undefined ? await openExplainWorld() : { artifacts: given, remove: () => Promise.resolve() };
try {
  const first = await record(before, world.artifacts);
  const lines =
    after === undefined
      ? [...first].map((pair) => pair.join("\t"))
      : differences(first, await record(after, world.artifacts));
  process.stdout.write(`${[...lines, `${first.size} responses`].join("\n")}\n`);
  process.exitCode = after !== undefined && lines.length > 0 ? 1 : 0;
} finally {
  await world.remove();
}
