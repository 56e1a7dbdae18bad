/** Reads the typed client, which `make setup` generates next to this compiled file. */
import { readFile } from "node:fs/promises";

export type Language = "ts" | "js";

/** Reads the client. @param mode the name of the server's mode */
export const readClient = (language: Language, mode = "plain"): Promise<Buffer> =>
  readFile(new URL(`${mode}.${language}`, import.meta.url));
