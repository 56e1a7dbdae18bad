/** The response as it is declared: what every client gets that names nothing else. */
import type { EndpointResult } from "../endpoint.ts";
import { selectFields } from "../fields/select.ts";
import { JSON_TYPE } from "../headers.ts";
import { answerOf } from "../origin.ts";
import { toResult } from "../paging.ts";
import type { Asked, Representation } from "./representation.ts";

/** Leaves the wanted fields. */
export const withFields = async (result: EndpointResult, { fields }: Asked): Promise<EndpointResult> =>
  fields ? { ...result, body: await selectFields(result.body, fields) } : result;

export const json = {
  name: "json",
  types: [JSON_TYPE],
  isFormat: true,
  hasFields: true,
  dependsOn: "rows",
  isShared: true,
  marks: {},
  render: async (asked, context) =>
    withFields(await toResult(await answerOf(asked.endpoint, asked.values, context), asked.page), asked),
} satisfies Representation;
