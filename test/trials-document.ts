/** A document of a small table of one's own: a yield of corn for a state and a year. */
export const TRIALS_DOCUMENT = {
  source: { name: 'Trials' },
  region: { column: 'state', level: 'province' },
  metric: { name: 'Yield' },
  item: { name: 'Corn' },
  unit: { name: 't/ha' },
  start_date: { column: 'year', format: 'YYYY' },
  values: 'value',
};
