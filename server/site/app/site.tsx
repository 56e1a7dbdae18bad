/** The site: one header, and a view by the path of the address. Views are loaded when they are first shown. */
import type { AnyComponent } from "preact";
import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso";
import { useState } from "preact/hooks";
import { addressOf, BASE } from "./data/addresses.ts";
import { fetchEarly } from "./data/fetch-json.ts";
import { SiteContext, type SiteIndex } from "./data/terms.ts";
import { Header } from "./shell/header.tsx";
import { Footer } from "./shell/footer.tsx";
import { HomeView } from "./views/home.tsx";

const NotFoundView = lazy(() => import("./views/not-found.tsx").then((m) => m.NotFoundView));
const docs = lazy(() => import("./views/docs.tsx").then((m) => m.DocsView));

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
  docs,
  v1: docs,
  "v1/rest": docs,
  status: lazy(() => import("./views/status.tsx").then((m) => m.StatusView)),
};

/** Links to these are followed here; others, such as those to JSON, by the browser. */
const SCOPE = new RegExp(
  `^${BASE.replaceAll("/", "\\/")}((find|plan|courses|instructors|departments|sections|sql|data|docs|status)\\b|$|\\?)`,
);

export function Site({ site }: { site: SiteIndex }) {
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

/** The view of an address is asked for while the index is. Resolves when its script is there, or cannot be had. */
export async function preloadView(path: string): Promise<void> {
  const [first] = path.slice(BASE.length).split("/");
  const [, view] = Object.entries(VIEWS).find(([pattern]) => pattern.split("/")[0] === first) ?? [];
  const id = /^courses\/([^/]+)$/.exec(path.slice(BASE.length))?.[1];
  if (id !== undefined) fetchEarly(addressOf(`/courses/${id}`));
  await view?.preload().catch(() => undefined);
}
