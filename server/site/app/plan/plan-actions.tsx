/** What can be done with a plan: a calendar file, an address that calendar programs poll, a link, paper. */
import { addressOf, planAddress } from "../data/addresses.ts";
import { termQuery } from "../data/terms.ts";
import { CopyButton } from "../parts/copy-button.tsx";

export const calendarAddress = (term: string, codes: readonly string[]): string =>
  addressOf("/schedule", {
    ...termQuery(term),
    sectionCodes: codes.join(","),
    cancelledCourses: "Include",
    format: "ics",
  });

export function PlanActions({ term, codes }: { term: string; codes: readonly string[] }) {
  const calendar = new URL(calendarAddress(term, codes), globalThis.location.href).href;
  const link = new URL(planAddress(term, codes), globalThis.location.href).href;
  return (
    <div class="plan-actions">
      <a class="button" href={calendar} download={`plan-${term.replace(" ", "-")}.ics`}>
        Calendar file
      </a>
      <a class="button" href={calendar.replace(/^https?:/, "webcal:")}>
        Subscribe in a calendar
      </a>
      <CopyButton text={calendar} name="calendar address" hasName />
      <CopyButton text={link} name="link" hasName />
      <button type="button" class="small" onClick={() => globalThis.print()}>
        Print
      </button>
    </div>
  );
}
