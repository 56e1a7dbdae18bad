/** Validates the configuration for `make serve` before a first build, which takes minutes. Exit status 2 for an invalid value. */
import { UsageError } from "../../pipeline/errors.ts";
import { readServerConfig } from "../config.ts";
import { checkAddress } from "./address-check.ts";

try {
  await checkAddress(readServerConfig(process.env));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
