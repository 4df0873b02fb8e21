export {
  type ImportBatch,
  type Importer,
  type ImporterInput,
  type ImporterSettings,
  type ImportOptions,
  type ImportReport,
  importDataset,
  type RejectedRow,
} from './ingest/importer.js';
