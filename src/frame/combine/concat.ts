import { type Table, Vector } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { addRow, type RowRun, rowsOf } from '../../columns/row-runs.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import { formatDay } from '../../model/time.js';
import { buildWide } from '../series/build-frame.js';
import { readSeries, refusePlainColumns, type SeriesPoints } from '../series/series-points.js';
import { buildTable, columnData, type TableColumn } from '../table/build-table.js';
import {
  type AnyColumn,
  anyColumn,
  asOther,
  columnKind,
  type FrameColumn,
  otherColumn,
  readColumns,
  refuseRepeatedNames,
} from '../table/columns.js';
import { mergedMetadata } from '../table/provenance.js';
import { frameSeries, frameShape, type SeriesView, seriesName } from '../table/series-view.js';
import { oneChunk, takeColumn, takeRuns } from '../table/take-rows.js';

export function concat(tables: readonly Table[]): Table {
  if (!Array.isArray(tables) || tables.length === 0) {
    throw badArgument('tables', 'it is not a list of frames; give at least one');
  }
  const shapes = new Set(tables.map(frameShape));
  tables.forEach(refuseRepeatedNames);
  if (shapes.size > 1) {
    const found = [...shapes].map((shape) => (shape === 'other' ? 'without series' : shape));
    throw badArgument('tables', `some are ${found.join(' and some are ')}; give frames of one shape`);
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

/** Identifies a series in one unit. */
function unitSeriesText({ key, unit_id }: SeriesView): string {
  return `${seriesKeyText(key)} ${unit_id}`;
}

/** Merges two point sets by date, ascending. A value replaces a null. */
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
    `${seriesName(view)} has the values ${values.join(' and ')} for the period that ends on ${formatDay(end)}; drop one of them with filter or selectSeries`,
  );
}

/** Tables without series, one below the other. */
function concatPlain(tables: readonly Table[], metadata: Map<string, string>): Table {
  checkSameColumns(tables.map(({ schema }) => new Map(schema.fields.map((field) => [field.name, field]))));
  const columns = tables[0]!.schema.fields.map(({ name, metadata }): TableColumn => {
    const vector = concatVectors(
      name,
      tables.map((table) => table.getChild(name)!),
    );
    return { name, column: otherColumn(oneChunk(vector)), metadata };
  });
  return buildTable(columns, metadata);
}

/**
 * Concatenates columns. A column of nulls only takes the type of the others.
 * @throws ArgumentError when their types differ
 */
function concatVectors(name: string, vectors: readonly Vector[]): Vector {
  const isEmpty = ({ nullCount, length }: Vector) => nullCount === length;
  const kinds = new Set(vectors.map(({ type }) => columnKind(type)));
  // Texts in another layout, such as views or other codes, are the same texts.
  const isText = kinds.size === 1 && (kinds.has('utf8') || kinds.has('dictionary'));
  if (isText && new Set(vectors.map(({ type }) => String(type))).size > 1)
    return new Vector(vectors.map((vector) => columnData(anyColumn(vector))));
  const filled = vectors.find((vector) => !isEmpty(vector)) ?? vectors[0]!;
  const alike = vectors.map((vector) => {
    if (String(vector.type) === String(filled.type)) return vector;
    if (isEmpty(vector)) return takeColumn(asOther(filled), new Int32Array(vector.length).fill(-1)).values;
    throw badArgument('tables', `column "${name}" is ${filled.type} in one and ${vector.type} in another`);
  });
  return new Vector(alike.flatMap(({ data }) => data));
}

function concatLong(tables: readonly Table[], metadata: Map<string, string>): Table {
  const read = tables.map(
    (table) => new Map(readColumns(table).map((each) => [each.field.name, each.column])),
  );
  // A value of the source has no weight beside it.
  if (read.some((columns) => !columns.has('weight_present')))
    for (const columns of read) columns.delete('weight_present');
  checkSameColumns(read);
  const runs = newRows(tables, read);
  const columns = [...read[0]!.keys()].map((name): TableColumn => {
    const rows = read.map((columns, at) => takeRuns(columns.get(name)!, runs[at]!));
    return { name, column: concatColumns(name, rows) };
  });
  return buildTable(columns, metadata);
}

function checkSameColumns(tables: readonly ReadonlyMap<string, unknown>[]): void {
  for (const [at, columns] of tables.entries()) {
    for (const [a, b] of [
      [tables[0]!, columns],
      [columns, tables[0]!],
    ] as const) {
      const lacking = [...a.keys()].find((name) => !b.has(name));
      if (lacking === undefined) continue;
      throw badArgument(
        'tables',
        `frame ${(a === columns ? 0 : at) + 1} has no column "${lacking}", frame ${(a === columns ? at : 0) + 1} has; request all with the same options`,
      );
    }
  }
}

/** A value of a point, and where it is. */
interface PointValue {
  readonly value: number | null;
  /** The frame, and the row in it. */
  readonly at: number;
  readonly row: number;
}

/**
 * Selects the rows of each frame whose point no other frame has. Of a shared point it selects the first row with a
 * value, or the first null.
 */
function newRows(tables: readonly Table[], columns: readonly ReadonlyMap<string, AnyColumn>[]): RowRun[][] {
  const seen = new Map<string, { view: SeriesView; at: number }[]>();
  const replaced = tables.map(() => new Set<number>());
  const runs = tables.map((table, at) => {
    const runs: RowRun[] = [];
    for (const view of frameSeries(table)) {
      const text = unitSeriesText(view);
      const earlier = seen.get(text) ?? [];
      const values = valuesByPoint(earlier, columns);
      runs.push(...(values.size === 0 ? view.runs : newRuns(view, columns[at]!, { values, replaced })));
      seen.set(text, [...earlier, { view, at }]);
    }
    return runs.sort((a, b) => a.from - b.from);
  });
  return runs.map((kept, at) => {
    if (replaced[at]!.size === 0) return kept;
    const rows: RowRun[] = [];
    for (const row of rowsOf(kept)) if (!replaced[at]!.has(row)) addRow(rows, row);
    return rows;
  });
}

/** Maps each point of these series to its value. */
function valuesByPoint(
  earlier: readonly { view: SeriesView; at: number }[],
  columns: readonly ReadonlyMap<string, AnyColumn>[],
): Map<string, PointValue> {
  const values = new Map<string, PointValue>();
  for (const { view, at } of earlier)
    for (const row of rowsOf(view.runs)) {
      const [point, value] = [pointText(columns[at]!, row), valueAt(columns[at]!, row)];
      const known = values.get(point);
      if (known === undefined || (known.value === null && value !== null))
        values.set(point, { value, at, row });
    }
  return values;
}

/** Selects the rows whose points have no value yet. A value replaces the null of an earlier frame. */
function newRuns(
  view: SeriesView,
  columns: ReadonlyMap<string, AnyColumn>,
  { values, replaced }: { values: ReadonlyMap<string, PointValue>; replaced: readonly Set<number>[] },
): RowRun[] {
  const runs: RowRun[] = [];
  for (const row of rowsOf(view.runs)) {
    const value = valueAt(columns, row);
    const before = values.get(pointText(columns, row));
    if (before === undefined) addRow(runs, row);
    else if (value === null) continue;
    else if (before.value === null) {
      replaced[before.at]!.add(before.row);
      addRow(runs, row);
    } else if (before.value !== value) {
      const { values: ends } = columns.get('end_date') as FrameColumn;
      throw differentValues(view, Number(ends[row]), [before.value, value]);
    }
  }
  return runs;
}

const POINT_DATES = ['start_date', 'end_date', 'reporting_date', 'available_date'];

/** Encodes the columns that distinguish the points of a series as a string. */
function pointText(columns: ReadonlyMap<string, AnyColumn>, row: number): string {
  return POINT_DATES.map((name) => {
    const column = columns.get(name) as FrameColumn | undefined;
    return column !== undefined && isValid(column.valid, row) ? String(column.values[row]) : '';
  }).join(' ');
}

function valueAt(columns: ReadonlyMap<string, AnyColumn>, row: number): number | null {
  const { values, valid } = columns.get('value') as FrameColumn;
  return isValid(valid, row) ? (values[row] as number) : null;
}

/** Concatenates columns. @throws ArgumentError when their types differ */
export function concatColumns(name: string, columns: readonly AnyColumn[]): AnyColumn {
  const vectors = columns.map((column) => new Vector([columnData(column)]));
  return anyColumn(concatVectors(name, vectors));
}
