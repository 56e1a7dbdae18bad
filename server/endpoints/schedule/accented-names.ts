/** Instructor names with non-ASCII characters, for live queries: the schedule system matches names only as spelled. */
import { sql } from "../../duckdb/sql.ts";
import { filesOf } from "../../snapshot/generation.ts";
import { publishedRows } from "../../snapshot/loading.ts";
import { LOADING, type Pool } from "../../duckdb/pool.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

const namesBySnapshot = new WeakMap<Snapshot, Promise<readonly string[]>>();

export function accentedNames(snapshot: Snapshot, pool: Pool): Promise<readonly string[]> {
  const names = namesBySnapshot.get(snapshot) ?? readNames(snapshot, pool);
  namesBySnapshot.set(snapshot, names);
  names.catch(() => namesBySnapshot.delete(snapshot));
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
