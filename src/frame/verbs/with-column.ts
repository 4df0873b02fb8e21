import type { Table } from 'apache-arrow';
import { type Check, checkFlag, checkFunction, checkText, needed } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { SELECTION_KEYS } from '../../model/arguments/selection-keys.js';
import { badArgument, shownValue } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { type Selection, selectionTest } from '../../model/selection.js';
import { buildTable, tableColumns } from '../table/build-table.js';
import { columnOfCells, type RowValue } from '../table/cell-column.js';
import { findColumn } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { computableOf } from '../table/row-reader.js';
import { frameSeries, frameShape } from '../table/series-view.js';

/** The values of one row by name. Annotate the row to have them checked: `({ farm }: { farm: string }) => …`. */
// biome-ignore lint/suspicious/noExplicitAny: the types of columns are known when the table is
export type RowValues = Readonly<Record<string, any>>;

/** The columns that the function of `withColumn` reads, and the unit of its result. */
export interface WithColumnOptions {
  /** Short names of columns for the function: the name of a column, or in a wide frame a selection by ids that fits one series. */
  columns?: Readonly<Record<string, string | Selection>> | undefined;
  /** The unit of the new values, as text for headings and metadata. */
  unit?: string | undefined;
  /** Whether the function gets null where a column has none; by default the result is null where it reads one. */
  pass_nulls?: boolean | undefined;
}

const checkColumns: Check<NonNullable<WithColumnOptions['columns']>> = (columns, argument) => {
  if (typeof columns !== 'object' || columns === null) {
    throw badArgument(argument, `${shownValue(columns)} is not an object of names`);
  }
  for (const [name, column] of Object.entries(columns))
    if (typeof column !== 'string') checkOptions(column, SELECTION_KEYS, `columns.${name}`);
};

const WITH_COLUMN_KEYS: OptionKeys<WithColumnOptions> = {
  columns: checkColumns,
  unit: checkText,
  pass_nulls: checkFlag,
};

/**
 * Adds a column at the end, computed from others of the same row, such as `({ tmin, tmax }) => (tmin + tmax) / 2`. The
 * function receives each row as `toRows` returns it, but with decimals as numbers; dates are strings. The result is null
 * if the function reads a null or returns a number that is not finite. Every column, the sources and the report are
 * kept.
 * @param name the name of the new column
 * @throws ArgumentError when the table already has the name, the function reads an unknown column, or it reads columns
 *   of different units and the result has no `unit`
 */
export function withColumn<Row extends object = RowValues>(
  table: Table,
  name: string,
  compute: (row: Row) => RowValue,
  options: WithColumnOptions = {},
): Table {
  checkNewName(table, name);
  needed(checkFunction)(compute, 'compute');
  checkOptions(options, WITH_COLUMN_KEYS, 'withColumn');
  const row = new ReadRow(table, options);
  const cells = Array.from({ length: table.numRows }, (_, at) => {
    try {
      return finite(compute(row.move(at) as Row), at);
    } catch (cause) {
      if (cause === READ_NULL) return null;
      if (cause instanceof TypeError && /BigInt/.test(cause.message))
        throw badArgument(
          'compute',
          `row ${at + 1}: ${cause.message}; 64-bit integers are bigint: use Number`,
          {
            cause,
          },
        );
      throw cause;
    }
  });
  if (options.unit === undefined) row.checkUnits();
  const column = columnOfCells(cells, { name, arrowType: undefined, argument: 'compute' });
  const step = `withColumn(${JSON.stringify({ name, compute: String(compute), ...options })})`;
  const unit = options.unit === undefined ? [] : ([['unit_name', options.unit]] as const);
  const added = { name, column, metadata: new Map(unit) };
  return buildTable([...tableColumns(table), added], derivedMetadata(table, step));
}

function finite(value: RowValue, at: number): RowValue {
  if (value === undefined)
    throw badArgument('compute', `row ${at + 1} gave undefined; return a value or null`);
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

function checkNewName(table: Table, name: string): void {
  needed(checkText)(name, 'name');
  if (!table.schema.fields.some((field) => field.name === name)) return;
  throw badArgument('name', `the frame has a column "${name}" already; choose another name`);
}

/** Ends a function that reads a null. */
const READ_NULL = Symbol('a null');

/** A row that knows which of its columns a function has read. */
class ReadRow {
  #at = 0;
  readonly #table: Table;
  readonly #read = new Map<string, string>();
  readonly #row: object;

  constructor(table: Table, { columns = {}, pass_nulls = false }: WithColumnOptions) {
    this.#table = table;
    const row = Object.create(null) as object;
    const define = (name: string, full: string) => {
      let cell: ((row: number) => unknown) | undefined;
      const get = () => {
        if (cell === undefined) {
          cell = computableOf(findColumn(table, full, 'columns'));
          this.#read.set(name, full);
        }
        const value = cell(this.#at);
        if (value === null && !pass_nulls) throw READ_NULL;
        return value;
      };
      Object.defineProperty(row, name, { enumerable: true, configurable: true, get });
    };
    for (const { name } of table.schema.fields) define(name, name);
    for (const [short, column] of Object.entries(columns)) {
      const full = typeof column === 'string' ? column : selectedColumn(table, short, column);
      findColumn(table, full, `columns.${short}`);
      define(short, full);
    }
    this.#row = new Proxy(row, {
      get(target, name) {
        if (name in target || typeof name === 'symbol') return Reflect.get(target, name);
        const nearest = nearestWord(name, Object.keys(target));
        const remedy = nearest === undefined ? '' : `; did you mean ${nearest}?`;
        throw badArgument('compute', `there is no column ${shownValue(name)}${remedy}`);
      },
    });
  }

  /** The row of this number. */
  move(at: number): object {
    this.#at = at;
    return this.#row;
  }

  /** @throws ArgumentError when columns of different units have been read */
  checkUnits(): void {
    const fields = new Map(this.#table.schema.fields.map((field) => [field.name, field.metadata]));
    const units = new Map<string, string>();
    for (const [name, full] of this.#read) {
      const unit = fields.get(full)?.get('unit_id');
      if (unit !== undefined && !units.has(unit))
        units.set(unit, `${name} in ${fields.get(full)?.get('unit_name') ?? unit}`);
    }
    if (units.size <= 1) return;
    throw badArgument(
      'unit',
      `the function reads ${[...units.values()].join(' and ')}; give the unit of the result, or request them in one unit`,
    );
  }
}

function selectedColumn(table: Table, short: string, selection: Selection): string {
  if (frameShape(table) !== 'wide') {
    throw badArgument('columns', `${short} selects a series, and the frame is not wide; name a column`);
  }
  const fitting = frameSeries(table).filter(selectionTest(selection));
  if (fitting.length === 1) return fitting[0]!.column;
  const listed = fitting.slice(0, 3).map(({ column }) => `"${column}"`);
  const found = fitting.length === 0 ? 'no series' : `${fitting.length} series, such as ${listed.join(', ')}`;
  throw badArgument('columns', `${short} fits ${found}; give ids that fit one`);
}
