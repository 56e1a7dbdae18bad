/** The asking side, in a process of its own: it shares no event loop with what it measures. */
import { type Asking, putLoad } from "./load.ts";
import { answerMessages } from "./worker.ts";

answerMessages<Asking>((asking) => putLoad(asking));
