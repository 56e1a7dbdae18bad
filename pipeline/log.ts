/** Plain lines on standard error: time, level, message, and fields as key=value. */

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Record<string, string | number | boolean | undefined>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const fieldText = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${/[\s"=]/.test(String(value)) ? JSON.stringify(String(value)) : value}`)
    .join("");

const now = () => new Date().toISOString();

/** Creates a log of messages at least as severe as `level`, each after a stamp; `silent` writes nothing. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
  stamp: () => string = now,
): Log {
  const least = LOG_LEVELS.indexOf(level);
  const stampText =
    (name: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (LOG_LEVELS.indexOf(name) < least) return;
      write(`${stamp()} ${name.padEnd(5)} ${message}${fieldText(fields)}\n`);
    };
  return { debug: stampText("debug"), info: stampText("info"), warn: stampText("warn"), error: stampText("error") };
}

export const silentLog: Log = createLog("silent");
