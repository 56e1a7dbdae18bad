/** COMPAT=1: the plain service as clients of its predecessor expect it. Everything that differs is in this folder. */
import type { Mode } from "../response/mode.ts";
import { documented } from "./documented.ts";
import { toErrorBody } from "./envelope.ts";
import { explanation, json } from "./json.ts";
import { acceptLooseForms } from "./requests.ts";
import { previews } from "./rows.ts";

const OTHERS = new Map([json, explanation].map((one) => [one.name, one]));

export const toCompat = (plain: Mode): Mode => ({
  endpoints: plain.endpoints.map(acceptLooseForms),
  representations: plain.representations.map((one) => OTHERS.get(one.name) ?? one),
  toErrorBody,
  documented,
  // The first, because most requests about courses and people need it.
  derivations: [previews, ...plain.derivations],
});
