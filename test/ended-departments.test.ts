/**
 * Departments that the form marks as ended are departments like all others (behaviour §2): the embedded campus through a whole run and the server, field
 * by field against what the campus holds.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../pipeline/campus/world.ts";
import type { Term } from "../pipeline/contract/vocabulary.ts";
import { openFolder, type Row, run, serve } from "./world.ts";

const TERMS = [
  { year: "2018", quarter: "Spring" },
  { year: "2018", quarter: "Summer2" },
  { year: "2018", quarter: "Fall" },
] as const satisfies Term[];
