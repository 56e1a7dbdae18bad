/**
 * The options of a form's list. Options that only invite to choose something, such as `Select a department`, are
 * marked.
 */
import { type Elements, type Page, textOf } from "./html-page.ts";

export interface FormOption {
  /** What the form sends: the value, or the label of an option without one. */
  readonly value: string;
  readonly label: string;
  /** True for an option that stands for nothing: nothing is asked for by it, and it is no unknown option either. */
  readonly isPlaceholder: boolean;
}

/** `""`, `-`, `0`, `-1`: values that forms use for "nothing is chosen". */
const NO_VALUE = /^(?:[^\p{L}\p{N}]|0)*$|^-1$/u;

/**
 * How labels without a value of their own begin that invite to choose: `Select a department`, `-- Please choose --`,
 * `(none)`.
 */
const INVITATION = /^[^\p{L}\p{N}]*(?:please|select|choose|pick|click|enter|none)\b/iu;

/** `--- Department ---`, `Department …` */
const DECORATED = /^[^\p{L}\p{N}\s]{2}|(?:…|\.\.\.)$/u;

/** The options in the order of the form, disabled ones included. */
export function readOptions(page: Page, select: Elements): FormOption[] {
  const options = select.find("option").toArray();
  // Cheerio's `attr` answers with the label where there is no value.
  const values = options.map(({ attribs }): string | undefined => attribs["value"]);
  const haveOthersValues = values.slice(1).some((value) => value !== undefined);
  return options.map((option, i) => {
    const element = page(option);
    const label = textOf(element);
    const value = (values[i] ?? label).trim();
    const isDisabled =
      element.attr("disabled") !== undefined || element.parent("optgroup").attr("disabled") !== undefined;
    const isLabelOnly = values[i] === undefined || value === label;
    const invites =
      (isLabelOnly && (INVITATION.test(label) || DECORATED.test(label))) ||
      (i === 0 && values[i] === undefined && haveOthersValues);
    return { value, label, isPlaceholder: isDisabled || NO_VALUE.test(value) || invites };
  });
}
