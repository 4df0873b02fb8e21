import { isValid } from '../../src/columns/bitmap.js';
import type { ImportBatch, Importer, ImporterInput, RejectedRow } from '../../src/ingest/importer.js';
import { loadRegionTree } from '../../src/ingest/regions/tree.js';
import type { EntityType } from '../../src/model/entity.js';
import type { SeriesKey } from '../../src/model/series.js';
import { formatDay } from '../../src/model/time.js';
import { openStore } from '../../src/store/open.js';
import type { NewEntity, NewPoints, ReadPoint, Store } from '../../src/store/store.js';

/** A point with readable dates. */
export interface PlainPoint extends SeriesKey {
  start: string;
  end: string;
  value: number | null;
  unit_id: number;
  reported: string | null;
  available: string;
  metadata: unknown;
}

export interface Collected {
  entities: { [Type in EntityType]: Map<number, NewEntity<Type>> };
  points: PlainPoint[];
  rejected: RejectedRow[];
  notRead: Map<string, number>;
  notes: string[];
  labels: Set<string>;
}

/** No text of a test has more. */
const MAX_POINTS = 1_000_000;

/** Stores in which nothing was committed, for the next reader of this worker: opening one takes longer than most files. */
const emptyStores: Store[] = [];

/**
 * The batches of an importer, with the regions of the package's file, and the points of the rows that a store reads. The
 * entities of those come after them.
 */
export async function* readBatches(
  importer: Importer,
  input: Partial<ImporterInput> = {},
): AsyncGenerator<ImportBatch & { readonly sampled?: readonly ReadPoint[] }> {
  const store = emptyStores.pop() ?? (await openStore(':memory:'));
  const transaction = await store.begin();
  try {
    const sampled: ReadPoint[] = [];
    const putRows: ImporterInput['putRows'] = async (table) => {
      const read = await transaction.putRows(table);
      sampled.push(...(await read.sample(MAX_POINTS)));
      return read;
    };
    const given = { files: [], importedMs: Date.UTC(2026, 0, 2), putRows, ...input };
    for await (const batch of importer.read(given)) {
      const { regionFile } = batch;
      const own = regionFile && { entities: { regions: (await loadRegionTree()).regions } };
      yield { ...batch, ...own, sampled: sampled.splice(0) };
    }
  } finally {
    await transaction.rollback();
    emptyStores.push(store);
  }
}

/** Collects everything that an importer yields but shapes. @throws Error when a point names an entity that was not yielded */
export async function collect(importer: Importer, input: Partial<ImporterInput> = {}): Promise<Collected> {
  const all: Collected = {
    entities: {
      metrics: new Map(),
      items: new Map(),
      regions: new Map(),
      frequencies: new Map(),
      sources: new Map(),
      units: new Map(),
    },
    points: [],
    rejected: [],
    notRead: new Map(),
    notes: [],
    labels: new Set(),
  };
  for await (const batch of readBatches(importer, input)) {
    for (const [type, rows] of Object.entries(batch.entities ?? {})) {
      const known: Map<number, unknown> = all.entities[type as EntityType];
      for (const row of rows) known.set(row.id, row);
    }
    all.rejected.push(...(batch.rejected ?? []));
    for (const [kind, count] of batch.notRead ?? [])
      all.notRead.set(kind, (all.notRead.get(kind) ?? 0) + count);
    all.notes.push(...(batch.notes ?? []));
    if (batch.progress) all.labels.add(batch.progress.label);
    all.points.push(
      ...(batch.points ? plainPoints(batch.points) : []),
      ...(batch.sampled ?? []).map(plainPoint),
    );
  }
  for (const point of all.points) assertKnown(point, all.entities);
  return all;
}

export function plainPoints({ series, columns }: NewPoints): PlainPoint[] {
  const day = (ms: bigint): string => formatDay(Number(ms));
  return Array.from({ length: columns.length }, (_, i) => ({
    ...series[columns.series[i]!]!,
    start: day(columns.start_date[i]!),
    end: day(columns.end_date[i]!),
    value: isValid(columns.value_valid, i) ? columns.value[i]! : null,
    unit_id: columns.unit_id[i]!,
    reported: isValid(columns.reporting_valid, i) ? day(columns.reporting_date[i]!) : null,
    available: day(columns.available_date[i]!),
    metadata: columns.metadata?.[i] == null ? null : JSON.parse(columns.metadata[i]!),
  }));
}

function plainPoint(point: ReadPoint): PlainPoint {
  const { startMs, endMs, reportingMs, availableMs, metadata, ...own } = point;
  return {
    ...own,
    start: formatDay(startMs),
    end: formatDay(endMs),
    reported: reportingMs === null ? null : formatDay(reportingMs),
    available: formatDay(availableMs!),
    metadata: metadata === null ? null : JSON.parse(metadata),
  };
}

function assertKnown(point: PlainPoint, entities: Collected['entities']): void {
  const wanted: [EntityType, number][] = [
    ['metrics', point.metric_id],
    ['items', point.item_id],
    ['regions', point.region_id],
    ['regions', point.partner_region_id],
    ['sources', point.source_id],
    ['frequencies', point.frequency_id],
    ['units', point.unit_id],
  ];
  for (const [type, id] of wanted) {
    if (!entities[type].has(id)) throw new Error(`a point names ${type} ${id}, which no batch contains`);
  }
}

const TYPES = { metric: 'metrics', item: 'items', region: 'regions', source: 'sources' } as const;

/** The points of the entities of these names. */
export function pointsOf(
  { entities, points }: Collected,
  names: Partial<Record<keyof typeof TYPES, string>>,
): PlainPoint[] {
  const ids = (Object.keys(names) as (keyof typeof TYPES)[]).map(
    (word) => [`${word}_id`, named<EntityType>(entities[TYPES[word]], names[word]!).id] as const,
  );
  return points.filter((point) => ids.every(([field, id]) => point[field] === id));
}

/** The points with the names of their entities, and the abbreviation of the unit. */
export const inWords = ({ entities, points }: Collected) =>
  points.map((point) => ({
    ...point,
    metric: entities.metrics.get(point.metric_id)!.name,
    item: entities.items.get(point.item_id)!.name,
    region: entities.regions.get(point.region_id)!.name,
    partner: entities.regions.get(point.partner_region_id)!.name,
    source: entities.sources.get(point.source_id)!.name,
    unit: entities.units.get(point.unit_id)!.abbreviation,
  }));

/** Metric, item, region, period, value and unit of each point. */
export const figureLines = (all: Collected): string[] =>
  inWords(all).map(({ metric, item, region, partner, start, end, value, unit }) => {
    const place = partner === 'World' ? region : `${region} > ${partner}`;
    return [metric, item, place, start === end ? start : `${start}/${end}`, `${value} ${unit}`].join(' | ');
  });

/** The lines and reasons of the rejected rows. */
export const rejects = ({ rejected }: Collected): string[] =>
  rejected.map(({ line, reason }) => `${line}: ${reason}`);

/** The entity of a name. @throws Error unless exactly one has it */
export function named<Type extends EntityType>(
  rows: Map<number, NewEntity<Type>>,
  name: string,
): NewEntity<Type> {
  const hits = [...rows.values()].filter((row) => (row as { name: string }).name === name);
  if (hits.length !== 1) throw new Error(`${hits.length} entities are called "${name}"`);
  return hits[0]!;
}
