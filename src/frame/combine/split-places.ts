import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import { shortLabels } from '../../model/names/short-labels.js';
import { seriesKeyText } from '../../model/series.js';
import { buildWide } from '../series/build-frame.js';
import { refusePlainColumns } from '../series/plain-columns.js';
import { readSeries, type SeriesPoints } from '../series/series-points.js';
import { takeRuns } from '../series/take-runs.js';
import { buildTable, tableColumns } from '../table/build-table.js';
import { type FrameColumn, readColumn } from '../table/columns.js';
import { LABELLED_NAMES, NAME_COLUMNS } from '../table/names.js';
import { encodeDictionary } from '../table/parse-column.js';
import { frameShape, type RowRun, type SeriesView } from '../table/series-view.js';

/** A table cut by the texts of a column. */
export interface Places {
  /** The rows of each place, without its column. */
  tables: ReadonlyMap<string, Table>;
  /** A column of places of the type that the table has. */
  column: (places: readonly string[]) => FrameColumn;
}

interface SplitOptions {
  /** For messages. */
  side: 'left' | 'right';
  by: string;
}

/**
 * A long frame or a table of one's own, cut by a column of places. The series of a long frame that differ by place alone get
 * one name, and each part is a wide frame.
 * @throws ArgumentError when there is no such column, a row has no place, or two regions of a frame have one name
 */
export function splitPlaces(table: Table, { side, by }: SplitOptions): Places {
  if (!table.schema.fields.some(({ name }) => name === by)) throw noColumn(table, { side, by });
  const { type } = readColumn(table, by);
  const column: Places['column'] = (places) =>
    type === 'int32' || type === 'float64'
      ? { type: 'float64', values: Float64Array.from(places, Number), valid: null }
      : encodeDictionary(places);
  const tables =
    frameShape(table) === 'long' ? splitSeries(table, { side, by }) : splitRows(table, { side, by });
  return { tables, column };
}

function noColumn(table: Table, { side, by }: SplitOptions): ArgumentError {
  const shape = frameShape(table);
  const names = table.schema.fields.map(({ name }) => name).slice(0, 12);
  const remedy =
    shape === 'wide'
      ? 'is wide, with a column for each series: give it long, without compress_format'
      : `has no column "${by}"${shape === 'long' ? '; retrieve it with include_names: true' : `; it has ${names.join(', ')}`}`;
  return new ArgumentError('by', `by: the ${side} table ${remedy}`);
}

function splitRows(table: Table, { side, by }: SplitOptions): Map<string, Table> {
  const runs = new Map<string, RowRun[]>();
  placesOf(readColumn(table, by)).forEach((place, row) => {
    if (place === null) {
      throw new ArgumentError(
        'by',
        `by: row ${row + 1} of "${by}" in the ${side} table is empty; filter it out`,
      );
    }
    const rows = runs.get(place) ?? [];
    runs.set(place, rows);
    if (rows.at(-1)?.to === row) rows.at(-1)!.to = row + 1;
    else rows.push({ from: row, to: row + 1 });
  });
  const columns = tableColumns(table).filter(({ name }) => name !== by);
  const take = (rows: readonly RowRun[]) =>
    buildTable(columns.map((each) => ({ ...each, column: takeRuns(each.column, rows) })));
  return new Map([...runs].map(([place, rows]) => [place, take(rows)]));
}

function placesOf(column: FrameColumn): (string | null)[] {
  return Array.from({ length: column.values.length }, (_, row) => {
    if (!isValid(column.valid, row)) return null;
    return column.type === 'dictionary'
      ? column.categories[column.values[row]!]!
      : String(column.values[row]);
  });
}

function splitSeries(table: Table, { side, by }: SplitOptions): Map<string, Table> {
  refusePlainColumns(table, 'join');
  if (by !== 'region_name' && by !== 'region_id') {
    throw new ArgumentError(
      'by',
      `by: the ${side} frame has series; join by region_name or region_id, not by "${by}"`,
    );
  }
  const series = readSeries(table);
  const placeOf = ({ key, names }: SeriesView) =>
    by === 'region_id' ? String(key.region_id) : names.get(by)!;
  const labels = labelsOf(series);
  const places = new Map<string, Map<string, SeriesPoints>>();
  for (const points of series) {
    const place = placeOf(points.view);
    const ofPlace = places.get(place) ?? new Map<string, SeriesPoints>();
    places.set(place, ofPlace);
    const text = textOf(points.view);
    if (ofPlace.has(text)) {
      throw new ArgumentError(
        'by',
        `by: two series of the ${side} frame have the ${by} "${place}"; choose region_id`,
      );
    }
    ofPlace.set(text, { ...points, view: { ...points.view, column: labels.get(text)! } });
  }
  return new Map([...places].map(([place, ofPlace]) => [place, buildWide([...ofPlace.values()], new Map())]));
}

/** What a series is beside its region. */
function textOf({ key, unit_id }: SeriesView): string {
  return `${seriesKeyText({ ...key, region_id: 0 })} ${unit_id}`;
}

/** The shortest names that tell the series apart beside their regions; metric and item of a single one. */
function labelsOf(series: readonly SeriesPoints[]): ReadonlyMap<string, string> {
  const views = new Map(series.map(({ view }) => [textOf(view), view]));
  const namesOf = (name: string) =>
    [...views.values()].map(({ key, unit_id, names }) => {
      const id = NAME_COLUMNS.find(({ column }) => column === name)?.id;
      return names.get(name) ?? String(id === undefined ? unit_id : key[id]);
    });
  const labels =
    views.size === 1
      ? [`${namesOf('metric_name')[0]} · ${namesOf('item_name')[0]}`]
      : shortLabels(LABELLED_NAMES.map(namesOf), views.size).map(({ label }) => label);
  return new Map([...views.keys()].map((text, at) => [text, labels[at]!]));
}
