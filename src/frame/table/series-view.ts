import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { NO_UNIT_ID } from '../../columns/point-columns.js';
import type { RowRun } from '../../columns/row-runs.js';
import { badArgument } from '../../model/errors.js';
import type { Provenance } from '../../model/provenance.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { checkTable } from './check-table.js';
import { readColumn, textAt } from './columns.js';
import { NAME_COLUMNS, type NamedSeries, REQUIRED_COLUMNS } from './names.js';
import type { SeriesNames } from './short-labels.js';

/**
 * The shape of a table: `long` (one row for each point), `wide` (one column for each series, and possibly other
 * columns), or `other` (not a frame of series).
 */
export type FrameShape = 'long' | 'wide' | 'other';

/** The columns of a long frame that contain no nulls, except in rows for which a join found no match. */
const NEVER_NULL = ['start_date', ...SERIES_KEY_FIELDS];

function hasNulls(table: Table, name: string): boolean {
  return table.getChild(name)!.nullCount > 0;
}

export function frameShape(table: Table): FrameShape {
  checkTable(table, 'table');
  const { schema } = table;
  const names = new Set(schema.fields.map((field) => field.name));
  const lacksDates = names.has('end_date') && hasNulls(table, 'end_date');
  if (!names.has('end_date') || lacksDates) return 'other';
  if (REQUIRED_COLUMNS.every((name) => names.has(name)))
    return NEVER_NULL.some((name) => hasNulls(table, name)) ? 'other' : 'long';
  const others = schema.fields.filter(({ name }) => name !== 'end_date');
  const hasSeries = others.length === 0 || others.some(({ metadata }) => metadata.has('metric_id'));
  return hasSeries ? 'wide' : 'other';
}

export function seriesShape(table: Table): 'long' | 'wide' {
  const shape = frameShape(table);
  if (shape !== 'other') return shape;
  refuseMissingColumns(table);
  throw badArgument(
    'table',
    'the table is neither a long nor a wide frame; pass a frame with end_date and series',
  );
}

// Columns may have been removed, for example by `select`.
export function refuseMissingColumns(table: Table): void {
  if (frameShape(table) !== 'other') return;
  const names = new Set(table.schema.fields.map(({ name }) => name));
  const missing = REQUIRED_COLUMNS.filter((name) => !names.has(name));
  if (!names.has('value') || missing.length === 0) return;
  throw badArgument('table', `the frame has no ${missing.join(', ')}; a long frame must keep these columns`);
}

/** A series of a frame in one unit, with its rows and the name of its value column. */
export interface SeriesView extends NamedSeries {
  /** The rows of the series, as ranges of consecutive rows. */
  runs: RowRun[];
}

/** Reads the unit id from each row of a long frame. Nulls become `NO_UNIT_ID`. */
export function readUnitIds(table: Table): Int32Array {
  const { values, valid } = readColumn(table, 'unit_id', 'int32');
  return valid === null ? values : values.map((unit, row) => (isValid(valid, row) ? unit : NO_UNIT_ID));
}

/** Lists the series of a frame in order of first appearance. Returns an empty list for tables of other shapes. */
export function frameSeries(table: Table): SeriesView[] {
  const shape = frameShape(table);
  if (shape === 'long') return longSeries(table);
  return shape === 'wide' ? wideSeries(table) : [];
}

function wideSeries(table: Table): SeriesView[] {
  const columns = table.schema.fields.filter(({ metadata }) => metadata.has('metric_id'));
  return columns.map(({ name, metadata }) => ({
    key: keyFrom((id) => Number(metadata.get(id) ?? 0)),
    unit_id: metadata.has('unit_id') ? Number(metadata.get('unit_id')) : null,
    column: name,
    runs: [{ from: 0, to: table.numRows }],
    names: metadata,
  }));
}

function keyFrom(idOf: (field: keyof SeriesKey) => number): SeriesKey {
  return Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, idOf(field)])) as unknown as SeriesKey;
}

function longSeries(table: Table): SeriesView[] {
  const ids = [
    ...SERIES_KEY_FIELDS.map((name) => readColumn(table, name).values as Int32Array),
    readUnitIds(table),
  ];
  const named = [...NAME_COLUMNS.map(({ column }) => column), 'unit_name']
    .filter((name) => table.schema.fields.some((field) => field.name === name))
    .map((name) => ({ name, column: readColumn(table, name) }));
  const series = new Map<string, SeriesView>();
  for (let from = 0, to = 0; from < table.numRows; from = to) {
    to = endOfRun(ids, from, table.numRows);
    const row = from;
    const text = ids.map((column) => column[row]).join('-');
    const known = series.get(text);
    if (known !== undefined) {
      known.runs.push({ from, to });
      continue;
    }
    series.set(text, {
      key: keyFrom((field) => ids[SERIES_KEY_FIELDS.indexOf(field)]![row]!),
      unit_id: ids.at(-1)![row] === NO_UNIT_ID ? null : ids.at(-1)![row]!,
      column: 'value',
      runs: [{ from, to }],
      names: new Map(
        named.flatMap(({ name, column }) => {
          const text = textAt(column, row);
          return text === null ? [] : [[name, text]];
        }),
      ),
    });
  }
  return [...series.values()];
}

function endOfRun(ids: readonly Int32Array[], from: number, rows: number): number {
  let to = from + 1;
  while (to < rows && isSameSeries(ids, from, to)) to++;
  return to;
}

function isSameSeries(ids: readonly Int32Array[], a: number, b: number): boolean {
  for (const column of ids) if (column[a] !== column[b]) return false;
  return true;
}

/** Returns the abbreviation of a series' unit or, if it has none, its name or id. Returns '' if there is no unit. */
export function unitOf({ unit_id, names }: SeriesView, provenance: Provenance | null = null): string {
  if (unit_id === null) return '';
  const known = provenance?.units.find(({ id }) => id === unit_id)?.abbreviation;
  const name = known ?? names.get('unit_abbreviation') ?? names.get('unit_name') ?? String(unit_id);
  return name === String(unit_id) ? `unit ${unit_id}` : name;
}

/** Returns a name for a series in messages: the column name in a wide frame, or else the series' names or ids. */
export function seriesName({ column, key, names }: SeriesView): string {
  if (column !== 'value') return `"${column}"`;
  const parts = ['metric_name', 'item_name', 'region_name'].flatMap((name) => names.get(name) ?? []);
  return parts.join(', ') || `series ${seriesKeyText(key)}`;
}

/**
 * Returns the names of a series' metric, item, region and other entities. If a name is missing, it is replaced by the id,
 * as in `region 12`. The name of the partner region is empty if the partner is the world.
 */
export function seriesNames({ key, names }: Pick<SeriesView, 'key' | 'names'>): SeriesNames {
  return NAME_COLUMNS.map(({ column, id }) =>
    id === 'partner_region_id' && key[id] === 0
      ? ''
      : (names.get(column) ?? `${id.replace('_id', '')} ${key[id]}`),
  ) as unknown as SeriesNames;
}
