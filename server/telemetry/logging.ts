/** The server's log: JSON lines for programs, plain lines for people. */
import { type DestinationStream, destination, pino, stdTimeFunctions } from "pino";
import { createLog, type Log, type LogLevel } from "../../pipeline/log.ts";

export const LOG_FORMATS = ["json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** A line has `level`, `time` (ISO 8601), the figures, and `msg`. It is written at once: the last words before an end are not lost. */
export function createServerLog(
  level: LogLevel,
  format: LogFormat,
  to: DestinationStream = destination({ fd: 2, sync: true }),
): Log {
  if (format === "text") return createLog(level);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    to,
  );
  return {
    debug: (words, figures) => logger.debug(figures ?? {}, words),
    info: (words, figures) => logger.info(figures ?? {}, words),
    warn: (words, figures) => logger.warn(figures ?? {}, words),
    error: (words, figures) => logger.error(figures ?? {}, words),
  };
}
