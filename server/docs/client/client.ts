/** The typed client, which `make setup` generates beside this compiled file. */
import { readFile } from "node:fs/promises";

export type Language = "ts" | "js";

/** @param mode that of the server, by name */
export const readClient = (language: Language, mode = "plain"): Promise<Buffer> =>
  readFile(new URL(`${mode}.${language}`, import.meta.url));
