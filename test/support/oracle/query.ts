/** A request as server/RULES.md, HTTP reads it. What is asked for here are the parameters that the oracle knows. */
import { isId } from "./rows.ts";

const LOOSE_FLAGS: Readonly<Record<string, string>> = { True: "true", False: "false", "1": "true", "0": "false" };
/** The days in any case, where a T alone is Tu. */
const looseDays = (text: string): string =>
  text.replace(/su|sa|t[uh]?|m|w|f/gi, (day) =>
    day.length === 1 && day.toLowerCase() === "t" ? "Tu" : day.charAt(0).toUpperCase() + day.slice(1).toLowerCase(),
  );

export class Query {
  /** Parameters with a value that is none. */
  readonly wrong = new Set<string>();
  /** Rules between parameters that are broken. */
  broken = 0;
  readonly known = new Set<string>();

  constructor(
    private readonly sent: URLSearchParams,
    private readonly isCompat: boolean,
  ) {}

  refuse(name: string): undefined {
    this.wrong.add(name);
  }

  /** Not empty; COMPAT=1 understands more spellings of days and booleans. */
  private valuesOf(name: string): string[] {
    this.known.add(name);
    const values = this.sent.getAll(name).filter((value) => value !== "");
    if (!this.isCompat) return values;
    return values.map((value) =>
      name === "days" ? looseDays(value) : FLAGS.includes(name) ? (LOOSE_FLAGS[value] ?? value) : value,
    );
  }

  /** "a comma list, a repeated parameter, or both; blanks around items go, as do repetitions" */
  list(name: string): string[] {
    const items = this.valuesOf(name).flatMap((value) => value.split(","));
    return [...new Set(items.map((item) => item.trim()))].filter((item) => item !== "");
  }

  /** "In a single-valued parameter two different values are a 400, and so is a comma, unless values may have commas" */
  one(name: string, withCommas = false): string | undefined {
    const values = [...new Set(this.valuesOf(name))];
    if (values.length > 1 || (!withCommas && values.some((value) => value.includes(",")))) return this.refuse(name);
    return values[0];
  }

  /** A text of blanks is none. */
  text(name: string, withCommas = false): string | undefined {
    const value = this.one(name, withCommas);
    return value?.trim() === "" ? undefined : value;
  }

  formed(name: string, isValid: (value: string) => boolean): string | undefined {
    const value = this.one(name)?.trim();
    return value === undefined || isValid(value) ? value : this.refuse(name);
  }

  choice(name: string, values: string): string | undefined {
    const value = this.one(name);
    return value === undefined || values.split(" ").includes(value) ? value : this.refuse(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.choice(name, "true false");
    return value === undefined ? undefined : value === "true";
  }

  number(name: string, form: RegExp, least = 0, most = Infinity): number | undefined {
    const isValid = (value: string) => form.test(value) && Number(value) >= least && Number(value) <= most;
    const value = this.formed(name, isValid);
    return value === undefined ? undefined : Number(value);
  }

  /** A snapshot's id, a day or a time with its zone. */
  moment(name: string): string | undefined {
    const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
    const moment = this.formed(name, (text) => isId(text) || (form.test(text) && !Number.isNaN(Date.parse(text))));
    return moment !== undefined && isId(moment) ? moment.toLowerCase() : moment;
  }

  isGiven = (name: string): boolean => this.sent.getAll(name).some((value) => value.trim() !== "");
}

const FLAGS = "cache cacheOnly includeCoCourses instructorIds excludePNP".split(" ");
