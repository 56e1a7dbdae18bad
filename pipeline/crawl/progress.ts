/** Progress of a run: a bar on a terminal, elsewhere a log line every few seconds. */
import cliProgress from "cli-progress";
import type { Log } from "../log.ts";

export interface Progress {
  start(what: string, total: number): void;
  at(done: number): void;
  stop(): void;
}

const LINE_MS = 5_000;

export function createProgress(isTerminal: boolean, log: Log): Progress {
  return isTerminal ? createBar() : createLines(log);
}

function createBar(): Progress {
  let bar: cliProgress.SingleBar | undefined;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    start(what, total) {
      stop();
      const format = `${what.padEnd(28)} {bar} {value}/{total} {duration_formatted}`;
      bar = new cliProgress.SingleBar(
        { format, clearOnComplete: true, hideCursor: true },
        cliProgress.Presets.shades_classic,
      );
      bar.start(total, 0);
    },
    at: (done) => bar?.update(done),
    stop,
  };
}

function createLines(log: Log): Progress {
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
