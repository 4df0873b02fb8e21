import type { Source } from '../model/entity.js';
import { frequencyId } from '../model/frequency.js';
import type { ImporterSettings } from '../model/importing/job.js';
import type { RowKey } from '../store/store.js';
import { BatchBuilder } from './batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from './importer.js';
import type { EntryFilter } from './reading/input-files.js';
import { isTable, type OpenedTable, readTables, type TableKind } from './reading/tables.js';
import { clampAvailability, type RowPlan } from './reading/text-rows.js';
import { readReferenceData } from './reference-data.js';

/** The means of the plan of a table. */
export interface DatasetJob {
  /** Receives entities that the vocabulary does not have. */
  readonly batch: BatchBuilder;
  readonly settings: ImporterSettings;
}

/** A kind of table of a data set, and the meaning of its rows. */
export interface DatasetForm<Context> extends TableKind {
  /**
   * How the rows become points, by the header. Their source is that of the data set, where it has one, and their frequency that
   * which it names. They are available from the import, or from the date before that a key answers.
   * @throws IngestError when the table is not of the data set after all
   */
  plan(table: OpenedTable, job: DatasetJob & Context): RowPlan;
}

/** A public data set of tables. */
export interface DatasetDefinition<Context>
  extends Pick<Importer, 'summary' | 'counts' | 'settings' | 'fetch'> {
  /** The name on the command line: `cropframe import <name>`. */
  readonly name: string;
  readonly sources: readonly Source[];
  /** The name of the frequency of all points, where they have one. */
  readonly frequency?: Parameters<typeof frequencyId>[0] | undefined;
  readonly forms: readonly DatasetForm<Context>[];
  /** Which files of an archive are read (default: all but documents). */
  readonly wantsEntry?: EntryFilter | undefined;
  /** Loads the needs of all plans, once an import; `files` are those that are still to be read. */
  readonly prepare?: (
    input: ImporterInput,
    batch: BatchBuilder,
  ) => Promise<Context & { readonly files?: readonly string[] }>;
}

/** A data set of tables, which the engine of the store reads. */
export function defineTables<Context extends object = object>(set: DatasetDefinition<Context>): Importer {
  const { name, summary, counts, settings, forms, fetch } = set;
  return {
    dataset: name,
    summary,
    counts,
    needsFiles: true,
    settings,
    fetch,
    recognises: (beginning) => isTable(forms, beginning),
    read: (input) => readDataset(set, input),
  };
}

async function* readDataset<Context extends object>(
  { name, sources, frequency, forms, wantsEntry, prepare }: DatasetDefinition<Context>,
  input: ImporterInput,
): AsyncGenerator<ImportBatch> {
  const { importedMs, settings = {}, signal } = input;
  yield* readReferenceData(sources);
  const batch = await BatchBuilder.create(input, name.toUpperCase());
  const { files = input.files, ...context } = (await prepare?.(input, batch)) ?? {};
  const job = { batch, settings, ...(context as Context) };
  const shared = {
    availableMs: importedMs,
    ...(sources.length === 1 && { source_id: sources[0]!.id }),
    ...(frequency !== undefined && { frequency_id: frequencyId(frequency) }),
  };
  const known = (key: RowKey): RowKey => ({
    ...key,
    resolve: (texts, details) => clampAvailability(key.resolve(texts, details), importedMs),
  });
  const formats = forms.map((form) => ({
    ...form,
    plan(table: OpenedTable): RowPlan {
      const { keys, constants, ...plan } = form.plan(table, job);
      return { ...plan, keys: keys.map(known), constants: { ...shared, ...constants } };
    },
  }));
  yield* readTables({ dataset: name, files, signal, wantsEntry }, formats, batch);
}
