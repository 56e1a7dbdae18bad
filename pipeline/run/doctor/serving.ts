/** Asks the server itself whether it could serve the published data now (`server/main.js --check`). */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../settings/settings.ts";
import { fault, type Finding, ok } from "./finding.ts";

/** Returns the reason why not, in a sentence; undefined when it could. */
export type TryServing = (env: Environment) => Promise<string | undefined>;

const SERVER = fileURLToPath(new URL("../../../server/main.js", import.meta.url));
/** The timeout; loading the largest data takes seconds. */
const MAX_MS = 120_000;

/** Starts the server in a separate process, as an operator would. */
export const tryServing: TryServing = async (env) => {
  const child = spawn(process.execPath, [SERVER, "--check"], {
    env: { ...env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: MAX_MS,
  });
  const said = text(child.stderr);
  const [status] = (await once(child, "exit")) as [number | null];
  if (status === 0) return undefined;
  return (await said).trim().split("\n").at(-1) || `it ended with ${status === null ? "a signal" : `status ${status}`}`;
};

export async function checkServing(env: Environment, tried: TryServing): Promise<Finding> {
  const problem = await tried(env);
  if (problem === undefined) return ok("a server that starts now serves what is published");
  return fault(
    `a server that starts now does not serve what is published: ${problem}`,
    "correct that, then run this again",
  );
}
