/** The folder with the test upstream and the real sheets, where it lies beside this checkout; the tests that need it skip themselves elsewhere. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../../../shared", import.meta.url));

/** Without a slash at its end. */
export const shared = existsSync(path) ? path : undefined;

if (shared === undefined) process.stdout.write("skipped: ../shared is not beside this checkout\n");
