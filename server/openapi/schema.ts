/** A schema object of OpenAPI. */
export type Schema = Readonly<Record<string, unknown>>;

export const referTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
