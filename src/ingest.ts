export { importDataset } from './ingest/import-dataset.js';
export type {
  ImportBatch,
  Importer,
  ImporterInput,
  ImporterSettings,
  ImportOptions,
  ImportReport,
  RejectedRow,
} from './ingest/importer.js';
