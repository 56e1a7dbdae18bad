/** The part of parquetjs-lite that the landing uses; the package has no types. */
declare module "parquetjs-lite" {
  export interface FieldDeclaration {
    type?: string;
    optional?: true;
    repeated?: true;
    statistics?: false;
    fields?: Record<string, FieldDeclaration>;
  }
  /** A resolved field: `path` names its column, the levels are Dremel's. */
  export interface Field {
    name: string;
    path: string[];
    repetitionType: "REQUIRED" | "OPTIONAL" | "REPEATED";
    rLevelMax: number;
    dLevelMax: number;
    fields?: Record<string, Field>;
  }
  export interface ColumnBuffer {
    values: unknown[];
    rlevels: number[];
    dlevels: number[];
    distinct_values: Set<unknown>;
    count: number;
  }
  export interface RowBuffer {
    rowCount: number;
    pageRowCount: number;
    columnData: Record<string, ColumnBuffer>;
    pages: Record<string, unknown[]>;
  }
  export interface OutputStream {
    write(bytes: Uint8Array, done: (error?: Error) => void): void;
    end(done: (error?: Error) => void): void;
  }
  export class ParquetSchema {
    constructor(fields: Record<string, FieldDeclaration>);
    readonly fields: Record<string, Field>;
  }
  export class ParquetWriter {
    static openStream(
      schema: ParquetSchema,
      stream: OutputStream,
      options?: { pageIndex?: false },
    ): Promise<ParquetWriter>;
    rowBuffer: RowBuffer | Record<string, never>;
    setMetadata(key: string, value: string): void;
    close(): Promise<void>;
  }
  export class ParquetReader {
    static openBuffer(bytes: Uint8Array): Promise<ParquetReader>;
    getMetadata(): Record<string, string>;
    getCursor(): { next(): Promise<object | null> };
    close(): Promise<void>;
  }
  const parquet: {
    ParquetSchema: typeof ParquetSchema;
    ParquetWriter: typeof ParquetWriter;
    ParquetReader: typeof ParquetReader;
  };
  export default parquet;
}
