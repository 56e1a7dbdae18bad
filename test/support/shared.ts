/** The folder with a second world and upstream double, where it exists beside this checkout. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../../../shared", import.meta.url));

/** The path without a trailing slash. */
export const shared = existsSync(path) ? path : undefined;
