import {
  type Data,
  type Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  type RecordBatch,
  type Schema,
  Utf8,
} from 'apache-arrow';
import { emptyBitmap } from '../../columns/bitmap.js';
import { type PointSet, unitsOf, unpackRows, type ValueColumns } from '../../columns/packed-points.js';
import { availableRows, NO_UNIT_ID, type PointSeries, unitRows } from '../../columns/point-columns.js';
import type { EntityNames } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import type { Provenance } from '../../model/provenance.js';
import type { RetrievalReport } from '../../model/report.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';
import { Frame, type LongFrame } from '../frame.js';
import { createRecordBatch, fixedData, UTC, utf8Data } from '../table/frame-table.js';
import type { FrameStream } from '../table/frame-types.js';
import { type EncodedNames, encodeNames, NAME_COLUMNS } from '../table/names.js';
import { frameSchema } from '../table/provenance.js';
import { type PointRun, planRuns } from './plan-runs.js';

export interface LongFrameOptions {
  /** The entity names. If set, a dictionary-encoded column of names is added for every id column. */
  names?: EntityNames | undefined;
  /** Whether to sort the rows by series id, then by `start_date`, and to put the id columns first. */
  index_by_series?: boolean | undefined;
  show_available_date?: boolean | undefined;
  show_metadata?: boolean | undefined;
  provenance?: Provenance | undefined;
}

/**
 * Builds a long frame with one row for each distinct point. Rows are ordered by series (in saved order or by id), then
 * by start date. Dates are UTC milliseconds.
 */
export function longFrame(points: PointSet, options: LongFrameOptions = {}): LongFrame {
  const { series } = points;
  const runs = planRuns(series, points.runs, options.index_by_series ? 'index' : 'saved');
  const layout = planLong(series, {
    ...options,
    unitIds: options.names === undefined ? [] : unitsOf(points.runs),
  });
  return new Frame(layout.schema, [longBatch(layout, runs)]);
}

interface LongLayout {
  schema: Schema;
  series: readonly PointSeries[];
  dictionaries: ReadonlyMap<string, EncodedNames>;
}

function planLong(
  series: readonly PointSeries[],
  options: LongFrameOptions & { unitIds: Iterable<number> },
): LongLayout {
  const { names } = options;
  const ids = SERIES_KEY_FIELDS.map((id) => new Field(id, new Int32(), false));
  const point = [
    new Field('start_date', UTC, false),
    new Field('end_date', UTC, false),
    new Field('value', new Float64(), true),
    new Field('unit_id', new Int32(), true),
    new Field('reporting_date', UTC, true),
  ];
  const fields: Field[] = options.index_by_series ? [...ids, ...point] : [...point, ...ids];
  if (options.show_available_date) fields.push(new Field('available_date', UTC, true));
  if (options.show_metadata) fields.push(new Field('metadata', new Utf8(), true));
  const dictionaries = new Map<string, EncodedNames>();
  if (names !== undefined) {
    for (const { column, names: kind, id } of NAME_COLUMNS) {
      const seriesIds = series.map((key) => key[id]);
      dictionaries.set(column, encodeNames(names[kind], seriesIds));
    }
    dictionaries.set('unit_name', encodeNames(names.units, options.unitIds));
  }
  for (const [column, { type }] of dictionaries) fields.push(new Field(column, type, column === 'unit_name'));
  return { schema: frameSchema(fields, options.provenance), series, dictionaries };
}

function longBatch({ schema, series, dictionaries }: LongLayout, runs: readonly PointRun[]): RecordBatch {
  const columns = unpackRows(runs);
  const perSeries = (valueAt: (position: number) => number) => fillRuns(columns.length, runs, valueAt);
  const ids = new Set<string>(SERIES_KEY_FIELDS);
  const children = schema.fields.map(({ name }) => {
    if (ids.has(name)) {
      const values = perSeries((position) => series[position]![name as keyof SeriesKey]);
      return fixedData(new Int32(), values);
    }
    const dictionary = dictionaries.get(name);
    if (dictionary === undefined) return POINT_DATA[name]!(columns);
    const named = NAME_COLUMNS.find(({ column }) => column === name);
    if (named === undefined)
      return dictionaryData(
        dictionary,
        unitCodes(columns.unit_id, dictionary),
        unitRows(columns.unit_id, columns.length),
      );
    return dictionaryData(
      dictionary,
      perSeries((position) => codeOf(dictionary, series[position]![named.id], named.id)),
    );
  });
  return createRecordBatch(schema, children, columns.length);
}

const POINT_DATA: Record<string, (columns: ValueColumns) => Data> = {
  start_date: ({ start_date }) => fixedData(UTC, start_date),
  end_date: ({ end_date }) => fixedData(UTC, end_date),
  value: ({ value, value_valid }) => fixedData(new Float64(), value, value_valid),
  unit_id: ({ unit_id, length }) => fixedData(new Int32(), unit_id, unitRows(unit_id, length)),
  reporting_date: ({ reporting_date, reporting_valid }) => fixedData(UTC, reporting_date, reporting_valid),
  available_date: ({ available_date, length }) =>
    available_date
      ? fixedData(UTC, available_date, availableRows(available_date, length))
      : fixedData(UTC, new BigInt64Array(length), emptyBitmap(length)),
  metadata: ({ metadata, length }) => utf8Data(metadata ?? new Array<null>(length).fill(null)),
};

function dictionaryData(
  { type, values }: EncodedNames,
  codes: Int32Array,
  nullBitmap: Uint8Array | null = null,
): Data<Dictionary<Utf8, Int32>> {
  return makeData({ type, length: codes.length, data: codes, dictionary: values, nullBitmap });
}

function fillRuns(
  length: number,
  runs: readonly PointRun[],
  valueAt: (position: number) => number,
): Int32Array {
  const filled = new Int32Array(length);
  let at = 0;
  for (const { series, from, to } of runs) {
    const value = valueAt(series);
    // Zeros are not written, so that the operating system need not allocate memory pages for them.
    if (value !== 0) filled.fill(value, at, at + to - from);
    at += to - from;
  }
  return filled;
}

function unitCodes(unitIds: Int32Array, names: EncodedNames): Int32Array {
  const places = new Int32Array(unitIds.length);
  let unit = Number.NaN;
  let place = 0;
  for (let i = 0; i < unitIds.length; i++) {
    if (unitIds[i] !== unit) {
      unit = unitIds[i]!;
      place = unit === NO_UNIT_ID ? 0 : codeOf(names, unit, 'unit_id');
    }
    places[i] = place;
  }
  return places;
}

/** Returns the code of an id. @throws ArgumentError if the id was not listed when the stream was opened */
function codeOf({ codes }: EncodedNames, id: number, field: string): number {
  const code = codes.get(id);
  if (code !== undefined) return code;
  throw badArgument(
    field === 'unit_id' ? 'names' : 'series',
    `${field} ${id} is not listed; list every series and unit that may arrive`,
  );
}

export interface LongStreamOptions extends Omit<LongFrameOptions, 'index_by_series'> {
  /** All series whose points may occur in the stream. */
  series: readonly PointSeries[];
  /** Returns the retrieval report. This function is called after the last point set. */
  report?: (() => RetrievalReport) | undefined;
}

/**
 * Streams a long frame. Each point set is turned into a record batch when it arrives and is then released, so the
 * largest set determines peak memory use. All points of a series must be in the same set.
 * @throws ArgumentError during streaming if a series is missing from `series` or a unit from `names`
 */
export function streamLong(sets: AsyncIterable<PointSet>, options: LongStreamOptions): FrameStream {
  const layout = planLong(options.series, { ...options, unitIds: options.names?.units.keys() ?? [] });
  const { provenance, report } = options;
  return {
    schema: layout.schema,
    batches: longBatches(sets, layout),
    ...(provenance && report && { lastProvenance: () => ({ ...provenance, report: report() }) }),
  };
}

async function* longBatches(sets: AsyncIterable<PointSet>, layout: LongLayout): AsyncGenerator<RecordBatch> {
  let isEmpty = true;
  for await (const { series, runs } of sets) {
    const planned = planRuns(series, runs);
    if (planned.length === 0) continue;
    yield longBatch({ ...layout, series }, planned);
    isEmpty = false;
  }
  if (isEmpty) yield longBatch(layout, []);
}
