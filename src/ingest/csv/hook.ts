import type { ImporterSettings } from '../../model/importing/job.js';
import type { RowAnswer } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { Groups, Row } from './fields.js';

/** What a hook says of a row, by the keys of a data set that it replaces. */
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

/** What a hook may use. */
export interface HookContext {
  /** Receives entities that the vocabulary lacks. */
  readonly batch: BatchBuilder;
  /** The name of the data set. */
  readonly dataset: string;
  /** The settings of the import. */
  readonly settings: ImporterSettings;
}

/** A table before its rows are read. */
export interface HookTable {
  /** The name in messages. */
  readonly file: string;
  /** The names of its columns. */
  readonly header: readonly string[];
  /** The beginning of a text; empty for files whose cells have types. */
  readonly sample: string;
}

/** Says the meaning of columns that a document cannot describe. */
export interface Hook {
  /** The names of the texts that it takes. */
  readonly takes: readonly string[];
  /** The keys of a document that it replaces. */
  readonly answers: readonly HookAnswer[];
  /**
   * Returns fields that are the same in all rows of a table.
   * @throws IngestError when the table is not one of the data set
   */
  readonly fields?: (table: HookTable, settings: ImporterSettings) => Groups;
  /**
   * Prepares the hook for an import.
   * @returns a function that is called once for each combination of texts, and throws a `RowError` to reject their rows
   */
  readonly prepare?: (context: HookContext) => Promise<(row: Row) => RowAnswer>;
}
