/** Starts the site in the page. */
import { render } from "preact";
import { BASE, resourceAddress } from "./data/addresses.ts";
import { errorMessage, fetchJson } from "./data/fetch-json.ts";
import { formerAddress } from "./data/former-addresses.ts";
import type { SiteIndex } from "./data/terms.ts";
import { rememberScroll } from "./shell/scroll-memory.ts";
import { preloadView, Site } from "./site.tsx";

const former = formerAddress(globalThis.location);
if (former !== undefined) history.replaceState(null, "", former);

rememberScroll();
const root = document.querySelector<HTMLElement>("#site");
if (!root) throw new Error("the page has no #site");
// Until both are there, the document shows its heading.
const [site] = await Promise.all([
  fetchJson<SiteIndex>(resourceAddress("/")).catch((error: unknown): SiteIndex => ({
    snapshot: null,
    problem: errorMessage(error),
  })),
  preloadView(globalThis.location.pathname),
]);
root.replaceChildren();
render(<Site site={site} />, root);
void navigator.serviceWorker?.register(`${BASE}service-worker.js`, { scope: BASE }).catch(() => undefined);
