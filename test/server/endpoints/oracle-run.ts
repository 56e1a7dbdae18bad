/**
 * The oracle and the rules over one world. A failure prints the seed, of the world and of its requests, and the path to the smallest request that fails:
 * `ORACLE="<seed> <path>"` replays it, with the test that failed by `-t`; a seed alone draws another world and other requests.
 */
import * as fc from "fast-check";
import { expect } from "vitest";
import { openSql } from "../../support/run-sql.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import type { Asked } from "../../support/oracle/oracle.ts";
import { requestTo, requestToAny } from "../../support/worlds/drawn-requests.ts";
import type { OracleWorld } from "../../support/worlds/oracle-world.ts";
import type { Rule } from "./oracle-rules.ts";

const PATHS = endpoints.map(({ path }) => path);
const [given, path] = (process.env["ORACLE"] ?? "").split(" ").filter(Boolean);
/** That of ORACLE, if there is one. */
export const seedOr = (usual: number): number => Number(given ?? usual);
const options = (seed: number, numRuns: number) => ({ numRuns, seed, ...(path === undefined ? {} : { path }) });

/** Random requests to all endpoints. @returns how many rows the responses had, by endpoint */
export async function compareWithOracle(world: OracleWorld, requests: number): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, number>(PATHS.map((one) => [one, 0]));
  const check = async (asked: Asked) =>
    void rows.set(asked.path, (rows.get(asked.path) ?? 0) + (await world.check(asked)));
  await fc.assert(fc.asyncProperty(requestToAny(world.history), check), options(world.seed, requests));
  return rows;
}

/** A rule for so many random requests to each endpoint. */
export async function walk(world: OracleWorld, rule: Rule, requests: number): Promise<void> {
  const shell = await openSql(world.artifacts, { tempFolder: world.scratch });
  try {
    const paths = PATHS.filter((one) => rule.appliesTo?.(one) ?? true);
    expect(paths.length).toBeGreaterThan(0);
    for (const one of paths) {
      const request = requestTo(world.history, one, rule.without);
      const check = (asked: Asked) => rule.check(asked, world, shell);
      await fc.assert(fc.asyncProperty(request, check), options(world.seed, requests));
    }
  } finally {
    shell.close();
  }
}
