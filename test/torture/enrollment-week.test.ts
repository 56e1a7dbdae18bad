/** A whole week, hour by hour. */
import { describeWeek } from "../history-week.ts";

describeWeek(1);
