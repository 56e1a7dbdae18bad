/** The server as it is compiled for use, in a process of its own: it has the typed client beside it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** @param folder a checkout in which `make setup` was called */
export async function serveCompiled(
  env: Readonly<Record<string, string>>,
  folder = ROOT,
): Promise<{ url: string; close: () => void }> {
  const child = spawn(process.execPath, [join(folder, "dist/current/server/main.js")], {
    env: { PATH: process.env["PATH"] ?? "", HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (part: Buffer) => {
      said += part.toString();
      const [, url] = /"url":"([^"]+)"/.exec(said) ?? [];
      if (url) resolve({ url, close: () => void child.kill() });
    });
    child.on("close", () => reject(new Error(said)));
  });
}
