import { IngestError } from '../../model/errors.js';
import { quoteLiteral } from '../../store/duckdb/engine/sql-values.js';
import { columnFinder, hasColumns, type TableLocation, tableError } from '../reading/columns.js';
import { matchesDateFormat, parseFormattedDate, parseLastDay } from '../reading/dates.js';
import {
  baseFields,
  columnNames,
  derivedFields,
  fieldNames,
  type Groups,
  groupNames,
  RowFields,
} from './fields.js';
import type { Form } from './parse-form.js';

interface NamedTable {
  readonly file: string;
  readonly header: readonly string[];
  readonly preamble: string;
  /** Fields that are the same in all rows. */
  readonly given: Groups;
  /** Additional fields that hooks read. */
  readonly wanted: readonly string[];
}

/** Finds the columns that the document reads, and lists the others. @throws IngestError if a column is missing */
export function matchColumns({ file, header, preamble, given, wanted: ofHooks }: NamedTable, form: Form) {
  const columns = readColumns(header, form);
  const names = columns.map(({ name }) => name);
  const where = { dataset: form.name ?? 'table', file };
  const find = columnFinder(names, where);
  const called = findCalled(columns, form);
  const columnOf = (name: string) => {
    if (called.columns.has(name)) return called.columns.get(name)!;
    // If the document includes the label in a column's name, the labels in the column's cells are kept as well.
    const labelled = columns.find(({ isLabelled, at }) => isLabelled && header[at] === name);
    if (labelled !== undefined) return { ...labelled, isLabelled: false };
    return columns.find((one) => ordinalName(one) === name) ?? columns[find(name)]!;
  };
  const derived = derivedFields(form);
  const texts = new Set([...names, ...called.columns.keys()]);
  const absent = Object.fromEntries(
    Object.entries(form.optional).filter(([name]) => !hasColumns([...texts], [name])),
  );
  const constants = { ...absent, ...given, ...called.groups, ...findConstants(form, { file, preamble }) };
  const patterns = [...form.values.map(({ columns }) => columns), form.legend];
  const ofPatterns = patterns.flatMap((pattern) => (pattern === undefined ? [] : groupNames(pattern)));
  const ofValues = [...ofPatterns, ...Object.keys(form.beside)];
  const wanted = [...new Set([...fieldsOf(form), ...ofHooks])]
    .flatMap((name) => baseFields(name, derived, texts))
    .filter((name) => !(name in constants || ofValues.includes(name)));
  const named = new Map(wanted.map((name) => [name, columnOf(form.clear[name]?.column ?? name)]));
  const cleared = new Map(
    Object.entries(form.clear).map(([name, { column, of = column, texts: is }]) => {
      const texts = is.map(quoteLiteral).join(', ');
      const [{ text: cleared }, { text: other }] = [columnOf(column), columnOf(of)];
      // The engine would execute `IN` with many strings as a join, which does not preserve row order.
      return [name, `CASE WHEN list_contains([${texts}], trim(${other})) THEN '' ELSE ${cleared} END`];
    }),
  );
  const values = valueColumns(columns, columnOf, { where, preamble, form, absent });
  if (values.length > MAX_VALUE_COLUMNS) {
    const found = values.length.toLocaleString('en-US');
    const what = `has ${found} value columns, but at most ${MAX_VALUE_COLUMNS} can be read; split the table, or put each value in a row of its own`;
    throw tableError(where, what);
  }
  const beside = values.map((value) => columnsBeside(value, columns, form));
  const groups = values.map((value, i) => ({ ...beside[i]!.absent, ...value.groups }));
  const conditions = Object.values(form.clear).map(({ column, of = column }) => columnOf(of));
  const besides = beside.flatMap((one) => [...one.found.values()]);
  const read = new Set([...named.values(), ...values, ...besides, ...conditions].map(({ text }) => text));
  const { other_columns } = form;
  const kinds = typeof other_columns === 'object' ? Object.entries(other_columns.kinds) : [];
  const isIgnored = (name: string) =>
    other_columns === 'ignore' || other_columns?.ignore?.test(name) === true;
  const notRead = columns.flatMap(({ name, text, repeats }, i) => {
    // If column names are dates, lines may end with a delimiter, which adds a column without a name.
    const isEnd = values.some(({ startMs }) => startMs !== null) && name === '' && !repeats;
    if (read.has(text) || isEnd || isIgnored(name)) return [];
    const kind = kinds.find(([, pattern]) => pattern.test(name))?.[0];
    const shown = kind ?? (form.fold ? header[i]! : name);
    return shown === '' ? ordinalName(columns[i]!)! : repeats ? `${shown} (column ${i + 1})` : shown;
  });
  const fields = new RowFields({
    columns: named,
    cleared,
    constants,
    groups,
    beside: beside.map((one) => one.found),
    derived,
  });
  return {
    fields,
    values: values.map((one) => ({ ...one, text: cleared.get(one.name) ?? one.text })),
    notRead,
    /** The positions of the columns that are read. */
    read: new Set(columns.flatMap(({ text, at }) => (read.has(text) ? at : []))),
  };
}

/** The maximum number of value columns. The engine creates two columns for each, and runs out of memory at 2,000. */
const MAX_VALUE_COLUMNS = 1500;

/** Finds the columns whose names match the patterns in `call`. The named groups of these patterns become fields. */
function findCalled(columns: readonly TableColumn[], { call }: Form) {
  const found = Object.entries(call).map(([name, pattern]) => {
    const column = columns.find((one) => pattern.test(one.name));
    const groups = pattern.exec(column?.name ?? '')?.groups;
    return { name, column, groups: groupNames(pattern).map((group) => [group, groups?.[group] ?? '']) };
  });
  return {
    columns: new Map(found.flatMap(({ name, column }) => (column === undefined ? [] : [[name, column]]))),
    groups: Object.fromEntries(found.flatMap(({ groups }) => groups)) as Groups,
  };
}

/** Finds fields in the columns directly after a value column, up to the first column whose name matches no pattern. */
function columnsBeside({ at }: TableColumn, columns: readonly TableColumn[], { beside }: Form) {
  const patterns = Object.entries(beside);
  const found = new Map<string, TableColumn>();
  for (const column of columns.slice(columns.findIndex((one) => one.at === at) + 1)) {
    const [name] = patterns.find(([, pattern]) => pattern.test(column.name)) ?? [];
    if (name === undefined) break;
    found.set(name, found.get(name) ?? column);
  }
  const without = patterns.flatMap(([name]) => (found.has(name) ? [] : [[name, ''] as const]));
  return { found, absent: Object.fromEntries(without) as Groups };
}

/** Reads fields from the file name and the lines before the header. @throws IngestError if a pattern does not match */
function findConstants(form: Form, { file, preamble }: { file: string; preamble: string }): Groups {
  const groupsOf = (pattern: RegExp, text: string, key: string): Groups => {
    const found = pattern.exec(text);
    if (found !== null)
      return Object.fromEntries(groupNames(pattern).map((name) => [name, found.groups![name]?.trim() ?? '']));
    const where = key === 'file' ? `the name of ${file} does` : `the lines before the header of ${file} do`;
    const message = `${where} not match ${pattern.source}, the pattern "${key}" of the data set`;
    throw new IngestError('table', message, { file, row: 1 });
  };
  const found = form.preamble.map((pattern) => groupsOf(pattern, preamble, 'preamble'));
  const ofFile = form.file === undefined ? [] : [groupsOf(form.file, file, 'file')];
  return Object.assign({}, ...found, ...ofFile) as Groups;
}

interface MatchedValue extends TableColumn {
  readonly entry: number;
  readonly groups: Groups;
  /** The date in the column name as UTC milliseconds, or null if dates are in a separate column. */
  readonly startMs: number | null;
}

function valueColumns(
  columns: readonly TableColumn[],
  columnOf: (name: string) => TableColumn,
  { where, preamble, form, absent }: { where: TableLocation; preamble: string; form: Form; absent: Groups },
): MatchedValue[] {
  const { start_date, values, legend } = form;
  if (start_date !== undefined && 'header' in start_date) return datedColumns(columns, start_date, where);
  const described = legend && [...preamble.matchAll(new RegExp(legend, 'gm'))];
  const lines = described?.map(({ groups }): Groups => ({ ...groups }));
  const matched = values.flatMap(({ column, columns: pattern }, entry): MatchedValue[] => {
    if (pattern === undefined && column in absent) return [];
    if (pattern === undefined)
      return [
        { ...columnOf(form.clear[column]?.column ?? column), name: column, entry, groups: {}, startMs: null },
      ];
    return columns.flatMap((one) => {
      const match = one.repeats ? null : pattern.exec(one.name);
      if (match === null) return [];
      const own: Groups = { ...match.groups };
      const line = lines === undefined ? own : lines.find((described) => agree(described, own));
      return line === undefined ? [] : { ...one, entry, groups: { ...line, ...own }, startMs: null };
    });
  });
  const patterns = values.flatMap(({ columns: pattern }) => pattern?.source ?? []);
  if (matched.length > 0 || patterns.length === 0) return matched;
  const which = lines === undefined ? '' : ' and that the lines before the header describe';
  throw tableError(where, `has no column whose name matches ${patterns.join(', or ')}${which}`);
}

const agree = (some: Groups, others: Groups): boolean =>
  Object.entries(some).every(([name, text]) => (others[name] ?? text) === text);

/** Finds the columns whose names are dates, omitting repeated names. @throws IngestError if there are none */
function datedColumns(
  columns: readonly TableColumn[],
  { header: format, last_day }: { readonly header: string; readonly last_day?: boolean | undefined },
  where: TableLocation,
): MatchedValue[] {
  const dated = columns.filter(({ name, repeats }) => !repeats && matchesDateFormat(name, format));
  const dayOf = last_day === true ? parseLastDay : parseFormattedDate;
  if (dated.length > 0)
    return dated.map((column) => ({ ...column, entry: 0, groups: {}, startMs: dayOf(column.name, format) }));
  throw tableError(where, `has no column whose name is a date in the format ${format}`);
}

/** Matches the first cell of a Eurostat TSV file: the row dimensions, a backslash, and the column dimension. */
const KEY = /^([^\\]+)\\(?:TIME_PERIOD|time)$/i;

type TableColumn = ReturnType<typeof readColumns>[number];

const ordinalName = ({ name, at }: TableColumn): string | undefined =>
  name === '' ? `column ${at + 1}` : undefined;

/** Lists the columns of a table. A key column such as `freq,crops,geo\TIME_PERIOD` is replaced with its parts. */
function readColumns(header: readonly string[], { fold }: Form) {
  const [, key] = KEY.exec(header[0] ?? '') ?? [];
  const isKey = key !== undefined;
  const parts =
    key
      ?.split(',')
      .map((name, part) => ({ name, at: 0, text: `split_part(c0, ',', ${part + 1})`, isPart: true })) ?? [];
  const whole = columnNames(header, fold).map((name, at) => ({ name, at, text: `c${at}`, isPart: false }));
  const seen = new Set<string>();
  return [...parts, ...(isKey ? whole.slice(1) : whole)].map((column) => {
    const folded = column.name.toLowerCase();
    /** Whether an earlier column has the same name, ignoring case. */
    const repeats = seen.has(folded);
    seen.add(folded);
    /** Whether the column contains codes with labels, such as `A: Annual`. If so, only the codes are read. */
    const isLabelled = !fold && !column.isPart && column.name !== header[column.at];
    return { ...column, repeats, isLabelled };
  });
}

/** Lists a document's fields. Fields of `start_date` come first, so that a missing date is reported first. */
function fieldsOf(form: Form): string[] {
  const { start_date, end_date, reporting_date, available_date, frequency, source_column } = form;
  const { values, region, partner_region, filters, cases, hooks } = form;
  const figures = values.map(({ column: _, columns: __, ...measures }) => measures);
  const source = source_column !== undefined && { column: source_column };
  const parts = [start_date, figures, region, partner_region, filters, cases, source];
  return [
    ...new Set([
      ...fieldNames([...parts, end_date, reporting_date, available_date, frequency]),
      ...hooks.flatMap(({ columns }) => Object.values(columns)),
      ...[...cases, ...values.map(({ withhold }) => withhold)].flatMap((one) => Object.keys(one?.when ?? {})),
    ]),
  ];
}
