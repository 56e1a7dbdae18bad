/** A run's report with the given products; whatever else it holds is plain. */
import type { ProductReport, RunReport } from "../../../pipeline/contract/documents/run-report.ts";

export function runOf(
  products: readonly (Partial<ProductReport> & Pick<ProductReport, "product">)[],
  rest: Partial<RunReport> = {},
): RunReport {
  const whole = products.map((given): ProductReport => ({
    status: "published",
    read: 10,
    kept: 10,
    dropped: [],
    noted: [],
    damaged: [],
    ms: 1234,
    ...given,
  }));
  return {
    mode: "refresh",
    source: {},
    startedAt: new Date().toISOString(),
    ms: 5000,
    snapshot: "0123456789abcdef",
    changed: true,
    products: whole,
    disk: { generations: 1, keptBytes: 1, freedBytes: 0, problems: [] },
    failed: whole.some(({ status, damaged }) => status === "failed" || damaged.length > 0),
    ...rest,
  };
}
