/**
 * COMPAT=1: adapts the plain service to clients of its predecessor. All differences are in this folder; here are those
 * of requests: the schedule's legacy paths, lenient booleans and days, and additional fields.
 */
import type { z } from "zod";
import type { Endpoint } from "../response/endpoint.ts";
import { fieldsParam } from "../response/fields/names.ts";
import { COMPAT_SHAPES } from "./shapes.ts";
import type { Param } from "../response/params.ts";
import type { Mode } from "../response/mode.ts";
import { documented } from "./documented.ts";
import { explanation, json, toErrorBody } from "./responses.ts";
import { previews } from "./rows.ts";

export const toCompat = (plain: Mode): Mode => ({
  endpoints: plain.endpoints.map(acceptLooseForms),
  representations: plain.representations.map(
    (representation) => [json, explanation].find(({ name }) => name === representation.name) ?? representation,
  ),
  toErrorBody,
  documented,
  // The previews are derived first, because most requests about courses and people need them.
  derivations: [previews, ...plain.derivations],
});

const [LEGACY, CURRENT] = ["/websoc", "/schedule"];

const legacyPath = (path: string): { readonly alsoAt?: string } =>
  path === CURRENT || path.startsWith(`${CURRENT}/`) ? { alsoAt: LEGACY + path.slice(CURRENT.length) } : {};

const BOOLEANS: Readonly<Record<string, string>> = { True: "true", False: "false", "1": "true", "0": "false" };

function looseFlag(param: Param<unknown>): Param<unknown> {
  return {
    ...param,
    about: `${param.about}; True, False, 1 and 0 are understood as well`,
    read: (items) =>
      param.read(items.map((item) => (Object.hasOwn(BOOLEANS, item) ? (BOOLEANS[item] as string) : item))),
  };
}

const LOOSE_DAYS = /^(\s*([Ss][Uu]|[Mm]|[Tt][UuHh]?|[Ww]|[Ff]|[Ss][Aa]))+\s*$/;

/** Corrects the case of days: `tuth` → `TuTh`, `T` → `Tu`. Invalid texts are left for the parser to reject. */
const spellDays = (item: string): string =>
  LOOSE_DAYS.test(item)
    ? item.replace(/su|m|t[uh]?|w|f|sa/gi, (day) =>
        day.length === 1 && /t/i.test(day) ? "Tu" : day.charAt(0).toUpperCase() + day.slice(1).toLowerCase(),
      )
    : item;

function looseDays(param: Param<unknown>): Param<unknown> {
  return {
    ...param,
    about: `${param.about}; in any case, and T alone is Tu`,
    schema: { ...param.schema, pattern: LOOSE_DAYS.source },
    read: (items) => param.read(items.map(spellDays)),
  };
}

export function acceptLooseForms(endpoint: Endpoint): Endpoint {
  const { params, path, returns } = endpoint;
  const loose = Object.entries(params).map(([name, param]) => [
    name,
    param.schema.type === "boolean" ? looseFlag(param) : name === "days" ? looseDays(param) : param,
  ]);
  const shapes: Readonly<Record<string, z.ZodType>> = COMPAT_SHAPES;
  const fields = fieldsParam(shapes[returns.name] ?? returns.schema);
  return { ...endpoint, ...legacyPath(path), params: { ...Object.fromEntries(loose), fields } };
}
