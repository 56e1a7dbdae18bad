/** The server's log: JSON lines for programs, plain lines for people. */
import { type DestinationStream, destination, pino, stdTimeFunctions } from "pino";
import type { LogFormat } from "../../pipeline/settings/server.ts";
import { createLog, type Log, type LogLevel } from "../../pipeline/log.ts";

/**
 * Creates the log. A line has `level`, `time` (ISO 8601), the fields, and `msg`. Writes are synchronous, so that the
 * last lines before an exit are not lost.
 */
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
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
