export type { BatchBuilder, NamedType } from './ingest/batch/batch-builder.js';
export { defineDataset } from './ingest/document/define-dataset.js';
export type { Groups, Row } from './ingest/document/fields.js';
export type { Hook, HookAnswer, HookContext, HookTable, Reader } from './ingest/document/hook.js';
export type { FetchableFiles, Finding, PlannedFile } from './ingest/fetching/requests.js';
export { importDataset } from './ingest/import-dataset.js';
export {
  type HostedImports,
  hostImports,
  type ImportHostOptions,
} from './ingest/import-host.js';
export type {
  ImportBatch,
  ImportedRow,
  ImportedText,
  Importer,
  ImporterInput,
  ImportOptions,
  ImportReport,
  RejectedRow,
} from './ingest/importer.js';
export type { TextRecord } from './ingest/reading/delimited.js';
export type { DeclaredSettings, Setting } from './ingest/settings.js';
export type {
  DatasetAsked,
  DatasetDocument,
  ImportAsked,
  ImporterSettings,
  ImportJob,
  ImportWatch,
  RejectedLine,
} from './model/importing/job.js';
export type {
  CountedUnit,
  ImportCounts,
  ImportOutcome,
  KindCount,
  RowAccount,
} from './model/importing/outcome.js';
