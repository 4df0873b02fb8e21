import type { Client } from '../../create-client.js';
import type { Unit } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import type { SeriesKey } from '../../model/series.js';

/** The units that points of these series can be converted to. */
export async function listAllowedUnits(
  client: Client,
  series: readonly { readonly metric_id: number; readonly item_id?: number | undefined }[],
  signal: AbortSignal,
): Promise<Unit[]> {
  const allowed = await Promise.all(
    series.map(({ metric_id, item_id }) => client.getAllowedUnits(metric_id, item_id, { signal })),
  );
  const ids = [...new Set(allowed.flat())];
  const units = await client.lookup('units', ids, { signal });
  return ids.flatMap((id) => units[id] ?? []);
}

/**
 * The id of a unit by its id, abbreviation or name.
 * @throws ArgumentError that lists the allowed units of these series
 */
export async function resolveUnit(
  client: Client,
  word: string,
  { series, signal }: { series: readonly SeriesKey[]; signal: AbortSignal },
): Promise<number> {
  if (/^\d+$/.test(word)) return Number(word);
  const units = await listAllowedUnits(client, series, signal);
  const rules = [
    (unit: Unit) => unit.abbreviation === word,
    (unit: Unit) =>
      [unit.abbreviation, unit.name, unit.namePlural].some((name) => equalIgnoringCase(name, word)),
  ];
  for (const fits of rules) {
    const found = units.find(fits);
    if (found !== undefined) return found.id;
  }
  const known = units.map(({ abbreviation }) => abbreviation).join(', ');
  throw new ArgumentError(
    'unit',
    `there is no unit "${word}" for this series; the units are ${known || 'none'}`,
  );
}

function equalIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
