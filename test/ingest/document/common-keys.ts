/** The keys of a document of figures that are produced each year in one region, in the column `v`. */
export const COMMON_KEYS = {
  source: { name: 'Fields' },
  region: { name: 'Iowa', level: 'province' },
  metric: { name: 'Production quantity' },
  item: { name: 'Corn' },
  unit: { name: 't' },
  start_date: { column: 'year', format: 'YYYY' },
  values: 'v',
};
