import { FREQUENCIES } from '../../model/frequency.js';
import type { DataSeries, SeriesKey } from '../../model/series.js';

/** A series in words: item, metric, region, frequency and source. */
export function seriesTitle(series: DataSeries): string {
  const { metric_name, item_name, region_name, partner_region_id, partner_region_name, source_name } = series;
  const partner = partner_region_id === 0 ? undefined : `with ${partner_region_name ?? partner_region_id}`;
  const parts = [item_name, metric_name, region_name, partner, frequencyName(series), source_name];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

export function frequencyName({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): string {
  return FREQUENCIES.find(({ id }) => id === frequency_id)?.name ?? String(frequency_id);
}
