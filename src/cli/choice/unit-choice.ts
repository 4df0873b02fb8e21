import type { Client } from '../../create-client.js';
import type { Unit } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import type { SeriesKey } from '../../model/series.js';

/** The units that points of these series can be had in, by id. */
export async function unitsOf(
  client: Client,
  series: readonly Partial<Pick<SeriesKey, 'metric_id' | 'item_id'>>[],
  signal: AbortSignal,
): Promise<Unit[]> {
  const allowed = await Promise.all(
    series.map(({ metric_id, item_id }) => client.getAllowedUnits(metric_id!, item_id, { signal })),
  );
  const ids = [...new Set(allowed.flat())];
  const units = await client.lookup('units', ids, { signal });
  return ids.flatMap((id) => units[id] ?? []);
}

/**
 * The id of a unit by its id, abbreviation or name.
 * @throws ArgumentError that lists the units that these series can be had in
 */
export async function unitOf(
  client: Client,
  word: string,
  { series, signal }: { series: readonly SeriesKey[]; signal: AbortSignal },
): Promise<number> {
  if (/^\d+$/.test(word)) return Number(word);
  const units = await unitsOf(client, series, signal);
  const fits = [
    (unit: Unit) => unit.abbreviation === word,
    (unit: Unit) => [unit.abbreviation, unit.name, unit.namePlural].some((name) => same(name, word)),
  ];
  for (const fit of fits) {
    const found = units.filter(fit);
    if (found.length > 0) return found[0]!.id;
  }
  const known = units.map(({ abbreviation }) => abbreviation).join(', ');
  throw new ArgumentError('unit', `there is no unit "${word}" for this series; there are ${known || 'none'}`);
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
