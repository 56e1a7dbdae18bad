/** What `make serve` runs before a first build: a wrong value is refused at once, not after minutes. Exit status 2. */
import { UsageError } from "../../pipeline/errors.ts";
import { readServerConfig } from "../config.ts";
import { checkAddress } from "../site/status/address-check.ts";

try {
  await checkAddress(readServerConfig(process.env));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
