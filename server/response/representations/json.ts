/** The response as declared, in JSON; the default representation. */
import type { EndpointResult } from "../endpoint.ts";
import { selectFields } from "../fields/select.ts";
import { JSON_TYPE } from "../headers.ts";
import { answerOf } from "../origin.ts";
import { toResult } from "../paging.ts";
import type { RequestParams, Representation } from "./representation.ts";

/** Selects the requested fields. */
export const withFields = async (result: EndpointResult, { fields }: RequestParams): Promise<EndpointResult> =>
  fields ? { ...result, body: await selectFields(result.body, fields) } : result;

export const json = {
  name: "json",
  types: [JSON_TYPE],
  isFormat: true,
  hasFields: true,
  dependsOn: "rows",
  isShared: true,
  cacheKeyParts: {},
  render: async (params, context) =>
    withFields(await toResult(await answerOf(params.endpoint, params.values, context), params.page), params),
} satisfies Representation;
