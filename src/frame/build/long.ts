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
import { type PointSet, unpackRows, type ValueColumns } from '../../columns/packed-points.js';
import { availableRows, NO_UNIT_ID, type PointSeries, unitRows } from '../../columns/point-columns.js';
import { checkFlag } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import type { EntityNames } from '../../model/entity.js';
import type { Provenance } from '../../model/provenance.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';
import { createFrame, createRecordBatch, fixedData, UTC, utf8Data } from '../table/frame-table.js';
import type { LongFrame } from '../table/frame-types.js';
import { type EncodedNames, encodeNames, NAME_COLUMNS } from '../table/names.js';
import { checkProvenance, frameSchema } from '../table/provenance.js';
import { checkNames, checkPoints } from './check-points.js';
import { type PointRun, planRuns } from './plan-runs.js';

/** Columns added to a long frame, and its order. */
export interface LongFrameOptions {
  /** Appends a dictionary column of names for every id column. */
  names?: EntityNames | undefined;
  /** Sorts by the ids of the series, then `start_date`, and puts those columns first. */
  index_by_series?: boolean | undefined;
  /** Appends `available_date`. */
  show_available_date?: boolean | undefined;
  /** Appends `metadata`, the source's remarks as JSON text. */
  show_metadata?: boolean | undefined;
  /** Stored in the schema metadata. */
  provenance?: Provenance | undefined;
}

/** The keys of `LongFrameOptions`. */
export const LONG_FRAME_KEYS: OptionKeys<LongFrameOptions> = {
  names: checkNames,
  index_by_series: checkFlag,
  show_available_date: checkFlag,
  show_metadata: checkFlag,
  provenance: checkProvenance,
};

/**
 * A long frame, one row for each point: start_date, end_date, value, unit_id, reporting_date, then the ids of the series.
 * Dates are UTC milliseconds; `value` and `reporting_date` are null where the source has none. Rows are in saved order
 * (or sorted by series, with `index_by_series`), then by start_date; no point occurs twice.
 */
export function longFrame(points: PointSet, options: LongFrameOptions = {}): LongFrame {
  checkPoints(points, 'points');
  checkOptions(options, LONG_FRAME_KEYS, 'longFrame');
  const { series } = points;
  const runs = planRuns(series, points.runs, options.index_by_series ? 'index' : 'saved');
  const layout = planLong(series, { ...options, unitIds: options.names === undefined ? [] : unitsOf(runs) });
  return createFrame(layout.schema, [longBatch(layout, runs)]);
}

/** The schema of a long frame and the dictionaries that its batches share. */
export interface LongLayout {
  schema: Schema;
  series: readonly PointSeries[];
  /** By the name of the column. */
  dictionaries: ReadonlyMap<string, EncodedNames>;
}

/** Plans the long frame of these series; `unitIds` are the units that its points may have. */
export function planLong(
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

/** Runs of points in frame order as a record batch of the planned frame; each is written in place. */
export function longBatch(
  { schema, series, dictionaries }: LongLayout,
  runs: readonly PointRun[],
): RecordBatch {
  const columns = unpackRows(runs);
  const perSeries = (valueAt: (position: number) => number) => fillRuns(columns.length, runs, valueAt);
  const ids = new Set<string>(SERIES_KEY_FIELDS);
  const children = schema.fields.map(({ name }) => {
    if (ids.has(name)) {
      const id = name as keyof SeriesKey;
      return fixedData(
        new Int32(),
        perSeries((position) => series[position]![id]),
      );
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
      perSeries((position) => dictionary.codes.get(series[position]![named.id])!),
    );
  });
  return createRecordBatch(schema, children, columns.length);
}

/** The data of each column of the points. */
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

/** One value a row, by the row's series. */
function fillRuns(
  length: number,
  runs: readonly PointRun[],
  valueAt: (position: number) => number,
): Int32Array {
  const filled = new Int32Array(length);
  let at = 0;
  for (const { series, from, to } of runs) {
    const value = valueAt(series);
    // Memory that stays zero is not touched.
    if (value !== 0) filled.fill(value, at, at + to - from);
    at += to - from;
  }
  return filled;
}

function unitCodes(unitIds: Int32Array, { codes }: EncodedNames): Int32Array {
  const places = new Int32Array(unitIds.length);
  let unit = Number.NaN;
  let place = 0;
  for (let i = 0; i < unitIds.length; i++) {
    if (unitIds[i] !== unit) {
      unit = unitIds[i]!;
      place = unit === NO_UNIT_ID ? 0 : codes.get(unit)!;
    }
    places[i] = place;
  }
  return places;
}

/** The units of points. */
export function unitsOf(runs: readonly PointRun[]): Set<number> {
  const ids = new Set<number>();
  for (const { points, from, to } of runs) {
    const { unit_id } = points;
    if (typeof unit_id === 'number') ids.add(unit_id);
    else
      for (let i = from; i < to; i++) if (i === from || unit_id[i] !== unit_id[i - 1]) ids.add(unit_id[i]!);
  }
  ids.delete(NO_UNIT_ID);
  return ids;
}
