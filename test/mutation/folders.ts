/**
 * The targets of mutation by name: their files, and the system tests that run beside the unit tests if most of the code
 * needs a database.
 */
export interface Folder {
  /** Paths from the root: a file, or all files of a folder. */
  readonly files: readonly string[];
  readonly systemTests?: readonly string[];
}

export const FOLDERS: Readonly<Record<string, Folder>> = {
  filters: {
    files: [
      "server/endpoints/filters.ts",
      "server/endpoints/shared-filters.ts",
      "server/endpoints/collection.ts",
      "server/endpoints/schedule/schedule-filters.ts",
      "server/endpoints/changes/change-filters.ts",
    ],
    systemTests: ["test/server/endpoints/oracle.test.ts", "test/server/endpoints/changes/changes.test.ts"],
  },
  parameters: {
    files: [
      "server/response/params.ts",
      "server/response/query.ts",
      "server/response/paging.ts",
      "server/response/negotiation.ts",
      "server/response/other-names.ts",
      "server/response/as-of.ts",
      "server/endpoints/schedule/schedule-params.ts",
    ],
  },
  formulas: {
    files: [
      "pipeline/contract/as-of.ts",
      "pipeline/contract/campus-time.ts",
      "pipeline/contract/course-name.ts",
      "pipeline/contract/name-key.ts",
      "pipeline/contract/measures.ts",
      "server/endpoints/week.ts",
      "server/endpoints/grades.ts",
    ],
  },
  normalize: {
    files: ["pipeline/normalize"],
    systemTests: ["test/pipeline/normalize/enrollment-history.test.ts"],
  },
  guards: { files: ["pipeline/products/guard"], systemTests: ["test/pipeline/products/guard"] },
  publish: {
    files: ["pipeline/publish", "pipeline/store", "pipeline/disk"],
    systemTests: [
      "test/pipeline/publish/partition.test.ts",
      "test/pipeline/publish/rows.test.ts",
      "test/pipeline/publish/derive.test.ts",
      "test/pipeline/publish/lock.test.ts",
      "test/pipeline/publish/allowed-functions.test.ts",
      "test/pipeline/publish/sql-shell.test.ts",
      "test/pipeline/store",
    ],
  },
  backup: { files: ["pipeline/backup"], systemTests: ["test/run/restore-history.test.ts"] },
  retention: {
    files: [
      "pipeline/contract/retention.ts",
      "pipeline/store/collect-artifacts.ts",
      "pipeline/store/collect.ts",
      "pipeline/lake/listing.ts",
    ],
    systemTests: ["test/pipeline/lake/export.test.ts"],
  },
  changes: {
    files: ["server/endpoints/changes", "pipeline/products/record-changes.ts"],
    systemTests: ["test/pipeline/products/record-changes.test.ts"],
  },
};
