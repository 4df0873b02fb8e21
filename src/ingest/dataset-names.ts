/** The names of data sets on the command line; `datasets.ts` has their importers. */
export const DATASET_NAMES = [
  'demo',
  'nass',
  'wasde',
  'psd',
  'faostat',
  'ghcnd',
  'cdo',
  'power',
  'ecb',
  'usdm',
  'cot',
  'conab',
  'csv',
] as const;
export type DatasetName = (typeof DATASET_NAMES)[number];
