/** Progress of a run: a bar on a terminal, elsewhere a log line every few seconds. */
import type { Log } from "../log.ts";

export interface Progress {
  start(what: string, total: number): void;
  at(done: number): void;
  stop(): void;
}

export interface Bar extends Progress {
  /** Writes whole lines above the bar. */
  print(lines: string): void;
}

const LINE_MS = 5_000;
const BAR_WIDTH = 40;
/** Back to the first column, and the line is empty. */
const CLEAR_LINE = "\r\u001b[2K";

/** A bar on the terminal's last line. Every other line must go through `print`: it would run into the bar. */
export function createBar(terminal: Pick<NodeJS.WriteStream, "columns" | "write">): Bar {
  let what = "";
  let total = 0;
  let began = 0;
  let shown = "";
  const show = (text: string) => {
    // A line as wide as the terminal would go on in the next one.
    shown = text.slice(0, terminal.columns - 1);
    terminal.write(CLEAR_LINE + shown);
  };
  function at(done: number): void {
    if (what === "") return;
    const filled = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / Math.max(1, total)));
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const seconds = Math.round((performance.now() - began) / 1000);
    show(`${what.padEnd(28)} ${bar} ${done}/${total} ${seconds}s`);
  }
  return {
    start(name, size) {
      [what, total, began] = [name, size, performance.now()];
      at(0);
    },
    at,
    stop() {
      what = "";
      if (shown !== "") show("");
    },
    print(lines) {
      terminal.write(shown === "" ? lines : CLEAR_LINE + lines + shown);
    },
  };
}

export function createProgressLines(log: Log): Progress {
  let what = "";
  let total = 0;
  let next = 0;
  return {
    start(name, size) {
      what = name;
      total = size;
      next = performance.now() + LINE_MS;
    },
    at(done) {
      if (performance.now() < next) return;
      next = performance.now() + LINE_MS;
      log.info(what, { done, of: total });
    },
    stop() {},
  };
}
