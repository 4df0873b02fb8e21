/** The data sets that can be imported, as the command line names them. The importers are in `datasets.ts`. */
export const DATASET_NAMES = [
  'demo',
  'nass',
  'wasde',
  'psd',
  'faostat',
  'ghcnd',
  'cdo',
  'power',
  'csv',
] as const;
export type DatasetName = (typeof DATASET_NAMES)[number];
