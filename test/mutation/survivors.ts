/** Mutants that no test can find, and why: they change nothing that anybody sees. */
export const EXPLAINED: readonly { readonly mutant: RegExp; readonly why: string }[] = [];
