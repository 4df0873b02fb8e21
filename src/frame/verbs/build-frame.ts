import type { Table } from 'apache-arrow';
import { emptyBitmap } from '../../columns/bitmap.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import { buildTable, type TableColumn } from '../table/build-table.js';
import type { FrameColumn } from '../table/columns.js';
import type { WideFrame } from '../table/frame-types.js';
import { fieldMetadata, NAME_COLUMNS } from '../table/names.js';
import { encodeDictionary } from '../table/parse-column.js';
import { frameShape, type SeriesView } from '../table/series-view.js';
import { floatColumn } from './map-series.js';
import type { SeriesPoints } from './series-points.js';

type Metadata = ReadonlyMap<string, string>;

/** A frame of these series in the shape of `like`: long with the same columns, or wide. */
export function buildFrameLike(like: Table, series: readonly SeriesPoints[], metadata: Metadata): Table {
  return frameShape(like) === 'long' ? buildLong(like, series, metadata) : buildWide(series, metadata);
}

function buildLong(like: Table, series: readonly SeriesPoints[], metadata: Metadata): Table {
  const length = series.reduce((sum, { end }) => sum + end.length, 0);
  const numbers = (each: (points: SeriesPoints) => Float64Array) => {
    const joined = new Float64Array(length);
    let at = 0;
    for (const points of series) {
      joined.set(each(points), at);
      at += points.end.length;
    }
    return joined;
  };
  const ids = (each: (view: SeriesView) => number) => numbers(({ view, end }) => end.map(() => each(view)));
  const int32 = (values: Float64Array): FrameColumn => ({
    type: 'int32',
    values: Int32Array.from(values),
    valid: null,
  });
  const texts = (name: string) =>
    series.flatMap(({ view, end }) => Array.from(end, () => view.names.get(name) ?? ''));
  const built = new Map<string, () => FrameColumn>([
    ['start_date', () => dateColumn(numbers(({ start }) => start))],
    ['end_date', () => dateColumn(numbers(({ end }) => end))],
    ['value', () => floatColumn(numbers(({ value }) => value))],
    ['unit_id', () => int32(ids(({ unit_id }) => unit_id ?? 0))],
    [
      'reporting_date',
      () => ({ type: 'timestamp', values: new BigInt64Array(length), valid: emptyBitmap(length) }),
    ],
  ]);
  for (const id of SERIES_KEY_FIELDS) built.set(id, () => int32(ids(({ key }) => key[id])));
  for (const name of [...NAME_COLUMNS.map(({ column }) => column), 'unit_name']) {
    built.set(name, () => encodeDictionary(texts(name)));
  }
  const columns = like.schema.fields
    .filter(({ name }) => built.has(name))
    .map(({ name }): TableColumn => ({ name, column: built.get(name)!() }));
  return buildTable(columns, metadata);
}

/** A wide frame of these series with all their end dates. */
function buildWide(series: readonly SeriesPoints[], metadata: Metadata): WideFrame {
  const dates = [...new Set(series.flatMap(({ end }) => [...end]))].sort((a, b) => a - b);
  return buildWideOnDates(series, Float64Array.from(dates), metadata);
}

/** A wide frame of these series with these dates, ascending; values on other dates are dropped. */
export function buildWideOnDates(
  series: readonly SeriesPoints[],
  dates: Float64Array,
  metadata: Metadata,
): WideFrame {
  const rowOf = new Map(Array.from(dates, (date, row) => [date, row]));
  const taken = new Set(['end_date']);
  const columns = series.map(({ view, end, value }): TableColumn => {
    const values = new Float64Array(dates.length).fill(Number.NaN);
    end.forEach((date, i) => {
      const row = rowOf.get(date);
      if (row !== undefined) values[row] = value[i]!;
    });
    return { name: unusedName(view, taken), column: floatColumn(values), metadata: seriesMetadata(view) };
  });
  return buildTable([{ name: 'end_date', column: dateColumn(dates) }, ...columns], metadata);
}

function dateColumn(dates: Float64Array): FrameColumn {
  return { type: 'timestamp', values: BigInt64Array.from(dates, BigInt), valid: null };
}

function unusedName({ key, unit_id, names }: SeriesView, taken: Set<string>): string {
  const parts = NAME_COLUMNS.map(({ column, id }) => names.get(column) ?? String(key[id]));
  const unit = names.get('unit_name') ?? (unit_id === null ? [] : String(unit_id));
  let name = parts.concat(unit).join(' | ');
  if (taken.has(name))
    name += ` [${SERIES_KEY_FIELDS.map((field) => key[field]).join(' ')} ${unit_id ?? '-'}]`;
  while (taken.has(name)) name += '*';
  taken.add(name);
  return name;
}

/** The metadata of a series' field in a wide frame, from the names in its present frame; see `fieldMetadata`. */
export function seriesMetadata({ key, unit_id, names }: SeriesView): Metadata {
  return fieldMetadata(key, unit_id, ({ column }, id) => names.get(column) ?? String(id));
}
