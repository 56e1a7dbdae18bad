/** Plain lines on standard error: time, level, words, and figures as key=value. */

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Figures = Record<string, string | number | boolean | undefined>;

export interface Log {
  debug(words: string, figures?: Figures): void;
  info(words: string, figures?: Figures): void;
  warn(words: string, figures?: Figures): void;
  error(words: string, figures?: Figures): void;
}

const shown = (figures: Figures): string =>
  Object.entries(figures)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${/[\s"=]/.test(String(value)) ? JSON.stringify(String(value)) : value}`)
    .join("");

/** A log that writes what is at least as grave as `level`. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Log {
  const least = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (words: string, figures: Figures = {}) => {
      if (LOG_LEVELS.indexOf(name) < least) return;
      write(`${new Date().toISOString()} ${name.padEnd(5)} ${words}${shown(figures)}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLog: Log = createLog("silent");
