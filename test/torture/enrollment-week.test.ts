/** A whole week, hour by hour. */
import { describeWeek } from "../run/history-week.ts";

describeWeek(1);
