/** The options of a form's list. Prompts such as `Select a department` are marked. */
import { type Elements, type Page, textOf } from "./html-page.ts";

export interface FormOption {
  /** The submitted value: the option's value, or its label if it has none. */
  readonly value: string;
  readonly label: string;
  /** True for a prompt, which stands for nothing: it is neither searched for nor an unknown option. */
  readonly isPlaceholder: boolean;
}

/** `""`, `-`, `0`, `-1`: values that forms use for "nothing is chosen". */
const NO_VALUE = /^(?:[^\p{L}\p{N}]|0)*$|^-1$/u;

/** The beginnings of prompts without a value: `Select a department`, `-- Please choose --`, `(none)`. */
const INVITATION = /^[^\p{L}\p{N}]*(?:please|select|choose|pick|click|enter|none)\b/iu;

/** `--- Department ---`, `Department …` */
const DECORATED = /^[^\p{L}\p{N}\s]{2}|(?:…|\.\.\.)$/u;

/** The options in the order of the form, disabled ones included. */
export function readOptions(page: Page, select: Elements): FormOption[] {
  const options = select.find("option").toArray();
  // Cheerio's `attr` returns the label if there is no value.
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
