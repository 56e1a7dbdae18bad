/** The part of parquetjs-lite that the landing uses; the package has no types. */
declare module "parquetjs-lite" {
  export interface Column {
    type: "UTF8";
    optional: true;
    compression: "GZIP";
  }
  export interface OutputStream {
    write(bytes: Uint8Array, done: (error?: Error) => void): void;
    end(done: (error?: Error) => void): void;
  }
  export class ParquetSchema {
    constructor(columns: Record<string, Column>);
    readonly schema: Record<string, Column>;
  }
  export class ParquetWriter {
    static openStream(
      schema: ParquetSchema,
      stream: OutputStream,
      options?: { pageIndex?: false },
    ): Promise<ParquetWriter>;
    appendRow(row: Record<string, string>): Promise<void>;
    close(): Promise<void>;
  }
  export class ParquetReader {
    static openBuffer(bytes: Uint8Array): Promise<ParquetReader>;
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
