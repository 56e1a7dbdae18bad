/**
 * Every endpoint in every format, with as few filters as possible, with each boolean parameter, derived from the
 * declarations.
 */
import { endpoints } from "../../server/endpoints/all.ts";
import { formatsOf } from "../../server/response/representations/all.ts";

export interface Asked {
  readonly year: string;
  readonly quarter: string;
  /** An id by the path of its endpoint. */
  readonly ids: Readonly<Record<string, string>>;
}

/** The parameters that an endpoint requires, without any that narrow more than needed. */
const needed = ({ year, quarter }: Asked): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  "/schedule": { year, quarter, cacheOnly: "true" },
  "/larc": { year, quarter },
  "/search": { q: "comp" },
});

/** Paths below `/v1/rest`. */
export function everyRequest(asked: Asked): string[] {
  const own = needed(asked);
  return endpoints.flatMap((endpoint) => {
    const path = endpoint.path.replace(":id", encodeURIComponent(asked.ids[endpoint.path] ?? ""));
    const flags = Object.entries(endpoint.params)
      .filter(([, { schema }]) => schema.type === "boolean")
      .flatMap(([name]) => [{ [name]: "true" }, { [name]: "false" }]);
    return formatsOf(endpoint).flatMap((format) =>
      [{}, ...flags].map(
        (flag) => `${path}?${new URLSearchParams({ ...own[endpoint.path], ...flag, format }).toString()}`,
      ),
    );
  });
}
