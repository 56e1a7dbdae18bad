/** Fault injection rules: which requests fail, how often, and how. */

export interface FaultTarget {
  readonly system: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Strings match by equality; `/…/` and `/…/i` are regular expressions. */
interface Match {
  system?: string;
  path?: string;
  params?: Readonly<Record<string, string | undefined>>;
  /** Counts the requests that match otherwise, from 1. */
  nth?: number | { from?: number; every: number };
}

export interface Fault {
  match?: Match;
  /**
   * How often it applies: without `nth` always by default. With `nth` once by default, counting repetitions of the same
   * request.
   */
  times?: number;
  /** Responds with this status. */
  status?: number;
  retryAfter?: number;
  /** Redirects as the rate limiter does, or to that address. */
  redirect?: true | string;
  /** Milliseconds before the normal response. */
  delay?: number;
  /** Milliseconds before the connection is closed without a response. */
  hang?: number;
  /** The share of the body after which the connection is closed. */
  drop?: number;
  /** The share of the body that a complete response has. */
  truncate?: number;
  /** An HTML error page with status 200. */
  htmlError?: true;
  /** XML that is not well-formed. */
  malformed?: true;
  /** XML without any section. */
  empty?: true;
  /** Added to the Content-Length. */
  wrongLength?: number;
  trickle?: { bytes: number; everyMs: number };
  /** The body in another form. */
  rewrite?: (body: string) => string;
  body?: string | Uint8Array;
  type?: string;
}

export interface ActiveFaults {
  /** The first rule that applies to this request. */
  next(target: FaultTarget): Fault | undefined;
  report(): { fired: number }[];
}

export function activate(rules: readonly Fault[]): ActiveFaults {
  const active = rules.map((rule) => ({ rule, seen: 0, fired: 0, left: new Map<string, number>() }));
  type Active = (typeof active)[number];

  function applies(rule: Active, target: FaultTarget): boolean {
    const { match: { nth } = {}, times = nth === undefined ? Infinity : 1 } = rule.rule;
    if (nth === undefined) return rule.fired < times;
    const request = JSON.stringify([target.path, Object.entries(target.params).sort()]);
    const left = rule.left.get(request) ?? (isNth(nth, rule.seen) ? times : undefined);
    if (left === undefined) return false;
    rule.left.set(request, Math.max(0, left - 1));
    return left > 0;
  }

  return {
    next(target) {
      let applied: Active | undefined;
      for (const candidate of active) {
        if (!matches(candidate.rule.match ?? {}, target)) continue;
        candidate.seen++;
        if (!applied && applies(candidate, target)) applied = candidate;
      }
      if (applied) applied.fired++;
      return applied?.rule;
    },
    report: () => active.map(({ fired }) => ({ fired })),
  };
}

function isNth(nth: NonNullable<Match["nth"]>, at: number): boolean {
  if (typeof nth === "number") return at === nth;
  const { from = 1, every } = nth;
  return at >= from && (at - from) % every === 0;
}

function matches({ system, path, params = {} }: Match, target: FaultTarget): boolean {
  return (
    (system === undefined || system === target.system) &&
    (path === undefined || isLike(path, target.path)) &&
    Object.entries(params).every(([name, wanted]) => wanted === undefined || isLike(wanted, target.params[name] ?? ""))
  );
}

/**
 * A path such as `/allcourses/dance/` looks like an expression: text of only letters and slashes, without flags, is a
 * path.
 */
function isLike(wanted: string, value: string): boolean {
  const [, source, flags] = /^\/(.+)\/(i?)$/.exec(wanted) ?? [];
  return source === undefined || (flags === "" && /^[\w/.-]+$/.test(source))
    ? value === wanted
    : new RegExp(source, flags).test(value);
}
