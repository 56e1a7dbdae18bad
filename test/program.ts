/** A program of this repository, started as an operator starts it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Starts a program with nothing in its environment but what is given. */
export function start(program: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", program, ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  const seen: (() => void)[] = [];
  const collect = (part: Buffer, to: "out" | "err") => {
    if (to === "out") out += part.toString();
    else err += part.toString();
    for (const look of seen) look();
  };
  child.stdout.on("data", (part: Buffer) => collect(part, "out"));
  child.stderr.on("data", (part: Buffer) => collect(part, "err"));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, out, err })));
  return {
    child,
    ended,
    /** Resolves with the first match in what the program says. */
    says: (form: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = form.exec(out + err);
          if (found) resolve(found);
        };
        seen.push(look);
        look();
        void ended.then(() => reject(new Error(`it ended without saying ${form.source}: ${out}${err}`)));
      }),
  };
}
