/** Folders below `assets/` with files of packages, which `.setup/compile.mjs` names. */
declare const SQL_FILES: string;
declare const REFERENCE_FILES: string;
/** The minified styles. */
declare module "*.css?text" {
  const styles: string;
  export default styles;
}
/** A file below `assets/`. */
declare const COMBINATIONS_WORKER: string;
