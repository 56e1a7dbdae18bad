/** The typed client, which `make setup` generates beside this compiled file. */
import { readFile } from "node:fs/promises";

export type Language = "ts" | "js";

/** @param compat that of a server with COMPAT=1 */
export const readClient = (language: Language, compat: boolean): Promise<Buffer> =>
  readFile(new URL(`${compat ? "compat" : "plain"}.${language}`, import.meta.url));
