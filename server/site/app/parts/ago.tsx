/** A point in time as `12 minutes ago`, exact in its title. */
import { ago, moment } from "../format.ts";

export const Ago = ({ time }: { time: string }) => (
  <time dateTime={time} title={moment(time)}>
    {ago(new Date(time))}
  </time>
);

/** Says nothing while the data is refreshed in time. */
export const Overdue = ({ since }: { since: string | null }) =>
  since === null ? null : (
    <>
      , overdue since{" "}
      <time dateTime={since} title={ago(new Date(since))}>
        {moment(since)}
      </time>
    </>
  );
