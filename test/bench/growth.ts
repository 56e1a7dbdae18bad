/** The same questions over a sixteenth, a quarter and all of the rows: what an answer costs grows as its work does. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Asking, Load } from "./load.ts";
import { startServer } from "./measured-server.ts";
import type { Worker } from "./worker.ts";

export interface Growth {
  readonly what: string;
  /** Median milliseconds of questions that were never asked before, on one connection, and their bytes, over 1, 4 and 16 times the rows. */
  readonly p50: readonly number[];
  readonly bytes: readonly number[];
}

export const SHARES = [1, 4, 16] as const;

export async function measureGrowth(
  { asking, publishing }: { asking: Worker; publishing: Worker },
  artifacts: string,
  questions: readonly { readonly what: string; readonly paths: readonly string[] }[],
  ms: number,
): Promise<Growth[]> {
  const found = questions.map(({ what }) => ({ what, p50: [] as number[], bytes: [] as number[] }));
  for (const thinned of SHARES) {
    const folder = await mkdtemp(join(tmpdir(), "academic-growth-"));
    try {
      await publishing.ask({ thinned, from: artifacts, artifacts: folder });
      const server = await startServer(folder);
      for (const [i, { paths }] of questions.entries()) {
        const { p50, bytes } = await asking.ask<Load>({
          base: server.base,
          paths,
          connections: 1,
          ms,
          once: true,
        } satisfies Asking);
        found[i]?.p50.push(p50);
        found[i]?.bytes.push(bytes);
      }
      await server.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return found;
}
