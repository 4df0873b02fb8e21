import type { Table } from 'apache-arrow';
import { createClient } from '../../../src/index.js';
import { parseSeriesKey } from '../../../src/model/series.js';
import { exactRows } from '../../frame/exact-rows.js';

/** The points of a frame that say everything: which series, when and what. */
export function pointsOf(table: Table): string[] {
  return exactRows(table)
    .map(({ start_date, region_id, item_id, value }) =>
      JSON.stringify([start_date, region_id, item_id, value]),
    )
    .sort();
}

/** The points of the series that a link names, fetched from a service by a client of Node; now, or as they were known. */
export async function linkedPoints(api_host: string, link: string, at_time?: string): Promise<string[]> {
  const client = createClient({ api_host, access_token: 'none' });
  for (const text of new URL(link).searchParams.get('s')!.split(',')) {
    client.addSingleDataSeries(parseSeriesKey(text)!);
  }
  return pointsOf(await client.getDf(at_time === undefined ? {} : { at_time }));
}
