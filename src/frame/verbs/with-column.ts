import type { Table } from 'apache-arrow';
import { type Check, checkFunction, checkString, checkText, needed } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { SELECTION_KEYS } from '../../model/arguments/selection-keys.js';
import { ArgumentError, shownValue } from '../../model/errors.js';
import { type Selection, selectionTest } from '../../model/selection.js';
import { floatColumn } from '../series/map-series.js';
import { buildTable, tableColumns } from '../table/build-table.js';
import { numberAt, readColumn, readColumns } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { frameSeries, frameShape } from '../table/series-view.js';
import { type ColumnUnit, checkUnits, evaluate, parseExpression } from './expression.js';

/** The values of one row by name; null where a column has none. */
export type RowValues = Readonly<Record<string, number | null>>;

/** What an expression may use. */
export interface WithColumnOptions {
  /**
   * Short names of columns for the expression: the name of a column, or in a wide frame a selection by ids that fits one
   * series. Columns whose own names are identifiers, such as `value`, need none.
   */
  columns?: Readonly<Record<string, string | Selection>> | undefined;
  /** The unit of the new values, as text for headings and metadata. */
  unit?: string | undefined;
}

const checkColumns: Check = (columns, argument) => {
  if (typeof columns !== 'object' || columns === null) {
    throw new ArgumentError(argument, `${argument}: ${shownValue(columns)} is not an object of names`);
  }
  for (const [name, column] of Object.entries(columns)) {
    if (/^[A-Za-z_$][\w$]*$/.test(name)) {
      if (typeof column !== 'string') checkOptions(column, SELECTION_KEYS, `columns.${name}`);
      continue;
    }
    throw new ArgumentError(
      argument,
      `${argument}: ${shownValue(name)} is not an identifier; use letters, digits and _`,
    );
  }
};

const WITH_COLUMN_KEYS: OptionKeys<WithColumnOptions> = {
  columns: checkColumns,
  unit: checkText,
};

/**
 * The frame with one more column of numbers, last, computed from others of the same row: by an expression such as
 * `(tmin + tmax) / 2`, or by a function of the row. An expression that uses a null is null; a function is given null and may
 * return it. A result that is not finite is null. Every column, the sources and the report are kept.
 * @param name the name of the new column
 * @throws ArgumentError when the frame has the name already, the expression cannot be read, it uses an unknown column, or
 * it adds or compares columns of different units
 */
export function withColumn(
  table: Table,
  name: string,
  expression: string | ((row: RowValues) => number | null),
  options: WithColumnOptions = {},
): Table {
  checkNewName(table, name);
  needed(typeof expression === 'function' ? checkFunction : checkString)(expression, 'expression');
  checkOptions(options, WITH_COLUMN_KEYS, 'withColumn');
  const names = namedColumns(table, options.columns ?? {});
  const values =
    typeof expression === 'function'
      ? computeRows(table, expression, names)
      : computeExpression(table, expression, names);
  const step = `withColumn(${JSON.stringify({ name, expression: String(expression), ...options })})`;
  const unit = options.unit === undefined ? [] : ([['unit_name', options.unit]] as const);
  const added = { name, column: floatColumn(values), metadata: new Map(unit) };
  return buildTable([...tableColumns(table), added], derivedMetadata(table, step));
}

function checkNewName(table: Table, name: string): void {
  needed(checkText)(name, 'name');
  if (!table.schema.fields.some((field) => field.name === name)) return;
  throw new ArgumentError('name', `name: the frame has a column "${name}" already; choose another name`);
}

/** The columns of numbers by the names that expressions use for them. */
function namedColumns(
  table: Table,
  columns: Readonly<Record<string, string | Selection>>,
): ReadonlyMap<string, string> {
  const numbers = readColumns(table).filter(
    ({ column }) => column.type === 'float64' || column.type === 'int32',
  );
  const known = new Set(numbers.map(({ field }) => field.name));
  const names = new Map([...known].map((name) => [name, name]));
  for (const [short, column] of Object.entries(columns)) {
    const full = typeof column === 'string' ? column : selectedColumn(table, short, column);
    if (!known.has(full)) {
      throw new ArgumentError(
        'columns',
        `columns: the frame has no column of numbers ${shownValue(full)} for ${short}; it has ${listNames(known)}`,
      );
    }
    names.set(short, full);
  }
  return names;
}

/** The names of some columns; a display shortens those of wide frames, `withShortNames` the names themselves. */
function listNames(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, 5).map((name) => `"${name}"`);
  return names.size === 0 ? 'none' : shown.join(', ') + (names.size > 5 ? ` and ${names.size - 5} more` : '');
}

function selectedColumn(table: Table, short: string, selection: Selection): string {
  if (frameShape(table) !== 'wide') {
    throw new ArgumentError(
      'columns',
      `columns: ${short} selects a series, and the frame is not wide; name a column`,
    );
  }
  const fitting = frameSeries(table).filter(selectionTest(selection));
  if (fitting.length === 1) return fitting[0]!.column;
  const listed = fitting.slice(0, 3).map(({ column }) => `"${column}"`);
  const found = fitting.length === 0 ? 'no series' : `${fitting.length} series, such as ${listed.join(', ')}`;
  throw new ArgumentError('columns', `columns: ${short} fits ${found}; give ids that fit one`);
}

function computeExpression(table: Table, text: string, names: ReadonlyMap<string, string>): Float64Array {
  const expression = parseExpression(text, [...names.keys()]);
  checkUnits(expression, (name) => unitOf(table, names.get(name)!));
  const columns = lazyColumns(table, names);
  return evaluate(expression, columns, table.numRows);
}

/** The unit of a series' column of a wide frame; null for other columns. */
function unitOf(table: Table, column: string): ColumnUnit | null {
  const metadata = table.schema.fields.find(({ name }) => name === column)?.metadata;
  const unit = metadata?.get('unit_id');
  if (unit === undefined) return null;
  return { unit_id: Number(unit), unit_name: metadata?.get('unit_name') ?? unit };
}

/** Reads only the columns that are asked for: a wide frame may have thousands. */
function lazyColumns(
  table: Table,
  names: ReadonlyMap<string, string>,
): Pick<ReadonlyMap<string, Float64Array>, 'get'> {
  const read = new Map<string, Float64Array>();
  return {
    get(name) {
      const values = read.get(name) ?? readNumbers(table, names.get(name)!);
      read.set(name, values);
      return values;
    },
  };
}

function readNumbers(table: Table, name: string): Float64Array {
  const column = readColumn(table, name);
  return Float64Array.from({ length: table.numRows }, (_, row) => numberAt(column, row));
}

function computeRows(
  table: Table,
  compute: (row: RowValues) => number | null,
  names: ReadonlyMap<string, string>,
): Float64Array {
  const columns = [...names].map(([name, column]) => ({ name, values: readNumbers(table, column) }));
  return Float64Array.from({ length: table.numRows }, (_, row) => {
    const cells: Record<string, number | null> = {};
    for (const { name, values } of columns) cells[name] = Number.isNaN(values[row]) ? null : values[row]!;
    const value = compute(cells);
    if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return Number.NaN;
    if (typeof value === 'number') return value;
    throw new ArgumentError(
      'expression',
      `expression: row ${row + 1} gave ${shownValue(value)}; return a number or null`,
    );
  });
}
