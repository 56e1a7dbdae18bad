import { LOG_LEVELS } from "../log.ts";
import { AWS_SETTINGS } from "./aws.ts";
import { address, choice, folder, sourceAddress, whole } from "./values.ts";

/** The variables of both programs. */
export const SHARED_SETTINGS = {
  SCHEDULE_URL: address().describe("the schedule system's search form").optional(),
  ARTIFACTS_DIR: folder().prefault("artifacts").describe("where the published data is"),
  DATA_DIR: folder().prefault("data").describe("where dropped files, landings and the list of what was taken down are"),
  UPSTREAM_TIMEOUT_MS: whole(1, 600_000).prefault("15000").describe("the longest wait for an upstream's response"),
  UPSTREAM_MAX_MB: whole(1, 2_000)
    .prefault("50")
    .describe("the largest response of an upstream in megabytes, after inflating; a larger one is cut off"),
  FOLLOW_URL: sourceAddress()
    .describe("another server, or what was published elsewhere, whose snapshots are copied instead of building any")
    .optional(),
  ...AWS_SETTINGS,
  LOG_LEVEL: choice(LOG_LEVELS)
    .describe("the least severe messages in the log; by default `info`, but `warn` on a terminal and for `refresh`")
    .optional(),
};
