/** Status. */
import { PageTitle } from "../parts/page-title.tsx";

export const StatusView = () => <PageTitle title="Status">Status</PageTitle>;
