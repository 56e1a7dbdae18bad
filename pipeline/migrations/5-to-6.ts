/**
 * Version 6 has data files flat in their table's folder, and the table `calendar_dates`, which the next run that reads the calendar fills. No file is
 * written: what is carried over gets its path of today (`atItsPath`), which hard links give the same content.
 */
import type { MigrationStep } from "./step.ts";

export const from5to6: MigrationStep = { to: 6, rewrites: [], rewrite: (located) => Promise.resolve([located]) };
