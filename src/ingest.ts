export { importDataset } from './ingest/import-dataset.js';
export {
  type HostedImports,
  type HostedJob,
  type HostedRequest,
  type HostedWatch,
  hostImports,
  type ImportHostOptions,
} from './ingest/import-host.js';
export type {
  ImportBatch,
  ImportedText,
  Importer,
  ImporterInput,
  ImporterSettings,
  ImportOptions,
  ImportReport,
  RejectedRow,
} from './ingest/importer.js';
export type {
  CountedUnit,
  ImportCounts,
  ImportOutcome,
  KindCount,
  RowAccount,
} from './model/report.js';
