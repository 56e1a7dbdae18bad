/** The asking side, in a process of its own: it shares no event loop with what it measures. */
import { type Asking, putLoad } from "./load.ts";
import { answerMessages } from "./answer-messages.ts";
import { hasWrk, putWrk, SHORTEST_MS } from "./wrk.ts";

answerMessages<Asking>(async (asking) => {
  const { once = false, traced = false, connections, ms } = asking;
  const suits = !once && !traced && connections > 1 && ms >= SHORTEST_MS;
  return suits && (await hasWrk()) ? putWrk(asking) : putLoad(asking);
});
