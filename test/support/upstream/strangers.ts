/**
 * Unread fields that real systems have always sent, of every kind at every place: drift has to be found beside them,
 * and they are not drift.
 */
import type { Fault } from "./faults.ts";

const inElements = (names: readonly string[], markup: (name: string) => string) => (body: string) =>
  names.reduce((text, name) => text.replaceAll(`</${name}>`, `${markup(name)}</${name}>`), body);

const STRANGERS: Readonly<Record<string, (body: string) => string>> = {
  schedule: inElements(
    ["section", "sec_meet", "sec_final", "course", "department", "school"],
    (name) => `<old_${name}>x</old_${name}>`,
  ),
  records: (body) =>
    body.replaceAll(
      /^.*AcadTerm.*?(?=\r?$)|^.*\d{5}.*?(?=\r?$)/gm,
      (line) => `${line},${/AcadTerm/.test(line) ? "Old heading" : "x"}`,
    ),
  catalogue: (body) => body.replaceAll(/(class="(?:[^"]*\s)?)(courseblock[a-z]+)/g, "$1old-$2 $2"),
  directory: (body) => body.replaceAll('{"Name":', '{"OldField":"x","Name":'),
};

/** The faults that bring them, with the change of one system over them. */
export const besideStrangers = (drifting?: { system: string; rewrite: (body: string) => string }): Fault[] => {
  const systems = new Set([...Object.keys(STRANGERS), ...(drifting ? [drifting.system] : [])]);
  return [...systems].map((system) => ({
    match: { system },
    rewrite: (body) => {
      const stranger = STRANGERS[system]?.(body) ?? body;
      return drifting?.system === system ? drifting.rewrite(stranger) : stranger;
    },
  }));
};
