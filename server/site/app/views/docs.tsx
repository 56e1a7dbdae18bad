/** Reference. */
import { PageTitle } from "../parts/page-title.tsx";

export const DocsView = () => <PageTitle title="Reference">Reference</PageTitle>;
