/**
 * Shows the progress of a run: on a terminal a line for each phase above a status line, elsewhere a log line every few
 * seconds.
 */
import type { Log } from "../log.ts";

export type PhaseEnd = "done" | "failed" | "skipped";

export interface Progress {
  /** Begins a phase: a product, or the steps before and after all of them. */
  begin(phase: string): void;
  /** Reports the progress of the part `what` of the phase. */
  at(what: string, done: number, total: number): void;
  /** Ends the phase; `words` describe the result. */
  end(how: PhaseEnd, words: string): void;
  /** Stops the display, whether or not a phase ended. */
  stop(): void;
}

export interface Terminal extends Progress {
  /** Writes a line above the status line. */
  print(line: string): void;
}

const LINE_MS = 5_000;
const TICK_MS = 1_000;
const BAR_WIDTH = 20;
const NAME_WIDTH = 13;
const MARKS: Readonly<Record<PhaseEnd, string>> = { done: "✓", failed: "✕", skipped: "–" };
/** Returns to the first column and clears the line. */
const CLEAR_LINE = "\r\u001b[2K";

/** Falls back for terminals that report no width. */
export const widthOf = ({ columns }: { readonly columns?: number | undefined }): number => columns || 80;

const secondsSince = (began: number, digits: number): string =>
  `${((performance.now() - began) / 1000).toFixed(digits)} s`;

/** `✓ calendar         0.4 s  83 rows` */
export function phaseLine(how: PhaseEnd, phase: string, began: number, words: string): string {
  const took = how === "skipped" ? "" : ` ${secondsSince(began, 1).padStart(8)}`;
  return `${MARKS[how]} ${phase.padEnd(NAME_WIDTH)}${took.padEnd(11)}${words}`;
}

/**
 * Prints a line for each phase, and the status on the terminal's last line. All other output must go through `print`,
 * or it would run into the status. `phases` is their number; a dumb terminal gets no status line, which needs cursor
 * control.
 */
export function createTerminal(
  terminal: Pick<NodeJS.WriteStream, "columns" | "write">,
  { phases, isDumb }: { phases: number; isDumb: boolean },
): Terminal {
  const began = performance.now();
  let [phase, part, done, phaseBegan] = ["", "", 0, began];
  let shown = "";
  let tick: NodeJS.Timeout | undefined;
  // A line as wide as the terminal would wrap.
  const cut = (text: string) => [...text].slice(0, widthOf(terminal) - 1).join("");
  function show(text: string): void {
    if (isDumb || (text === "" && shown === "")) return;
    shown = cut(text);
    terminal.write(CLEAR_LINE + shown);
  }
  function draw(): void {
    const filled = Math.round((BAR_WIDTH * done) / phases);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    show(`${bar} ${done}/${phases} ${phase}${part} ${secondsSince(began, 0)}`);
  }
  const print = (line: string) =>
    void terminal.write(`${shown === "" ? "" : CLEAR_LINE}${cut(line.trimEnd())}\n${shown}`);
  function stop(): void {
    clearInterval(tick);
    tick = undefined;
    show("");
  }
  return {
    print,
    stop,
    begin(name) {
      [phase, part, phaseBegan] = [name, "", performance.now()];
      tick ??= setInterval(draw, TICK_MS).unref();
      draw();
    },
    at(what, count, total) {
      part = ` ${what} ${count}/${total}`;
      draw();
    },
    end(how, words) {
      done++;
      show("");
      print(phaseLine(how, phase, phaseBegan, words));
    },
  };
}

export function createProgressLines(log: Log): Progress {
  let next = 0;
  return {
    begin: () => void (next = performance.now() + LINE_MS),
    at(what, done, total) {
      if (performance.now() < next) return;
      next = performance.now() + LINE_MS;
      log.info(what, { done, of: total });
    },
    end() {},
    stop() {},
  };
}

/** Wraps the progress of a run that is part of a single phase. */
export const partOf = (progress: Progress): Progress => ({
  begin() {},
  at: (...values) => progress.at(...values),
  end() {},
  stop() {},
});
