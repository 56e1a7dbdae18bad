/** A point in time as `12 minutes ago`, exact in its title. */
import { ago, moment } from "../format.ts";

export const Ago = ({ time }: { time: string }) => (
  <time dateTime={time} title={moment(time)}>
    {ago(new Date(time))}
  </time>
);
