import { TABLE_NAMES } from "../contract/tables.ts";
import { VIEWS_FOLDER } from "../contract/views.ts";

/** The folders of a store's objects: of each table, and of all views. */
export const OBJECT_FOLDERS: readonly string[] = [...TABLE_NAMES.map((table) => `${table}/`), `${VIEWS_FOLDER}/`];
