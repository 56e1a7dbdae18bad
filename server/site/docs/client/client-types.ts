/** JSON schema → TypeScript, for the kinds of schema in the document. */
import type { Schema } from "../openapi/schema.ts";

const literals = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

/** Escapes the end of a comment. */
export const toComment = (text: unknown): string =>
  typeof text === "string" ? `/** ${text.replaceAll("*/", "*\\/")} */\n` : "";

/** @throws TypeError for a schema of an unknown kind */
export function toType(schema: Schema): string {
  const { $ref, anyOf, const: literal, enum: values, type } = schema as Record<string, never> & Schema;
  if (typeof $ref === "string") return ($ref as string).split("/").at(-1) ?? "unknown";
  // Beside a type of its own, anyOf lists forms of it.
  if (Array.isArray(anyOf) && type === undefined) return [...new Set((anyOf as Schema[]).map(toType))].join(" | ");
  if (literal !== undefined) return literals([literal]);
  if (Array.isArray(values)) return literals(values);
  if (Array.isArray(type)) return (type as string[]).map((one) => toType({ ...schema, type: one })).join(" | ");
  switch (type as string | undefined) {
    case "string":
    case "boolean":
    case "null":
      return type as unknown as string;
    case "integer":
    case "number":
      return "number";
    case "array": {
      const item = toType(schema["items"] as Schema);
      return item.includes("|") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return toObjectType(schema);
    case undefined:
      return "unknown";
    default:
      throw new TypeError(`no TypeScript type for a schema of type ${String(type)}`);
  }
}

function toObjectType({ properties, required, additionalProperties }: Schema): string {
  const requiredNames = new Set(required as string[] | undefined);
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([name, field]) =>
      `${toComment(field["description"])}${toKey(name)}${requiredNames.has(name) ? "" : "?"}: ${toType(field)};\n`,
  );
  if (fields.length > 0) return `{\n${indent(fields.join(""))}}`;
  if (typeof additionalProperties === "object") return `Record<string, ${toType(additionalProperties as Schema)}>`;
  return additionalProperties === false ? "Record<string, never>" : "Record<string, unknown>";
}

export const toKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

export const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");
