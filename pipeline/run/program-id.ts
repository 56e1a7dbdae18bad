/** Identifies the program: another one may read the same pages in another way. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("..", import.meta.url));

let id: string | undefined;

/** Returns a hash of the pipeline's own files. */
export function programId(): string {
  if (id !== undefined) return id;
  const hash = createHash("sha256");
  for (const path of readdirSync(PROGRAM, { recursive: true, encoding: "utf8" }).toSorted())
    if (/\.[jt]s$/.test(path)) hash.update(`${path}\n`).update(readFileSync(join(PROGRAM, path)));
  return (id = hash.digest("hex").slice(0, 16));
}
