/** Says that the page is offline, and how old its data is. */
import { useShownSince } from "../data/offline.ts";
import { moment } from "../format.ts";
import { Ago } from "../parts/ago.tsx";

export function OfflineNotice() {
  const time = useShownSince();
  if (time === undefined) return null;
  return (
    <p class="banner offline" role="status">
      <span>
        <strong>You are offline.</strong> Showing data as of {moment(time)} (<Ago time={time} />
        ).
      </span>
    </p>
  );
}
