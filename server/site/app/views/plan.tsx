/** Plan. */
import { PageTitle } from "../parts/page-title.tsx";

export const PlanView = () => <PageTitle title="Plan">Plan</PageTitle>;
