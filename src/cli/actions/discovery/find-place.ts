import type { GeocodedPlace } from '../../../client/geography.js';
import { withClient } from '../../connection/with-client.js';
import type { ConnectionOptions } from '../../options/connection.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../../terminal/io.js';
import { writeTable } from '../../terminal/text-table.js';

export interface FindPlaceOptions {
  readonly at: readonly [latitude: number, longitude: number];
  readonly json?: boolean | undefined;
}

/** @throws NothingFoundError when no region contains the place and there is no weather station */
export function findPlace(
  context: CommandContext,
  connection: ConnectionOptions,
  { at, json }: FindPlaceOptions,
): Promise<void> {
  return withClient(context, connection, async (client) => {
    const [found] = await client.reverseGeocodePoints([at], { signal: context.signal });
    const rows = rowsOf(found!);
    if (rows.length === 0) throw new NothingFoundError(`no region contains ${at.join(', ')}`);
    if (json === true) return writeJson(context.stdout, found);
    await writeTable(context, COLUMNS, rows);
  });
}

const COLUMNS = [
  { title: 'id', whole: true },
  { title: 'region' },
  { title: 'level' },
  { title: 'distance', align: 'right' },
] as const;

function rowsOf(place: GeocodedPlace): string[][] {
  const { l5_id, l5_name, l4_id, l4_name, l3_id, l3_name, station_id, station_name, station_km } = place;
  const distance = station_km === null ? '' : `${station_km.toFixed(1)} km`;
  const rows: readonly (readonly [number | null, string | null, string, string])[] = [
    [l5_id, l5_name, 'district', ''],
    [l4_id, l4_name, 'province', ''],
    [l3_id, l3_name, 'country', ''],
    [station_id, station_name, 'nearest weather station', distance],
  ];
  return rows.flatMap(([id, name, ...rest]) => (id === null ? [] : [[String(id), name ?? '', ...rest]]));
}
