import { printSeries, type SeriesId } from './series-id.js';
import { type Codec, readId } from './url-codecs.js';

/** Series as `metric.item.region.partner.source.frequency`, separated by commas. */
export const seriesList: Codec<readonly SeriesId[]> = {
  read(written) {
    const keys = written.split(',').map(readSeries);
    return keys.includes(undefined) ? undefined : (keys as SeriesId[]);
  },
  write: (keys) => keys.map(printSeries).join(','),
};

function readSeries(written: string): SeriesId | undefined {
  const ids = written.split('.').map(readId);
  if (ids.length !== 6 || ids.includes(undefined)) return undefined;
  const [metric_id, item_id, region_id, partner_region_id, source_id, frequency_id] = ids as number[];
  return {
    metric_id: metric_id!,
    item_id: item_id!,
    region_id: region_id!,
    partner_region_id: partner_region_id!,
    frequency_id: frequency_id!,
    source_id: source_id!,
  };
}
