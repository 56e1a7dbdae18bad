/** `/sql` for programs: the result of the first example, so that readers see it before their browser has a database. */
import { oncePerSnapshot } from "../pages/once-per-snapshot.ts";
import { nothingServed } from "../response/problem.ts";
import { FIRST_STATEMENT, type FirstResult } from "./app/sql/first-statement.ts";

export interface FirstResultOptions {
  readonly snapshotId: () => string | undefined;
  /** Runs a statement on a snapshot. @throws Problem (503) */
  readonly runStatement: (snapshot: string, statement: string) => Promise<readonly object[]>;
}

/** The returned function throws Problem (503). */
export function createFirstResult({ snapshotId, runStatement }: FirstResultOptions): () => Promise<FirstResult> {
  const read = oncePerSnapshot(async (snapshot, statement): Promise<FirstResult> => {
    const rows = await runStatement(snapshot, statement);
    const columns = Object.keys(rows[0] ?? {});
    return { snapshot, statement, columns, rows: rows.map((row) => Object.values(row) as unknown[]) };
  });

  return async () => {
    const id = snapshotId();
    if (id === undefined) throw nothingServed(undefined);
    return read(id, FIRST_STATEMENT);
  };
}
