import type { ServiceClient } from '../client/client.js';
import type { Unit } from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import { nearestUnit } from '../model/names/nearest-unit.js';
import type { SeriesKey } from '../model/series.js';

export type UnitClient = Pick<ServiceClient, 'getAllowedUnits' | 'lookup'>;

/** A unit's id, abbreviation or name, or a list of units, one per dimension. */
export type WantedUnit = number | string | readonly (number | string)[];

/** Lists the units allowed for any of the series, using one request for each combination of metric and item. */
export async function listAllowedUnits(
  client: UnitClient,
  series: readonly { readonly metric_id: number; readonly item_id?: number | undefined }[],
  signal?: AbortSignal,
): Promise<Unit[]> {
  const kinds = new Map(series.map((one) => [`${one.metric_id}-${one.item_id}`, one]));
  const allowed = await Promise.all(
    [...kinds.values()].map(({ metric_id, item_id }) =>
      client.getAllowedUnits(metric_id, item_id, { signal }),
    ),
  );
  const ids = [...new Set(allowed.flat())];
  const units = await client.lookup('units', ids, { signal });
  return ids.flatMap((id) => units[id] ?? []);
}

/**
 * Resolves units to ids.
 * @throws ArgumentError if a unit is unknown, if sources define different units with the same name, or if two units
 * have the same dimension
 */
export async function resolveUnits(
  client: UnitClient,
  wanted: WantedUnit | null | undefined,
  options: { series: readonly SeriesKey[]; signal?: AbortSignal | undefined },
): Promise<number | readonly number[] | undefined> {
  if (wanted === null || wanted === undefined) return undefined;
  if (typeof wanted === 'number') return wanted;
  if (typeof wanted === 'string') return resolveUnit(client, wanted, options);
  if (wanted.length === 0)
    throw new ArgumentError('unit_id', 'the list is empty; specify a unit for each dimension, or omit it');
  const ids = await Promise.all(
    wanted.map(async (one) => (await resolveUnits(client, one, options)) as number),
  );
  const units = await client.lookup('units', ids, { signal: options.signal });
  const dimensions = ids.map((id) => units[id]?.dimension);
  for (const [at, dimension] of dimensions.entries()) {
    const first = dimensions.indexOf(dimension);
    if (dimension === undefined || ids[first] === ids[at]) continue;
    const message = `the units "${wanted[first]}" and "${wanted[at]}" both have the dimension ${dimension}; specify only one unit per dimension`;
    throw new ArgumentError('unit_id', message);
  }
  return ids;
}

async function resolveUnit(
  client: UnitClient,
  word: string,
  { series, signal }: { series: readonly SeriesKey[]; signal?: AbortSignal | undefined },
): Promise<number> {
  if (/^\d+$/.test(word)) return Number(word);
  const units = await listAllowedUnits(client, series, signal);
  const rules = [
    (unit: Unit) => unit.abbreviation === word,
    (unit: Unit) =>
      [unit.abbreviation, unit.name, unit.namePlural].some((name) => equalIgnoringCase(name, word)),
  ];
  for (const fits of rules) {
    const [found, ...others] = units.filter(fits);
    if (found === undefined) continue;
    if (others.every((other) => convertsAlike(found, other))) return found.id;
    throw new ArgumentError('unit_id', ambiguousUnit(word, [found, ...others]));
  }
  throw new ArgumentError('unit_id', unknownUnit(word, units));
}

function convertsAlike(
  { baseConvFactor: a, dimension }: Unit,
  { baseConvFactor: b, ...other }: Unit,
): boolean {
  return dimension === other.dimension && a.factor === b.factor && (a.offset ?? 0) === (b.offset ?? 0);
}

function ambiguousUnit(word: string, units: readonly Unit[]): string {
  const listed = units.map(({ id, baseConvFactor }) => `${id} (factor ${baseConvFactor.factor ?? 'none'})`);
  return `several units are called "${word}": ${listed.join(', ')}; specify one by its id`;
}

function unknownUnit(word: string, units: readonly Unit[]): string {
  const nearest = nearestUnit(word, units);
  const advice = nearest === undefined ? '' : `did you mean "${nearest.abbreviation}" (${nearest.name})? `;
  const known = units.map(({ abbreviation }) => abbreviation).join(', ');
  return `there is no unit "${word}" for this series; ${advice}the units are ${known || 'none'}`;
}

function equalIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
