import type { Table } from 'apache-arrow';
import { ArgumentError } from '../../model/errors.js';
import type { TableColumn } from '../table/build-table.js';
import { concatColumns } from './concat-columns.js';
import { type JoinedDates, joinSides, renameTaken, scatter } from './join-sides.js';
import { type JoinedColumn, type JoinedSide, type JoinOn, readSide } from './joined-side.js';
import { type Places, splitPlaces } from './split-places.js';

interface PlacedTable {
  table: Table;
  /** The column of dates. */
  date: string;
  /** The column of places. */
  by: string;
}

interface JoinByOptions extends JoinedDates {
  on: JoinOn;
  suffix: string | undefined;
}

/** The sides of all places, and an empty column of each name that any of them has. */
interface PlacedSides {
  places: Places;
  sides: ReadonlyMap<string, JoinedSide>;
  columns: ReadonlyMap<string, JoinedColumn>;
}

/**
 * The columns of two tables joined place by place: `end_date`, the place, then those of the first and of the second.
 * @throws ArgumentError when the tables have no place in common, unless all rows are kept, and what `join` throws
 */
export function joinBy(
  { left, right }: { left: PlacedTable; right: PlacedTable },
  options: JoinByOptions,
): TableColumn[] {
  const first = readPlaces(left, 'left', options);
  const others = readPlaces(right, 'right', options);
  const taken = new Set(['end_date', left.by, ...first.columns.keys()]);
  const second = mapSides(others, (side) => renameTaken(side, taken, options.suffix));
  const places = keptPlaces(first, second, { left, right, how: options.how });
  const parts = places.map((place) => {
    const columns = joinSides(sideOf(first, place), sideOf(second, place), options);
    return new Map(columns.map((each) => [each.name, each.column]));
  });
  const lengths = parts.map((part) => part.get('end_date')!.values.length);
  const stack = ({ name, metadata }: Pick<TableColumn, 'name' | 'metadata'>): TableColumn => ({
    name,
    column: concatColumns(
      name,
      parts.map((part, at) => ({ column: part.get(name)!, runs: [{ from: 0, to: lengths[at]! }] })),
    ),
    metadata,
  });
  const byPlace = first.places.column(
    places.flatMap((place, at) => new Array<string>(lengths[at]!).fill(place)),
  );
  return [
    stack({ name: 'end_date' }),
    { name: left.by, column: byPlace },
    ...[...first.columns.values(), ...second.columns.values()].map(stack),
  ];
}

function readPlaces(
  { table, date, by }: PlacedTable,
  side: 'left' | 'right',
  { on }: JoinByOptions,
): PlacedSides {
  const places = splitPlaces(table, { side, by });
  const sides = new Map(
    [...places.tables].map(([place, table]) => [place, readSide(table, { side, on, date, place })]),
  );
  return mapSides({ places, sides }, ({ dates, columns }) => ({ dates, columns: columns.map(ofNoSeries) }));
}

/** A column of several places is no series: its metadata has names, but no ids. */
function ofNoSeries(column: JoinedColumn): JoinedColumn {
  const names = [...(column.metadata ?? [])].filter(
    ([key]) => !key.endsWith('_id') && !key.includes('region'),
  );
  return { ...column, metadata: new Map(names) };
}

function mapSides(
  { places, sides }: Pick<PlacedSides, 'places' | 'sides'>,
  change: (side: JoinedSide) => JoinedSide,
): PlacedSides {
  const changed = new Map([...sides].map(([place, side]) => [place, change(side)]));
  const columns = new Map<string, JoinedColumn>();
  for (const side of changed.values()) {
    for (const each of side.columns) {
      if (!columns.has(each.name)) columns.set(each.name, { ...each, column: nulls(each, 0), starts: null });
    }
  }
  return { places, sides: changed, columns };
}

function nulls(column: JoinedColumn, rows: number): JoinedColumn['column'] {
  return scatter(column, new Int32Array(rows).fill(-1));
}

/** The side of a place with all columns; without rows where there is none. */
function sideOf({ sides, columns }: PlacedSides, place: string): JoinedSide {
  const { dates, columns: own } = sides.get(place) ?? { dates: new Float64Array(), columns: [] };
  const byName = new Map(own.map((each) => [each.name, each]));
  const all = [...columns.values()].map(
    (empty) => byName.get(empty.name) ?? { ...empty, column: nulls(empty, dates.length) },
  );
  return { dates, columns: all };
}

function keptPlaces(
  first: PlacedSides,
  second: PlacedSides,
  { left, right, how }: { left: PlacedTable; right: PlacedTable; how: JoinedDates['how'] },
): string[] {
  const [inLeft, inRight] = [[...first.sides.keys()], [...second.sides.keys()]];
  if (how === 'outer') return [...new Set([...inLeft, ...inRight])];
  const shared = inLeft.filter((place) => second.sides.has(place));
  if (shared.length > 0 || inLeft.length === 0 || inRight.length === 0)
    return how === 'left' ? inLeft : shared;
  throw new ArgumentError(
    'by',
    `by: no "${left.by}" of the left, such as ${JSON.stringify(inLeft[0])}, is a "${right.by}" of the right, such as ${JSON.stringify(inRight[0])}; write them alike in both`,
  );
}
