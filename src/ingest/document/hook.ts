import type { ImporterSettings } from '../../model/importing/job.js';
import type { RowAnswer } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { TextRecord } from '../reading/delimited.js';
import type { Groups, Row } from './fields.js';

/** A document key whose value a hook can provide. */
export type HookAnswer =
  | 'metric'
  | 'item'
  | 'unit'
  | 'region'
  | 'partner_region'
  | 'start_date'
  | 'frequency'
  | 'reporting_date'
  | 'available_date';

/** The context that is passed to a hook when it is prepared for an import. */
export interface HookContext {
  /** Collects entities that are not in the vocabulary. */
  readonly batch: BatchBuilder;
  /** The name of the data set. */
  readonly dataset: string;
  /** The settings of the import. */
  readonly settings: ImporterSettings;
}

/** A table whose rows have not been read yet. */
export interface HookTable {
  /** The file name to use in error messages. */
  readonly file: string;
  /** The names of the table's columns. */
  readonly header: readonly string[];
  /** The beginning of a text file, the first rows of a sheet as comma-separated text, or a Parquet file's header. */
  readonly sample: string;
  /** The number of lines before the first row of data, including the header. */
  readonly skip: number;
  /** Whether the table is a Parquet file or a sheet. If so, its dates are in the format `YYYY-MM-DD`. */
  readonly isTyped?: boolean | undefined;
}

/** Reads tables from files whose format a data set document cannot describe, such as XML. */
export interface Reader {
  /** The names of the columns. */
  readonly columns: readonly string[];
  /**
   * Returns the rows of a file.
   * @param chunks the bytes of the file
   * @throws DamagedTextError if the file is not in the expected format
   */
  readonly records: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<TextRecord>;
}

/** Interprets columns that a data set document cannot describe. */
export interface Hook {
  /** The names of the fields that the hook reads. */
  readonly takes: readonly string[];
  /** The document keys for which the hook provides values. */
  readonly answers: readonly HookAnswer[];
  /**
   * Returns the fields that have the same value in all rows of a table.
   * @throws IngestError if the table does not belong to the data set
   */
  readonly fields?: (table: HookTable, settings: ImporterSettings) => Groups;
  /**
   * Returns additional fields for the hook to read, each with the name of its column.
   * @throws IngestError if the table does not belong to the data set
   */
  readonly columns?: (table: HookTable) => Groups;
  /**
   * Prepares the hook for an import.
   * @returns a function that is called once per distinct combination of field values, and that throws a `RowError` to
   *   reject all rows with that combination
   */
  readonly prepare?: (context: HookContext) => Promise<(row: Row, table: HookTable) => RowAnswer>;
  /** Reads the data set's files if the document names the hook as its `reader`. */
  readonly reader?: Reader;
}
