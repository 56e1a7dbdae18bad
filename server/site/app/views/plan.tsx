/** The sections of a plan in a week and a finals grid: what clashes, what it adds up to, and how to take it along. */
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { findAddress, planAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { termQuery, termTitle, useTerm } from "../data/terms.ts";
import { useJson } from "../data/use-json.ts";
import { plural } from "../format.ts";
import { Follow } from "../parts/follow.tsx";
import { LoadingPart } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { AddByCode } from "../plan/add-by-code.tsx";
import { hasTime, totalUnits } from "../plan/clashes.ts";
import { NoClasses } from "../plan/no-classes.tsx";
import { PlanActions } from "../plan/plan-actions.tsx";
import { PlanList } from "../plan/plan-list.tsx";
import { dateName, fullName, type PlanProblems, problemsOf, weekdayName } from "../plan/problems.ts";
import { isSectionCode, storePlan, usePlan } from "../plan/stored-plan.ts";
import { TimeGrid } from "../plan/time-grid.tsx";

type Schedule = ResponseBody<"Schedule">;

const sorted = (codes: readonly string[]) => [...new Set(codes)].sort();

/** The codes of the address, and whether they are the reader's own plan; without any, the reader's own. */
function useShownPlan(term: string) {
  const { query, route } = useLocation();
  const mine = sorted(usePlan(term).codes);
  const given =
    query["sections"] === undefined ? undefined : sorted(query["sections"].split(",").filter(isSectionCode));
  // The address that this view wrote itself follows the plan when that changes, here or in another tab.
  const written = useRef<string>(undefined);
  const isMine = given === undefined || given.join() === mine.join() || given.join() === written.current;
  useEffect(() => {
    if (!isMine) return;
    written.current = mine.join();
    if ((given ?? []).join() !== mine.join()) route(planAddress(term, mine), true);
  });
  return { codes: isMine ? mine : given, isMine };
}

export function PlanView() {
  const term = useTerm();
  const asked = useLocation().query["term"];
  if (term === "")
    return (
      <>
        <PageTitle title="Plan">Plan</PageTitle>
        <p>No data has been published yet.</p>
      </>
    );
  if (asked !== undefined && asked !== term)
    return (
      <>
        <PageTitle title="Plan">Plan</PageTitle>
        <p>
          {termTitle(asked)} is not published. <a href={planAddress(term)}>Your plan for {termTitle(term)}</a>
        </p>
      </>
    );
  return <TermPlan term={term} />;
}

function TermPlan({ term }: { term: string }) {
  const { codes, isMine } = useShownPlan(term);
  const loading = useJson<[Schedule, Schedule]>(
    codes.length === 0 ? undefined : scheduleAddresses(term, { sectionCodes: codes.join(",") }),
  );
  const heading = isMine ? "Your plan" : "A shared plan";
  return (
    <div class="plan">
      <PageTitle title={`${termTitle(term)} · ${heading}`} over={termTitle(term)}>
        {heading}
      </PageTitle>
      {!isMine && (
        <p class="notice">
          This plan came with the link; yours is unchanged.{" "}
          <button type="button" class="small" onClick={() => storePlan(term, codes)}>
            Make this my plan
          </button>{" "}
          <a href={planAddress(term)}>Show mine</a>
        </p>
      )}
      {codes.length === 0 ? (
        <Empty term={term} />
      ) : (
        <LoadingPart
          loading={loading}
          lines={10}
          of={([live, cancelled]) => (
            <Plan
              term={term}
              codes={codes}
              isMine={isMine}
              sections={toSectionLines(live, cancelled)}
              reload={loading.reload}
            />
          )}
        />
      )}
    </div>
  );
}

const Empty = ({ term }: { term: string }) => (
  <>
    <p class="lead">Nothing is planned for {termTitle(term)} yet.</p>
    <p class="text">
      Press <strong>+</strong> beside a section, in a course or in <a href={findAddress({})}>Find</a>. The plan shows
      whether sections clash, finals included, and this browser remembers it; there is no account.
    </p>
    <AddByCode term={term} />
  </>
);

interface PlanProps {
  readonly term: string;
  readonly codes: readonly string[];
  readonly isMine: boolean;
  readonly sections: readonly SectionLine[];
  readonly reload: () => void;
}

function Plan({ term, codes, isMine, sections, reload }: PlanProps) {
  const { year } = termQuery(term);
  const problems = problemsOf(sections, year);
  const { week, finals, clashes, finalClashes } = problems;
  const missing = codes.filter((code) => !sections.some(({ sectionCode }) => sectionCode === code));
  const unplaced = sections.filter(
    (section) => !section.isCancelled && !week.some((block) => block.section === section),
  );
  const [untimed, dayless] = [unplaced.filter((one) => !hasTime(one)), unplaced.filter(hasTime)];
  return (
    <>
      <Verdict sections={sections} problems={problems} hasUntimed={unplaced.length > 0} />
      <PlanActions term={term} codes={codes} />
      <div class="plan-columns">
        <div>
          <h2>Week</h2>
          {week.length > 0 && (
            <TimeGrid label="Week" blocks={week} dayName={weekdayName} clashing={clashing(clashes)} from={8} to={22} />
          )}
          {week.length === 0 && dayless.length === 0 && (
            <p class="quiet">No meeting of these sections has a time yet.</p>
          )}
          {untimed.length > 0 && (week.length > 0 || dayless.length > 0) && (
            <p class="quiet">Without a time: {untimed.map(fullName).join(", ")}.</p>
          )}
          {dayless.length > 0 && (
            <p class="quiet">With a time, but without days of the week: {dayless.map(fullName).join(", ")}.</p>
          )}
          <NoClasses term={term} />
          <h2>Finals</h2>
          {finals.length === 0 ? (
            <p class="quiet">No final of these sections has a time.</p>
          ) : (
            <TimeGrid
              isLow
              label="Finals"
              blocks={finals}
              dayName={dateName}
              clashing={clashing(finalClashes)}
              from={8}
              to={22}
            />
          )}
        </div>
        <div>
          <h2>Sections</h2>
          <PlanList sections={sections} term={term} problems={problems} />
          {missing.map((code) => (
            <p class="problem">
              Section {code} is not in the schedule of {termTitle(term)}.{" "}
              {isMine && (
                <button
                  type="button"
                  class="small"
                  onClick={() =>
                    storePlan(
                      term,
                      codes.filter((one) => one !== code),
                    )
                  }
                >
                  Remove {code}
                </button>
              )}
            </p>
          ))}
          {isMine && <AddByCode term={term} />}
          <Follow
            query={{ ...termQuery(term), sectionCodes: codes.join(",") }}
            name="the sections of this plan"
            onNews={reload}
          />
        </div>
      </div>
    </>
  );
}

const clashing = (problems: PlanProblems["clashes"]): ReadonlySet<string> =>
  new Set(
    problems.flatMap(({ sections, days }) =>
      sections.flatMap(({ sectionCode }) => days.map((day) => `${sectionCode} ${day}`)),
    ),
  );

interface VerdictProps {
  readonly sections: readonly SectionLine[];
  readonly problems: PlanProblems;
  readonly hasUntimed: boolean;
}

/** The answer first. */
function Verdict({ sections, problems: { clashes, finalClashes, walks }, hasUntimed }: VerdictProps) {
  const held = sections.filter(({ isCancelled }) => !isCancelled);
  const all = [...clashes, ...finalClashes];
  const none = hasUntimed ? "no clashes among the times that are set" : "no clashes";
  return (
    <>
      <p class="lead">
        {plural(held.length, "section")} · {totalUnits(held.map(({ units }) => units))} units ·{" "}
        {all.length === 0 ? (
          `${none}, finals included`
        ) : (
          <strong class="clash">{plural(all.length, "clash", "clashes")}</strong>
        )}
      </p>
      {all.length > 0 && (
        <ul class="clashes">
          {all.map(({ sections: [first, second], words }) => (
            <li>
              {fullName(first)} {words(second)}
            </li>
          ))}
        </ul>
      )}
      {walks.length > 0 && (
        <ul class="walks">
          {walks.map(({ sections: [first, second], words }) => (
            <li>
              {fullName(first)}: {words(second)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
