/** Lists changes to a plan's sections since the reader's last visit, and links to the feed of all changes. */
import { useState } from "preact/hooks";
import { termQuery, termTitle } from "../data/term-names.ts";
import { useJson } from "../data/use-json.ts";
import { moment } from "../format.ts";
import { type Change, ChangeList, changesAddress, feedAddress } from "../parts/changes.tsx";
import { SourceMenu } from "../parts/links.tsx";
import { LoadingPart } from "../parts/loaded.tsx";
import { noteVisit } from "./last-visit.ts";

interface PlanChangesProps {
  readonly term: string;
  /** Section codes of the plan. */
  readonly codes: readonly string[];
}

export function PlanChanges({ term, codes }: PlanChangesProps) {
  const [since] = useState(() => noteVisit(term));
  const query = { ...termQuery(term), sectionCodes: codes.join(",") };
  const address = since === undefined ? undefined : changesAddress({ ...query, since });
  const loading = useJson<[readonly Change[]]>(address === undefined ? undefined : [address]);
  return (
    <section class="plan-changes" aria-labelledby="plan-changes">
      <h2 id="plan-changes">What changed</h2>
      {since === undefined ? (
        <p class="quiet">Changes to these sections will be listed here on your next visit.</p>
      ) : (
        <>
          <p class="quiet">Since your last visit, {moment(since)}</p>
          <LoadingPart
            loading={loading}
            lines={2}
            of={([changes]) => <ChangeList changes={changes} term={termTitle(term)} />}
          />
        </>
      )}
      <p>
        <a href={feedAddress(query)}>Feed of this plan</a>
      </p>
      <SourceMenu name="the changes of this plan" address={address ?? changesAddress(query)} />
    </section>
  );
}
