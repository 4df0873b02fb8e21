import type { FrameColumn, LongFrame } from '../../browser.js';
import { SERIES_FIELDS, type SeriesId, seriesIdOf } from '../state/series-id.js';
import { isSet } from './is-set.js';

/** A series of a frame in one unit, by ascending period. */
export interface Line {
  readonly id: SeriesId;
  /** First day of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** Last day of each period, included. */
  readonly end: Float64Array;
  /** NaN where there is no value. */
  readonly value: Float64Array;
  /** Abbreviation of the unit; empty without one. */
  readonly unit: string;
  readonly names: LineNames;
}

/** The names of a series. */
export type LineNames = Readonly<Record<(typeof NAME_COLUMNS)[number], string>>;

/** The columns of the names of a series. */
export const NAME_COLUMNS = [
  'metric_name',
  'item_name',
  'region_name',
  'partner_region_name',
  'frequency_name',
  'source_name',
] as const;

type Columns = Readonly<Record<string, FrameColumn>>;

/** The series of a long frame with names, in the order in which they first appear. A series in two units is two lines. */
export async function readLines(table: LongFrame): Promise<Line[]> {
  const [{ toColumns }, { readProvenance }] = await Promise.all([
    import('../../browser.js'),
    import('../../frame.js'),
  ]);
  const units = new Map(readProvenance(table)?.units.map(({ id, abbreviation }) => [id, abbreviation]));
  return linesOf(toColumns(table), table.numRows, units);
}

type Abbreviations = ReadonlyMap<number, string>;

function linesOf(columns: Columns, rows: number, units: Abbreviations): Line[] {
  const ids = [...SERIES_FIELDS, 'unit_id'].map((name) => columns[name]!.values as Int32Array);
  const lines = new Map<string, number[]>();
  let last: { key: string; rows: number[] } | undefined;
  for (let row = 0; row < rows; row++) {
    const isSame = last !== undefined && ids.every((column) => column[row] === column[row - 1]);
    if (!isSame) {
      const key = ids.map((column) => column[row]).join();
      const known = lines.get(key) ?? [];
      lines.set(key, known);
      last = { key, rows: known };
    }
    last!.rows.push(row);
  }
  return [...lines.values()].map((own) => lineOf(columns, own, units));
}

function lineOf(columns: Columns, rows: readonly number[], units: Abbreviations): Line {
  const first = rows[0]!;
  const values = columns.value!.values as Float64Array;
  const { valid } = columns.value!;
  const times = (name: string) => {
    const column = columns[name]!.values as BigInt64Array;
    return Float64Array.from(rows, (row) => Number(column[row]));
  };
  return {
    id: seriesIdOf((field) => (columns[field]!.values as Int32Array)[first]!),
    start: times('start_date'),
    end: times('end_date'),
    value: Float64Array.from(rows, (row) => (isSet(valid, row) ? values[row]! : Number.NaN)),
    unit: unitAt(columns, first, units),
    names: Object.fromEntries(NAME_COLUMNS.map((name) => [name, textAt(columns[name], first)])) as LineNames,
  };
}

/** The abbreviation of a row's unit, or the nearest to it that the frame has; empty without a unit. */
function unitAt({ unit_id, unit_name }: Columns, row: number, units: Abbreviations): string {
  if (unit_id === undefined || !isSet(unit_id.valid, row)) return '';
  return units.get((unit_id.values as Int32Array)[row]!) ?? textAt(unit_name, row);
}

function textAt(column: FrameColumn | undefined, row: number): string {
  if (column?.type !== 'dictionary' || !isSet(column.valid, row)) return '';
  return column.categories[column.values[row]!] ?? '';
}
