import type { SeriesKey } from '../model/series.js';
import type { StoreReader } from '../store/store.js';
import { secondUnitMeasures } from './nass/second-units.js';
import { itemId } from './vocabulary/items.js';
import { metricId } from './vocabulary/metrics.js';
import { SOURCES } from './vocabulary/sources.js';

/** Series of a store that may hold the figures of several names. */
export interface MergedSeries {
  /** Id of the source. */
  readonly sourceId: number;
  /** The data set to import again. */
  readonly dataset: string;
  /** What they may mix: `canola and rapeseed`. */
  readonly mixes: string;
}

interface Merge extends Omit<MergedSeries, 'sourceId'> {
  /** The version of the vocabulary that tells the names apart. */
  readonly since: number;
  readonly sourceIds: readonly number[];
  /** The series; absent ids may be any. */
  readonly keys: readonly Partial<SeriesKey>[];
}

type Origin = Pick<Merge, 'since' | 'dataset' | 'sourceIds'>;

const NASS: Origin = {
  since: 1,
  dataset: 'nass',
  sourceIds: [SOURCES.nassSurvey.id, SOURCES.nassCensus.id],
};
const FAOSTAT: Origin = { since: 1, dataset: 'faostat', sourceIds: [SOURCES.faostat.id] };

/** Names that older versions of the vocabulary merged. */
const MERGES: readonly Merge[] = [
  { ...NASS, mixes: 'canola and rapeseed', keys: [{ item_id: itemId('Rapeseed') }] },
  { ...FAOSTAT, mixes: 'China and China, mainland', keys: [{ region_id: 156 }, { partner_region_id: 156 }] },
  {
    ...FAOSTAT,
    mixes: 'Micronesia and Micronesia (Federated States of)',
    keys: [{ region_id: 583 }, { partner_region_id: 583 }],
  },
  { ...FAOSTAT, mixes: 'paddy and milled rice', keys: [{ item_id: itemId('Rice') }] },
  { ...FAOSTAT, mixes: 'tobacco and unmanufactured tobacco', keys: [{ item_id: itemId('Tobacco') }] },
  {
    ...FAOSTAT,
    mixes: 'food balances with production and trade',
    keys: [{ metric_id: metricId('Domestic use') }, { metric_id: metricId('Food use') }],
  },
  { ...FAOSTAT, mixes: 'groundnuts in shell and in food balances', keys: [{ item_id: itemId('Peanuts') }] },
];

/**
 * The series of a store that were imported when the vocabulary merged several names, and may hold the figures of any of
 * them. Importing them again does not remove the wrong ones; a new store does not have them.
 */
export async function findMergedSeries(store: StoreReader): Promise<MergedSeries[]> {
  const items = new Map((await store.identities('items')).map(({ id, identity }) => [identity, id]));
  const secondUnits = { ...NASS, mixes: 'figures in two units', keys: secondUnitMeasures(items) };
  const found: MergedSeries[] = [];
  for (const { sourceId, vocabulary } of await store.sourceImports()) {
    for (const { since, sourceIds, keys, dataset, mixes } of [...MERGES, secondUnits]) {
      if (vocabulary >= since || !sourceIds.includes(sourceId)) continue;
      if (await hasSeries(store, sourceId, keys)) found.push({ sourceId, dataset, mixes });
    }
  }
  return found;
}

async function hasSeries(
  store: StoreReader,
  sourceId: number,
  keys: readonly Partial<SeriesKey>[],
): Promise<boolean> {
  for (const key of keys) {
    const ids = Object.entries(key).map(([field, id]) => [field, [id]]);
    const selection = { ...Object.fromEntries(ids), source_id: [sourceId] };
    const found = await store.combinations({ selection, includeHistorical: true });
    if (found.length > 0) return true;
  }
  return false;
}
