/** The instructors' names that are not in ASCII, for live questions: the schedule system finds a name only as it is spelled. */
import { sql } from "../../duckdb/sql.ts";
import { filesOf } from "../../snapshot/generation.ts";
import { publishedRows } from "../../snapshot/loading.ts";
import { LOADING, type Pool } from "../../duckdb/pool.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

const known = new WeakMap<Snapshot, Promise<readonly string[]>>();

/** Those of every published term; read when they are first asked for. */
export function accentedNames(snapshot: Snapshot, pool: Pool): Promise<readonly string[]> {
  const names = known.get(snapshot) ?? readNames(snapshot, pool);
  known.set(snapshot, names);
  names.catch(() => known.delete(snapshot));
  return names;
}

async function readNames({ generation }: Snapshot, pool: Pool): Promise<readonly string[]> {
  const rows = publishedRows("sections", filesOf(generation, "sections").paths);
  const [names = []] = await pool.columns(
    sql`SELECT DISTINCT name FROM (SELECT unnest(instructors) AS name FROM ${rows}) WHERE strlen(name) <> length(name) ORDER BY name`,
    LOADING,
  );
  return names as string[];
}
