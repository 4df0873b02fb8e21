import type { RowAnswer } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { Row } from './fields.js';

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
}

/** Says the meaning of columns that a document cannot describe. */
export interface Hook {
  /** The names of the texts that it takes. */
  readonly takes: readonly string[];
  readonly answers: readonly HookAnswer[];
  /**
   * Prepares the hook for an import.
   * @returns a function that is called once for each combination of texts, and throws a `RowError` to reject their rows
   */
  prepare(context: HookContext): Promise<(row: Row) => RowAnswer>;
}

/** The hooks of the package, each loaded when a data set names it. */
export const HOOKS: ReadonlyMap<string, Hook> = new Map();
