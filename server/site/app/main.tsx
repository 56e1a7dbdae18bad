/** The site: one header, and a view by the path of the address. Views are loaded when they are first shown. */
import { type AnyComponent, render } from "preact";
import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso";
import { useState } from "preact/hooks";
import { BASE, resourceAddress } from "./data/addresses.ts";
import { errorMessage, fetchJson } from "./data/fetch-json.ts";
import { formerAddress } from "./data/former-addresses.ts";
import { SiteContext, type SiteIndex } from "./data/terms.ts";
import { Skeleton } from "./parts/loaded.tsx";
import { Header } from "./shell/header.tsx";
import { Footer } from "./shell/footer.tsx";
import { HomeView } from "./views/home.tsx";
import { NotFoundView } from "./views/not-found.tsx";

/** By path; a view gets the parameters of its path as properties. */
const VIEWS = {
  find: lazy(() => import("./views/find.tsx").then((m) => m.FindView)),
  plan: lazy(() => import("./views/plan.tsx").then((m) => m.PlanView)),
  "courses/:id+": lazy(() => import("./views/course.tsx").then((m) => m.CourseView)),
  "instructors/:netid": lazy(() => import("./views/instructor.tsx").then((m) => m.InstructorView)),
  "departments/:code+": lazy(() => import("./views/department.tsx").then((m) => m.DepartmentView)),
  "sections/:year/:quarter/:code": lazy(() => import("./views/section.tsx").then((m) => m.SectionView)),
  sql: lazy(() => import("./views/sql.tsx").then((m) => m.SqlView)),
  data: lazy(() => import("./views/data.tsx").then((m) => m.DataView)),
  docs: lazy(() => import("./views/docs.tsx").then((m) => m.DocsView)),
  status: lazy(() => import("./views/status.tsx").then((m) => m.StatusView)),
};

/** Links to these are followed here; others, such as those to JSON, by the browser. */
const SCOPE = new RegExp(
  `^${BASE.replaceAll("/", "\\/")}((find|plan|courses|instructors|departments|sections|sql|data|docs|status)\\b|$|\\?)`,
);

function Site({ site }: { site: SiteIndex }) {
  const [isLoading, setIsLoading] = useState(false);
  return (
    <SiteContext.Provider value={site}>
      <LocationProvider scope={SCOPE}>
        <Header />
        <main id="main" aria-busy={isLoading}>
          {!site.snapshot && (
            <p class="problem" role="alert">
              {site.problem ?? "No data has been published yet."}
            </p>
          )}
          <ErrorBoundary>
            <Router onLoadStart={() => setIsLoading(true)} onLoadEnd={() => setIsLoading(false)}>
              <Route path={BASE} component={HomeView} />
              {Object.entries(VIEWS).map(([path, View]) => (
                <Route path={`${BASE}${path}`} component={View as AnyComponent} />
              ))}
              <Route default component={NotFoundView} />
            </Router>
          </ErrorBoundary>
        </main>
        <Footer />
      </LocationProvider>
    </SiteContext.Provider>
  );
}

const former = formerAddress(globalThis.location);
if (former !== undefined) history.replaceState(null, "", former);

// The view comes while the index is asked for.
const [first] = globalThis.location.pathname.slice(BASE.length).split("/");
void Object.entries(VIEWS)
  .find(([path]) => path.split("/")[0] === first)?.[1]
  .preload();

const root = document.querySelector<HTMLElement>("#site");
if (!root) throw new Error("the page has no #site");
render(<Skeleton lines={6} />, root);
const site = await fetchJson<SiteIndex>(resourceAddress("/")).catch((error: unknown): SiteIndex => ({
  snapshot: null,
  problem: errorMessage(error),
}));
render(<Site site={site} />, root);
void navigator.serviceWorker?.register(`${BASE}service-worker.js`, { scope: BASE }).catch(() => undefined);
