import type { Table } from 'apache-arrow';
import { distinctDates } from '../../columns/series-dates.js';
import { badArgument } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import { seriesKeyText } from '../../model/series.js';
import { dateColumn, valuesOn } from '../series/build-frame.js';
import { floatColumn } from '../series/map-series.js';
import { readSeries, type SeriesPoints } from '../series/series-points.js';
import { buildTable, type TableColumn } from '../table/build-table.js';
import { joinArrays, readColumn, textAt } from '../table/columns.js';
import { seriesMetadata, shortNames } from '../table/names.js';
import { encodeDictionary } from '../table/parse-column.js';
import { frameShape, type SeriesView } from '../table/series-view.js';

/** One side of a join and the name of its place column. */
export interface PlacedSide {
  /** For error messages. */
  side: 'left' | 'right';
  by: string | undefined;
}

/** @throws ArgumentError if the table has no place column */
export function checkPlaces(table: Table, { side, by }: PlacedSide): void {
  const names = table.schema.fields.map(({ name }) => name);
  if (names.includes(by!)) return;
  const shape = frameShape(table);
  const remedy =
    shape === 'wide'
      ? 'is wide, with a column for each series: give it long, without compress_format'
      : `has no column "${by}"${shape === 'long' ? '; retrieve it with include_names: true' : `; it has ${names.slice(0, 12).join(', ')}`}`;
  throw badArgument('by', `the ${side} table ${remedy}`);
}

/**
 * Groups the rows by place.
 * @throws ArgumentError if a row has no place
 */
export function rowsByPlace(table: Table, { side, by }: PlacedSide): ReadonlyMap<string, number[]> {
  const column = readColumn(table, by!);
  const rows = Array.from({ length: table.numRows }, (_, row) => row);
  return groupedBy(rows, (row) => {
    const place = textAt(column, row);
    if (place !== null) return place;
    throw badArgument('by', `row ${row + 1} of "${by}" in the ${side} table is empty; filter it out`);
  });
}

/**
 * Builds a frame with one row for each place and date, and one column for all series that differ only by place.
 * @throws ArgumentError if the place column is not `region_name` or `region_id`, or if two regions have the same name
 */
export function widenByPlace(table: Table, { side, by }: PlacedSide): Table {
  if (by !== 'region_name' && by !== 'region_id') {
    throw badArgument('by', `the ${side} frame has series; join by region_name or region_id, not by "${by}"`);
  }
  const series = readSeries(table);
  const placeOf = ({ view: { key, names } }: SeriesPoints) =>
    by === 'region_id' ? String(key.region_id) : names.get(by)!;
  const parts = [...groupedBy(series, placeOf)].map(([place, ofPlace]) => {
    const byText = new Map(ofPlace.map((points) => [textOf(points.view), points]));
    if (byText.size < ofPlace.length)
      throw badArgument('by', `two series of the ${side} frame have the ${by} "${place}"; choose region_id`);
    return { place, byText, dates: distinctDates(ofPlace.flatMap(({ end }) => [...end])) };
  });
  const views = new Map(series.map(({ view }) => [textOf(view), view]));
  const labels = shortNames([...views.values()], { regions: false });
  const columns = [...views].map(([text, view], at): TableColumn => {
    const values = parts.map(({ byText, dates }) => valuesOn(byText.get(text), dates));
    const column = floatColumn(joinArrays(values, Float64Array));
    return { name: labels[at]!, column, metadata: seriesMetadata(view) };
  });
  const dates = joinArrays(
    parts.map((part) => part.dates),
    Float64Array,
  );
  const places = parts.flatMap(({ place, dates }) => new Array<string>(dates.length).fill(place));
  return buildTable([
    { name: 'end_date', column: dateColumn(dates) },
    { name: by, column: encodeDictionary(places) },
    ...columns,
  ]);
}

/** Returns a key of a series that ignores its region. */
function textOf({ key, unit_id }: SeriesView): string {
  return `${seriesKeyText({ ...key, region_id: 0 })} ${unit_id}`;
}
