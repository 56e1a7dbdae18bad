/** A program of this repository in a process of its own, with an operator's arguments and environment. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The compiled file of a module of this repository: `pipeline/main.ts`, `test/run-child.ts`. */
export const translated = (module: string) => join(inject("programs"), module.replace(/\.ts$/, ".js"));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Starts a program with nothing in its environment but what is given. */
export function start(program: string, args: readonly string[], env: Record<string, string>, cwd = ROOT) {
  const child = spawn(process.execPath, [translated(program), ...args], {
    cwd,
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
          const match = form.exec(out + err);
          if (match) resolve(match);
        };
        seen.push(look);
        look();
        void ended.then(() => reject(new Error(`it ended without saying ${form.source}: ${out}${err}`)));
      }),
  };
}
