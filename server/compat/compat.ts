/** COMPAT=1: adapts the plain service to clients of its predecessor. All differences are in this folder. */
import type { Mode } from "../response/mode.ts";
import { documented } from "./documented.ts";
import { toErrorBody } from "./envelope.ts";
import { explanation, json } from "./json.ts";
import { acceptLooseForms } from "./requests.ts";
import { previews } from "./rows.ts";

const REPLACEMENTS = new Map([json, explanation].map((representation) => [representation.name, representation]));

export const toCompat = (plain: Mode): Mode => ({
  endpoints: plain.endpoints.map(acceptLooseForms),
  representations: plain.representations.map(
    (representation) => REPLACEMENTS.get(representation.name) ?? representation,
  ),
  toErrorBody,
  documented,
  // The previews are derived first, because most requests about courses and people need them.
  derivations: [previews, ...plain.derivations],
});
