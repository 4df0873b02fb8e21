import { type Table, Vector } from 'apache-arrow';
import { rowsWhere } from '../../columns/row-runs.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { SERIES_KEY_FIELDS, seriesKeyText } from '../../model/series.js';
import { formatDay } from '../../model/time.js';
import { groupRows } from '../groups/group-rows.js';
import { buildWide } from '../series/build-frame.js';
import { readSeries, refusePlainColumns, type SeriesPoints } from '../series/series-points.js';
import { buildTable, columnData, type TableColumn, tableColumns, takeColumns } from '../table/build-table.js';
import {
  type AnyColumn,
  anyColumn,
  asOther,
  columnKind,
  type FrameColumn,
  isKnown,
  numberAt,
  otherColumn,
  readColumn,
  refuseRepeatedNames,
} from '../table/columns.js';
import { mergedMetadata } from '../table/provenance.js';
import { frameSeries, frameShape, type SeriesView, seriesName } from '../table/series-view.js';
import { oneChunk, takeColumn } from '../table/take-rows.js';

export function concat(tables: readonly Table[]): Table {
  if (!Array.isArray(tables) || tables.length === 0) {
    throw badArgument('tables', 'the argument is not a list of frames; pass a list with at least one frame');
  }
  const shapes = new Set(tables.map(frameShape));
  tables.forEach(refuseRepeatedNames);
  if (shapes.size > 1) {
    const found = [...shapes].map((shape) => (shape === 'other' ? 'without series' : shape));
    throw badArgument(
      'tables',
      `some frames are ${found.join(' and some are ')}; pass frames with the same shape`,
    );
  }
  const metadata = mergedMetadata(tables, 'concat()');
  if (shapes.has('wide')) return concatWide(tables, metadata);
  return shapes.has('long') ? concatLong(tables, metadata) : concatPlain(tables, metadata);
}

function concatWide(tables: readonly Table[], metadata: Map<string, string>): Table {
  const series = new Map<string, SeriesPoints>();
  for (const table of tables) {
    refusePlainColumns(table, 'concat');
    for (const points of readSeries(table)) {
      const known = series.get(unitSeriesText(points.view));
      series.set(unitSeriesText(points.view), known === undefined ? points : mergePoints(known, points));
    }
  }
  return buildWide([...series.values()], metadata);
}

function unitSeriesText({ key, unit_id }: SeriesView): string {
  return `${seriesKeyText(key)} ${unit_id}`;
}

/** Merges the points of two frames in ascending order of end date. A value takes precedence over a null. */
function mergePoints(first: SeriesPoints, second: SeriesPoints): SeriesPoints {
  const byEnd = new Map<number, { start: number; value: number }>();
  for (const { start, end, value, view } of [first, second]) {
    end.forEach((date, i) => {
      const known = byEnd.get(date)?.value ?? Number.NaN;
      if (!Number.isNaN(known) && !Number.isNaN(value[i]) && known !== value[i]) {
        throw differentValues(view, date, [known, value[i]!]);
      }
      if (Number.isNaN(known)) byEnd.set(date, { start: start[i]!, value: value[i]! });
    });
  }
  const end = Float64Array.from(byEnd.keys()).sort();
  const points = Array.from(end, (date) => byEnd.get(date)!);
  return {
    view: first.view,
    rows: Int32Array.from(points.keys()),
    start: Float64Array.from(points, ({ start }) => start),
    end,
    value: Float64Array.from(points, ({ value }) => value),
  };
}

function differentValues(view: SeriesView, end: number, values: readonly number[]): ArgumentError {
  return badArgument(
    'tables',
    `${seriesName(view)} has the values ${values.join(' and ')} for the period that ends on ${formatDay(end)}; remove one of them with filter or selectSeries`,
  );
}

function concatPlain(tables: readonly Table[], metadata: Map<string, string>): Table {
  checkSameColumns(tables);
  const columns = tables[0]!.schema.fields.map(({ name, metadata }): TableColumn => {
    const vectors = tables.map((table) => table.getChild(name)!);
    return { name, column: otherColumn(oneChunk(concatVectors(name, vectors, 'tables'))), metadata };
  });
  return buildTable(columns, metadata);
}

/** Concatenates columns. A column that contains only nulls takes its type from the others. */
function concatVectors(name: string, vectors: readonly Vector[], argument: string): Vector {
  const isEmpty = ({ nullCount, length }: Vector) => nullCount === length;
  const kinds = new Set(vectors.map(({ type }) => columnKind(type)));
  // String columns and string dictionaries can be concatenated even if their Arrow types differ.
  const isText = kinds.size === 1 && (kinds.has('utf8') || kinds.has('dictionary'));
  if (isText && new Set(vectors.map(({ type }) => String(type))).size > 1)
    return new Vector(vectors.map((vector) => columnData(anyColumn(vector))));
  const filled = vectors.find((vector) => !isEmpty(vector)) ?? vectors[0]!;
  const alike = vectors.map((vector) => {
    if (String(vector.type) === String(filled.type)) return vector;
    if (isEmpty(vector)) return takeColumn(asOther(filled), new Int32Array(vector.length).fill(-1)).values;
    throw badArgument(
      argument,
      `column "${name}" would contain both ${filled.type} and ${vector.type}; convert one of them to the other type`,
    );
  });
  return new Vector(alike.flatMap(({ data }) => data));
}

function concatLong(tables: readonly Table[], metadata: Map<string, string>): Table {
  // Unweighted values have no `weight_present`, so this column is kept only if all tables have it.
  const isWeighted = tables.every((table) => table.getChild('weight_present') !== null);
  const isKept = ({ name }: TableColumn) => isWeighted || name !== 'weight_present';
  const all = concatPlain(
    tables.map((table) => buildTable(tableColumns(table).filter(isKept))),
    metadata,
  );
  return buildTable(takeColumns(tableColumns(all), pointRows(all, tables)), metadata);
}

function checkSameColumns(tables: readonly Table[]): void {
  const names = tables.map(({ schema }) => schema.fields.map(({ name }) => name));
  for (const at of names.keys())
    for (const [has, lacks] of [
      [0, at],
      [at, 0],
    ] as const) {
      const known = new Set(names[lacks]);
      const lacking = names[has]!.find((name) => !known.has(name));
      if (lacking === undefined) continue;
      const [first, second] = [`frame ${lacks + 1} has no column "${lacking}"`, `frame ${has + 1} does`];
      throw badArgument('tables', `${first}, but ${second}; request all frames with the same options`);
    }
}

const POINT_COLUMNS = [
  ...SERIES_KEY_FIELDS,
  ...['unit_id', 'start_date', 'end_date', 'reporting_date', 'available_date'],
];

/**
 * Returns the rows to keep. If several tables contain a point, its rows are taken from the first table in which the
 * point has a value. If the point has no value in any table, its rows are taken from the first table.
 */
function pointRows(all: Table, tables: readonly Table[]): Int32Array {
  const keys = POINT_COLUMNS.flatMap((name) => all.getChild(name) ?? []);
  const { groups, firsts } = groupRows(keys);
  const value = readColumn(all, 'value');
  const isKept = new Uint8Array(all.numRows);
  const earlier = new Int32Array(firsts.length).fill(-1);
  let from = 0;
  for (const { numRows } of tables) {
    const to = from + numRows;
    const isNew = (row: number) => {
      const before = earlier[groups[row]!]!;
      return before < 0 || (!isKnown(value, before) && isKnown(value, row));
    };
    for (let row = from; row < to; row++) {
      const before = earlier[groups[row]!]!;
      if (!isNew(row)) refuseOtherValue(all, value, [before, row]);
      else if (before >= 0) isKept[before] = 0;
      isKept[row] = Number(isNew(row));
    }
    for (let row = from; row < to; row++) if (isNew(row)) earlier[groups[row]!] = row;
    from = to;
  }
  return rowsWhere(all.numRows, (row) => isKept[row] === 1);
}

function refuseOtherValue(all: Table, value: FrameColumn, rows: readonly [number, number]): void {
  const [before, now] = rows.map((row) => numberAt(value, row));
  if (Number.isNaN(now) || now === before) return;
  const isOf = ({ runs }: SeriesView) => runs.some(({ from, to }) => from <= rows[1] && rows[1] < to);
  const end = numberAt(readColumn(all, 'end_date'), rows[1]);
  throw differentValues(frameSeries(all).find(isOf)!, end, [before!, now!]);
}

export function concatColumns(name: string, columns: readonly AnyColumn[], argument: string): AnyColumn {
  const vectors = columns.map((column) => new Vector([columnData(column)]));
  return anyColumn(concatVectors(name, vectors, argument));
}
