/** Data. */
import { PageTitle } from "../parts/page-title.tsx";

export const DataView = () => <PageTitle title="Data">Data</PageTitle>;
