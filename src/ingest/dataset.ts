import type { Source } from '../model/entity.js';
import type { ImporterSettings } from '../model/importing/job.js';
import { BatchBuilder } from './batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from './importer.js';
import { isTable, type OpenedTable, readTables, type TableKind } from './reading/tables.js';
import type { RowPlan } from './reading/text-rows.js';
import { readReferenceData } from './reference-data.js';

/** The means of the plan of a table. */
export interface DatasetJob {
  /** Receives entities that the vocabulary does not have. */
  readonly batch: BatchBuilder;
  /** The available date of figures that have none, UTC milliseconds. */
  readonly importedMs: number;
  readonly settings: ImporterSettings;
}

/** A kind of table of a data set, and the meaning of its rows. */
export interface DatasetForm<Context> extends TableKind {
  /**
   * How the rows become points, by the header.
   * @throws IngestError when the table is not of the data set after all
   */
  plan(table: OpenedTable, job: DatasetJob & Context): RowPlan;
}

/** A public data set of tables. */
export interface DatasetDefinition<Context> extends Pick<Importer, 'summary' | 'counts' | 'fetch'> {
  /** The name on the command line: `cropframe import <name>`. */
  readonly name: string;
  readonly sources: readonly Source[];
  readonly forms: readonly DatasetForm<Context>[];
  /** Which files of an archive are read (default: all but documents). */
  readonly wantsEntry?: ((name: string) => boolean) | undefined;
  /** Loads the needs of all plans, once an import; `files` are those that are still to be read. */
  readonly prepare?: (
    input: ImporterInput,
    batch: BatchBuilder,
  ) => Promise<Context & { readonly files?: readonly string[] }>;
}

/** A data set of tables, which the engine of the store reads. */
export function defineDataset<Context extends object = object>(set: DatasetDefinition<Context>): Importer {
  const { name, summary, counts, forms, fetch } = set;
  return {
    dataset: name,
    summary,
    counts,
    needsFiles: true,
    fetch,
    recognises: (beginning) => isTable(forms, beginning),
    read: (input) => readDataset(set, input),
  };
}

async function* readDataset<Context extends object>(
  { name, sources, forms, wantsEntry, prepare }: DatasetDefinition<Context>,
  input: ImporterInput,
): AsyncGenerator<ImportBatch> {
  const { importedMs, settings = {}, signal } = input;
  yield* readReferenceData(sources);
  const batch = await BatchBuilder.create(input);
  const { files = input.files, ...context } = (await prepare?.(input, batch)) ?? {};
  const job = { batch, importedMs, settings, ...(context as Context) };
  const formats = forms.map((form) => ({ ...form, plan: (table: OpenedTable) => form.plan(table, job) }));
  yield* readTables({ dataset: name, files, signal, wantsEntry }, formats, batch);
}
