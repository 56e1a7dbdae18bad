/** `clean-data`: deletes what is published, after it was listed and confirmed. Backups and dropped files stay. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { enrollmentPeriods } from "./contract/enrollment-history.ts";
import { relation } from "./products/relation.ts";
import { openDatabase } from "./publish/database.ts";
import { nodeDisk } from "./publish/disk.ts";
import { type Generation, generationNames, readBase } from "./publish/generation.ts";
import { layoutOf } from "./publish/layout.ts";
import { acquireLock } from "./publish/lock.ts";
