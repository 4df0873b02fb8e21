import { printSeries, SERIES_FIELDS, type SeriesId, seriesIdOf } from './series-id.js';
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
  if (ids.length !== SERIES_FIELDS.length || ids.includes(undefined)) return undefined;
  return seriesIdOf((_, at) => ids[at]!);
}
