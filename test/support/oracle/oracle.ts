/**
 * Every endpoint of `/v1/rest` again, in plain loops over the rows of a small world: responses are compared with it. It
 * follows server/RULES.md.
 */
import { plainFields } from "../../server/response/fields/plain-fields.ts";
import { catalogueAnswer } from "./catalogue.ts";
import { gradesAnswer } from "./grades.ts";
import { changesAnswer, historyAnswer } from "./history.ts";
import { calendarAnswer, departmentsAnswer, termsAnswer, tutorialsAnswer, weekAnswer } from "./listings.ts";
import { Query } from "./query.ts";
import {
  type Answer,
  type Moment,
  type Row,
  type Tables,
  dayOnCampus,
  isId,
  isUntil,
  Missing,
  Unreachable,
} from "./rows.ts";
import { scheduleAnswer } from "./schedule.ts";
import { type Found, searchAnswer } from "./search.ts";

/** All snapshots, oldest first; the last one is in service. */
export interface History {
  readonly snapshots: readonly { readonly id: string; readonly createdAt: string; readonly tables: Tables }[];
  readonly now: Date;
}
/** `path` is that of the endpoint, `/courses/:id`. */
export type Asked = Readonly<{ path: string; id: string; query: URLSearchParams; isCompat: boolean }>;
/**
 * `wrong` are the parameters that a 400 names, `known` those that the oracle knows; the rest belongs to a 200: JSON,
 * the rows of files, X-Total-Count.
 */
export interface Expected extends Readonly<{ status: number; wrong: readonly string[]; known: ReadonlySet<string> }> {
  readonly body?: unknown;
  readonly rows?: readonly Row[];
  readonly total?: number | undefined;
  readonly format?: string;
}

function answerOf(moment: Moment, query: Query, path: string, id: string, hits: readonly Found[]): Answer {
  if (path.startsWith("/grades/")) return gradesAnswer(path.slice("/grades/".length), moment, query);
  if (/^\/(courses|instructors)/.test(path)) return catalogueAnswer(path, id, moment, query);
  if (path === "/search") return searchAnswer(moment, query, hits);
  const answer = {
    ...{ "/schedule": scheduleAnswer, "/schedule/depts": departmentsAnswer, "/schedule/terms": termsAnswer },
    ...{ "/calendar": calendarAnswer, "/week": weekAnswer, "/larc": tutorialsAnswer },
    ...{ "/changes": changesAnswer, "/enrollmentHistory": historyAnswer },
  }[path];
  if (!answer) throw new Error(`say what the oracle makes of ${path}`);
  return answer(moment, query);
}

/** The snapshot that a request is about, and its time; undefined where none is kept. */
function momentOf({ snapshots, now }: History, asOf = dayOnCampus(now)): Omit<Moment, "isCompat"> | undefined {
  const isTime = asOf.includes("T");
  if (!isId(asOf) && (isTime ? Date.parse(asOf) > now.getTime() : asOf > dayOnCampus(now))) return undefined;
  const snapshot = snapshots.findLast(({ id, createdAt }) => (isId(asOf) ? id === asOf : isUntil(createdAt, asOf)));
  const at = isTime ? new Date(asOf) : isId(asOf) ? new Date(snapshot?.createdAt ?? 0) : now;
  return snapshot && { tables: snapshot.tables, snapshots: snapshots.map(({ id }) => id), now: at };
}

/** @param names the fields of the response; `found` is what the index of words gives, for a search */
export function expectedOf(
  history: History,
  asked: Asked,
  names: readonly string[],
  hits: readonly Found[] = [],
): Expected {
  const { path, id, isCompat } = asked;
  const query = new Query(asked.query, isCompat);
  const asOf = query.moment("asOf");
  const format = query.choice("format", "json csv ndjson parquet atom ics") ?? "json";
  const isList = !/^\/week$|\/aggregate$|\/options$|:id$/.test(path);
  const within = (name: string, least: number, most?: number) =>
    isList ? query.number(name, /^\d+$/, least, most) : undefined;
  const [limit = path === "/search" ? 10 : undefined, offset] = [within("limit", 1, 10_000), within("offset", 0)];
  const fields = query.list("fields");
  if (!fields.every((name) => names.includes(name))) query.refuse("fields");
  if (fields.length > 0 && format !== "json") query.broken++;
  const nothing = (status: number): Expected => ({ status, wrong: [...query.wrong], known: query.known });
  const moment = query.wrong.has("asOf") ? undefined : momentOf(history, asOf);
  let answer: Answer | undefined;
  let status = 200;
  try {
    // For a time without a retained snapshot, a wrong parameter is reported first.
    answer = answerOf({ ...(moment ?? momentOf(history, undefined)), isCompat } as Moment, query, path, id, hits);
  } catch (error) {
    if (!(error instanceof Missing || error instanceof Unreachable)) throw error;
    status = error instanceof Missing ? 404 : 502;
  }
  if (query.wrong.size + query.broken > 0) return nothing(400);
  if (!moment || !answer) return nothing(moment ? status : 404);
  const isPage = !answer.isOne && (limit !== undefined || offset !== undefined);
  const end = isPage ? (offset ?? 0) + (limit ?? Infinity) : Infinity;
  const elements = answer.elements.slice(isPage ? offset : 0, end) as never[];
  const [shown, rows] = [answer.show(elements), answer.flat(elements)];
  const body = fields.length === 0 ? shown : plainFields(shown, fields);
  return { ...nothing(200), format, body, rows, total: isPage ? answer.elements.length : undefined };
}
