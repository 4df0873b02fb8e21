import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isValid } from '../columns/bitmap.js';
import { epochAt, epochWords } from '../columns/epoch-words.js';
import { dateParts } from '../model/calendar.js';
import type { EntityType } from '../model/entity.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import { DAY_MS, formatDay } from '../model/time.js';
import { openStore } from '../store/open.js';
import type { NewEntity, NewPoints, ReadRows, StoreTransaction } from '../store/store.js';
import { settleRows, writeBatch } from './import-dataset.js';
import { ImportTally } from './import-tally.js';
import type { ImportBatch, Importer, ImporterInput, ImportOptions } from './importer.js';
import { readReferenceData } from './reference-data.js';

/** What an import would load, determined without a store of one's own. */
export interface DryRunReport extends ReturnType<ImportTally['report']>, PointPreview {
  readonly series: readonly SeriesKey[];
  /** The entities of the data set that are not in the shared vocabulary or the region tree. */
  readonly entities: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] };
}

type DryRunOptions = ImportOptions & Pick<ImporterInput, 'documents' | 'names' | 'identities' | 'lookup'>;

/**
 * Reads a data set as `importDataset` does, and stores nothing. Points are compared in a store for the purpose, which is
 * removed at the end.
 * @param options.documents the entities of a store by name; without it, names are resolved by the shared vocabulary and
 * the region tree alone
 * @throws IngestError as the import does, or the signal's reason
 */
export async function dryRun(importer: Importer, options: DryRunOptions = {}): Promise<DryRunReport> {
  const folder = await mkdtemp(join(tmpdir(), 'cropframe-dry-run-'));
  try {
    const store = await openStore(join(folder, 'dry-run.duckdb'));
    try {
      return await readInto(await store.begin(), importer, options);
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readInto(
  transaction: StoreTransaction,
  importer: Importer,
  options: DryRunOptions,
): Promise<DryRunReport> {
  const { signal, onProgress, files = [], importedMs = Date.now() } = options;
  const { settings, documents, names, identities, lookup } = options;
  const tally = new ImportTally(importer, options);
  const contents = new DryRunContents();
  const input = { files, importedMs, settings, signal, documents, names, identities, lookup };
  for await (const batch of importer.read(input)) {
    signal?.throwIfAborted();
    const { entities, points, rows } = batch;
    const read = await writeBatch(transaction, { entities, points, rows }, { signal });
    tally.add(batch);
    contents.add(batch);
    if (read !== null) await contents.addRows(read);
    if (batch.progress) onProgress?.(batch.progress);
  }
  const account = await settleRows(transaction, tally, { importer, options });
  const nameOf = (type: EntityType, id: number) => contents.nameOf(type, id, lookup);
  const preview = await contents.points.preview(nameOf);
  return { ...account, ...preview, ...contents.list(await referenceEntityKeys()) };
}

/** The distinct series and entities of a data set. */
class DryRunContents {
  readonly points = new DryRunPoints();
  readonly #series = new Map<string, SeriesKey>();
  readonly #entities = new Map<EntityType, Map<number, NewEntity<EntityType>>>();

  add({ points, entities = {} }: ImportBatch): void {
    if (points !== undefined) this.points.add(points);
    this.#addSeries(points?.series ?? []);
    for (const [type, rows] of Object.entries(entities) as unknown as [
      EntityType,
      readonly NewEntity<EntityType>[],
    ][]) {
      const known = this.#entities.get(type) ?? new Map<number, NewEntity<EntityType>>();
      this.#entities.set(type, known);
      for (const row of rows) known.set(row.id, row);
    }
  }

  async addRows(read: ReadRows): Promise<void> {
    await this.points.addRows(read);
    this.#addSeries(read.series);
  }

  #addSeries(series: readonly SeriesKey[]): void {
    for (const key of series) this.#series.set(seriesKeyText(key), key);
  }

  list(shared: ReadonlySet<string>): Pick<DryRunReport, 'series' | 'entities'> {
    const own = [...this.#entities].map(([type, rows]) => [
      type,
      [...rows.values()].filter(({ id }) => !shared.has(`${type} ${id}`)),
    ]);
    return {
      series: [...this.#series.values()],
      entities: Object.fromEntries(own) as DryRunReport['entities'],
    };
  }

  /** The name of an entity of the data set or of the store; its id where neither has it. */
  async nameOf(type: EntityType, id: number, lookup: DryRunOptions['lookup']): Promise<string> {
    const entity = this.#entities.get(type)?.get(id) ?? (await lookup?.(type, [id]))?.[0];
    if (entity === undefined) return String(id);
    return 'abbreviation' in entity ? entity.abbreviation : entity.name;
  }
}

async function referenceEntityKeys(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { entities = {} } of readReferenceData([])) {
    for (const [type, rows] of Object.entries(entities)) for (const { id } of rows) ids.add(`${type} ${id}`);
  }
  return ids;
}

/** A point with names in place of ids; dates are `YYYY-MM-DD`. */
interface SamplePoint {
  readonly metric: string;
  readonly item: string;
  readonly region: string;
  readonly start_date: string;
  readonly end_date: string;
  /** Null for a point without a value. */
  readonly value: number | null;
  readonly unit: string;
  /** Null where the row does not say it. */
  readonly reporting_date: string | null;
  readonly available_date: string;
}

/** What the points of a data set are like. */
interface PointPreview {
  /** The first points, in the order of the file. */
  readonly sample: readonly SamplePoint[];
  /** The period of the first point in words: `the calendar year 2012`; null without points. */
  readonly firstPeriod: string | null;
  /** The first and last day of all periods; null without points. */
  readonly dates: { readonly start_date: string; readonly end_date: string } | null;
  /** Abbreviations of the units of all points, most frequent first. */
  readonly units: readonly string[];
}

/** The name of an entity, or the abbreviation of a unit. */
type NameOf = (type: EntityType, id: number) => Promise<string>;

const MAX_SAMPLE = 5;

interface RawPoint extends Pick<SamplePoint, 'value' | 'reporting_date' | 'available_date'> {
  readonly key: SeriesKey;
  readonly unitId: number;
  readonly period: Pick<SamplePoint, 'start_date' | 'end_date'>;
}

/** Keeps the first points, the range of dates and the units of all. */
class DryRunPoints {
  readonly #sample: RawPoint[] = [];
  readonly #unitCounts = new Map<number, number>();
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  add(points: NewPoints): void {
    const { length, start_date, end_date, unit_id } = points.columns;
    const [starts, ends] = [epochWords(start_date), epochWords(end_date)];
    for (let i = 0; i < length; i++) {
      this.#firstMs = Math.min(this.#firstMs, epochAt(starts, i));
      this.#lastMs = Math.max(this.#lastMs, epochAt(ends, i));
      const unit = unit_id[i]!;
      this.#unitCounts.set(unit, (this.#unitCounts.get(unit) ?? 0) + 1);
    }
    this.#addSample(points);
  }

  async addRows({ units, sample }: ReadRows): Promise<void> {
    for (const { unit_id, points, startMs, endMs } of units) {
      this.#firstMs = Math.min(this.#firstMs, startMs);
      this.#lastMs = Math.max(this.#lastMs, endMs);
      this.#unitCounts.set(unit_id, (this.#unitCounts.get(unit_id) ?? 0) + points);
    }
    this.#addSample(await sample(MAX_SAMPLE));
  }

  #addSample(points: NewPoints): void {
    const wanted = MAX_SAMPLE - this.#sample.length;
    const length = Math.max(0, Math.min(wanted, points.columns.length));
    this.#sample.push(...Array.from({ length }, (_, row) => pointAt(points, row)));
  }

  async preview(nameOf: NameOf): Promise<PointPreview> {
    const units = [...this.#unitCounts].sort(([, a], [, b]) => b - a);
    return {
      firstPeriod: this.#sample[0] === undefined ? null : periodText(this.#sample[0].period),
      sample: await Promise.all(this.#sample.map((point) => toSample(point, nameOf))),
      dates:
        units.length === 0
          ? null
          : { start_date: formatDay(this.#firstMs), end_date: formatDay(this.#lastMs) },
      units: await Promise.all(units.map(([id]) => nameOf('units', id))),
    };
  }
}

function pointAt({ series, columns }: NewPoints, row: number): RawPoint {
  const day = (dates: BigInt64Array): string => formatDay(Number(dates[row]));
  return {
    key: series[columns.series[row]!]!,
    unitId: columns.unit_id[row]!,
    period: { start_date: day(columns.start_date), end_date: day(columns.end_date) },
    value: isValid(columns.value_valid, row) ? columns.value[row]! : null,
    reporting_date: isValid(columns.reporting_valid, row) ? day(columns.reporting_date) : null,
    available_date: day(columns.available_date),
  };
}

/** A period in words: the calendar year, the months or the day that it is. */
function periodText({ start_date, end_date }: RawPoint['period']): string {
  if (start_date === end_date) return `the day ${start_date}`;
  const [first, last] = [dateParts(Date.parse(start_date)), dateParts(Date.parse(end_date) + DAY_MS)];
  if (first.day !== 1 || last.day !== 1) return `${start_date} to ${end_date}`;
  if (first.month === 1 && last.month === 1 && last.year === first.year + 1)
    return `the calendar year ${first.year}`;
  const [from, to] = [start_date, end_date].map((date) => monthText(Date.parse(date)));
  return from === to ? `the month ${from}` : `the months ${from} to ${to}`;
}

function monthText(ms: number): string {
  return new Date(ms).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

async function toSample({ key, unitId, period, ...rest }: RawPoint, nameOf: NameOf): Promise<SamplePoint> {
  return {
    metric: await nameOf('metrics', key.metric_id),
    item: await nameOf('items', key.item_id),
    region: await nameOf('regions', key.region_id),
    ...period,
    unit: await nameOf('units', unitId),
    ...rest,
  };
}
