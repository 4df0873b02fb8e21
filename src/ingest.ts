export { importDataset } from './ingest/import-dataset.js';
export type {
  CountedUnit,
  ImportBatch,
  ImportedText,
  Importer,
  ImporterInput,
  ImporterSettings,
  ImportOptions,
  ImportReport,
  KindCount,
  RejectedRow,
  RowAccount,
} from './ingest/importer.js';
