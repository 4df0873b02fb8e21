/** A row of a long frame: a day of a series. */
export const dayRow = (date: string, value: number | null, region_id = 1) => ({
  start_date: `${date}T00:00:00.000Z`,
  end_date: `${date}T00:00:00.000Z`,
  value,
  unit_id: 7,
  reporting_date: null,
  metric_id: 1,
  item_id: 2,
  region_id,
  partner_region_id: 0,
  frequency_id: 1,
  source_id: 3,
  metric_name: 'Yield',
  region_name: region_id === 1 ? 'Iowa <1>' : 'Ohio',
});
