/** Responds with 503, not 500, when a request needs published files that were deleted. */
import type { Endpoint } from "../response/endpoint.ts";
import { filesMissing, toProblem } from "../response/problem.ts";
import type { Generation } from "../snapshot/generation.ts";
import type { Store } from "../snapshot/store.ts";

/** How long a check stays valid; it takes one call of the file system per file. */
const LOOK_MS = 1_000;

/** Checks the files of a body that is read after its headers are sent. @throws Problem (503) */
export async function requireFiles({ current, missingTables }: Store, { tables }: Endpoint): Promise<void> {
  const generation = current()?.generation;
  if (!generation) return;
  const missing = await missingTables(generation, LOOK_MS);
  if (tables.some((table) => missing.has(table))) throw filesMissing();
}

/**
 * Rethrows an error. @throws Problem (503) for an unexpected error while files of this generation are missing, else the
 * error
 */
export async function rethrow(
  error: unknown,
  { missingTables }: Store,
  generation: Generation | undefined,
): Promise<never> {
  const isUnexpected = toProblem(error).status === 500;
  if (isUnexpected && generation && (await missingTables(generation)).size > 0) throw filesMissing(error);
  throw error;
}
