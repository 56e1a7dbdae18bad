/** The plan of a term: courses and sections in a week and a finals grid, clashes, and exports. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { findAddress, planAddress } from "../data/addresses.ts";
import { useTerm } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { LoadingPart } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { AddToPlan } from "../plan/add-to-plan.tsx";
import { PlanSelect } from "../plan/plan-chooser.tsx";
import { usePlanData } from "../plan/plan-data.ts";
import { PlanParts } from "../plan/plan-parts.tsx";
import { useShownPlan } from "../plan/shown-plan.ts";
import { storePlans, usePlans } from "../plan/stored-plan.ts";
import { shownPlan, type StoredPlan, withNew, withShown } from "../plan/term-plans.ts";
import { Undo } from "../plan/undo.tsx";
import planStyles from "../styles/plan.css?text";

// Who does not plan need not wait for them.
const styles = new CSSStyleSheet();
styles.replaceSync(planStyles);
document.adoptedStyleSheets.push(styles);

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
  return <TermPlan key={term} term={term} />;
}

function TermPlan({ term }: { term: string }) {
  const { plan, isMine } = useShownPlan(term);
  const { plans, isStored } = usePlans(term);
  const loading = usePlanData(term, plan);
  const [opened, setOpened] = useState<string>();
  const heading = isMine ? "Your plan" : "A shared plan";
  const isEmpty = plan.codes.length + plan.courses.length === 0;
  return (
    <div class="plan">
      <PageTitle title={`${termTitle(term)} · ${heading}`} over={termTitle(term)}>
        {heading}
      </PageTitle>
      {!isStored && (
        <p class="notice" role="alert">
          This browser cannot save your plan: storage is blocked or full. The plan lasts while this page is open; its
          link keeps it longer.
        </p>
      )}
      {!isMine && <Shared term={term} plan={plan} />}
      <Undo term={term} />
      {isEmpty && isMine && <Empty term={term} isOnly={plans.plans.length === 1} />}
      {isMine && <PlanSelect term={term} />}
      {isMine && <AddToPlan term={term} onCourse={setOpened} />}
      {!isEmpty && (
        <LoadingPart
          loading={loading}
          lines={10}
          of={(data) => <PlanParts {...{ term, plan, isMine, data, opened, setOpened }} reload={loading.reload} />}
        />
      )}
    </div>
  );
}

/** It takes the place of an empty plan, and stands beside one that is not. */
function Shared({ term, plan }: { term: string; plan: StoredPlan }) {
  const { plans } = usePlans(term);
  const mine = shownPlan(plans);
  const isFree = mine.codes.length + mine.courses.length === 0;
  const content = { codes: plan.codes, courses: plan.courses, locked: plan.locked };
  return (
    <p class="notice">
      You are viewing a shared plan. Your own plan is unchanged.{" "}
      <button
        type="button"
        class="small"
        onClick={() => storePlans(term, isFree ? withShown(plans, content) : withNew(plans, content))}
      >
        Save as my plan
      </button>{" "}
      <a href={planAddress(term)}>Show my plan</a>
    </p>
  );
}

const Empty = ({ term, isOnly }: { term: string; isOnly: boolean }) => (
  <>
    <p class="lead">{isOnly ? `Your ${termTitle(term)} plan is empty.` : "This plan is empty."}</p>
    <p class="text">
      Add a course here, or press <strong>+</strong> beside a section, in a course or in{" "}
      <a href={findAddress({})}>Find</a>. The plan shows whether sections clash, finals included, and this browser
      remembers it; there is no account.
    </p>
  </>
);
