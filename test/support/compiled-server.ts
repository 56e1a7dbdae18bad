/** The server as it is compiled for use, in a process of its own: it has the client's runtime beside it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../dist/current/server/main.js", import.meta.url));

export async function serveCompiled(env: Record<string, string>): Promise<{ url: string; close: () => void }> {
  const child = spawn(process.execPath, [PROGRAM], {
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
