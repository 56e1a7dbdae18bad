/** The network ids of the published instructors, and suggestions for unknown ones. */
import { closestNames } from "../../pipeline/settings/closest-names.ts";
import { sql } from "../duckdb/sql.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";

interface Netids {
  has(netid: string): boolean;
  suggest(netid: string): string[];
  drop(): Promise<void>;
}

export const netids: Derivation<Netids> = {
  name: "netids",
  tables: ["instructors"],
  async make(pool, rows) {
    const [list = []] = await pool.columns(sql`SELECT lower(netid) FROM ${rows("instructors")} ORDER BY ALL`, {
      uncached: true,
    });
    const knownIds = new Set(list as string[]);
    return {
      drop: () => Promise.resolve(),
      has: (netid) => knownIds.has(netid),
      suggest: (netid) => closestNames(netid, knownIds),
    };
  },
};
