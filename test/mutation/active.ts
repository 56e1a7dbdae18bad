/** Which mutant is active, and which ones a test comes across: what instrumented modules ask. */

/** Forms of one regular expression: the one of the active mutant is used, also by a text's own methods. */
class Switched extends RegExp {
  readonly #variants: readonly (readonly [isActive: () => boolean, form: RegExp])[];
  constructor(original: RegExp | string, flags?: string, variants: Switched["variants"] = []) {
    super(original, flags);
    this.#variants = original instanceof Switched ? original.variants : variants;
  }
  get variants() {
    return this.#variants;
  }
  override exec(text: string): RegExpExecArray | null {
    let form: RegExp | undefined;
    for (const [isActive, variant] of this.#variants) if (isActive()) form = variant;
    if (form === undefined) return super.exec(text);
    const own = new RegExp(
      form.source,
      this.flags === "" ? form.flags : `${form.flags.replace(/[gy]/g, "")}${this.flags.replace(/[^gy]/g, "")}`,
    );
    own.lastIndex = this.lastIndex;
    const match = own.exec(text);
    this.lastIndex = own.lastIndex;
    return match;
  }
}

/** A mutant in which a loop does not end. */
export class Runaway extends Error {}

export const mutation = {
  active: undefined as string | undefined,
  /** The set, while it is present, collects requested mutants. */
  seen: undefined as Set<string> | undefined,
  /** Mutants that were requested while no test ran, such as by a function that is called when a module is loaded. */
  loaded: new Set<string>(),
  asked: 0,
  most: Infinity,
  is(id: string): boolean {
    if (this.active === undefined) (this.seen ?? this.loaded).add(id);
    if (++this.asked > this.most) throw new Runaway();
    return id === this.active;
  },
  form: (original: RegExp, variants: Switched["variants"]): RegExp => new Switched(original, undefined, variants),
};

Object.assign(globalThis, { __mutation: mutation });
