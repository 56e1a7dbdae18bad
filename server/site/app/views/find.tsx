/** Find classes. */
import { PageTitle } from "../parts/page-title.tsx";

export const FindView = () => <PageTitle title="Find classes">Find classes</PageTitle>;
