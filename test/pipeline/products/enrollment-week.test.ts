/** Histories as they grow from whole runs; hour by hour in test/torture. */
import { describeWeek } from "../../run/history-week.ts";

describeWeek(13);
