/** Route names for metrics: a bounded set, whatever URLs clients send. */

export const OTHER_ROUTE = "other";

export interface Route {
  /** A path that may contain `:id` or `**`. */
  readonly pattern: string;
  readonly name?: string;
}

/** Returns the name of the route for a request's target, such as `/v1/rest/courses/:id` for `/v1/rest/courses/COMPSCI161?x=1`. */
export function createRouteNames(routes: readonly Route[]): (target: string) => string {
  const exact = new Map<string, string>();
  const below: { prefix: string; name: string }[] = [];
  for (const { pattern, name = pattern } of routes) {
    const variable = pattern.search(/[:*]/);
    if (variable < 0) exact.set(pattern, name);
    else below.push({ prefix: pattern.slice(0, variable), name });
  }
  below.sort((a, b) => b.prefix.length - a.prefix.length);
  return (target) => {
    const end = target.indexOf("?");
    const path = end < 0 ? target : target.slice(0, end);
    const found = exact.get(path) ?? (path.endsWith("/") ? exact.get(path.slice(0, -1)) : undefined);
    if (found !== undefined) return found;
    for (const { prefix, name } of below) if (path.length > prefix.length && path.startsWith(prefix)) return name;
    return OTHER_ROUTE;
  };
}
