import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { DAY_MS } from '../../../model/time.js';
import type { NewRows, RowAnswer } from '../../store.js';
import { mapInTurns } from '../../turns.js';
import { BIGINT, DOUBLE, duckdb, INTEGER, TIMESTAMP_MS, VARCHAR } from '../engine/library.js';
import { quoted } from '../engine/sql-values.js';
import { dateFromMs, LAYOUT, STAGING } from '../point-tables.js';
import { cellsSql, REJECTED_ROWS, type ResolvedDimension, sameTexts } from './resolve-dimensions.js';
import type { SeriesCodes } from './series-codes.js';
import { stageRows } from './stage-rows.js';

/** A field of points that dimensions may answer. */
interface Field {
  readonly name: string;
  /** The type of its column; those of dates are TIMESTAMP_MS. */
  readonly type: DuckDBType;
  readonly of: (answer: RowAnswer) => number | string | null | undefined;
}

const dayOf = (ms: number | undefined) => (ms === undefined ? undefined : Math.floor(ms / DAY_MS));
const timeOf = (ms: number | undefined) => (ms === undefined ? undefined : ms - dayOf(ms)! * DAY_MS);

const FIELDS: readonly Field[] = [
  { name: 'start_day', type: INTEGER, of: ({ startMs }) => dayOf(startMs) },
  { name: 'start_ms', type: INTEGER, of: ({ startMs }) => timeOf(startMs) },
  {
    name: 'days',
    type: INTEGER,
    of: ({ startMs, endMs }) => (endMs === undefined ? undefined : dayOf(endMs)! - dayOf(startMs)!),
  },
  { name: 'end_ms', type: INTEGER, of: ({ endMs }) => timeOf(endMs) },
  { name: 'unit_id', type: INTEGER, of: ({ unit_id }) => unit_id },
  { name: 'reporting_date', type: TIMESTAMP_MS, of: ({ reportingMs }) => reportingMs },
  { name: 'available_date', type: TIMESTAMP_MS, of: ({ availableMs }) => availableMs },
  { name: 'metadata', type: VARCHAR, of: ({ metadata }) => metadata },
];
/** The value of a cell that is no number, and what numbers are divided by. */
const VALUE: Field = { name: 'value', type: DOUBLE, of: ({ value }) => value };
const DIVISOR: Field = { name: 'divisor', type: DOUBLE, of: ({ divisor }) => divisor };

/** A dimension as a table to join. */
interface Joined extends ResolvedDimension {
  /** The fields that its answers have. */
  readonly fields: readonly Field[];
  /** Whether its answers have ids of series. */
  readonly isOfSeries: boolean;
}

/** The points of a text in a table that lacks the columns which are the same in all rows. */
export interface StagedPoints {
  /** The statement that created the table. */
  readonly statement: string;
  /** The query of the points of such a table. */
  readonly points: (table: string) => string;
}

/**
 * Joins the rows of `raw` with the answers of all dimensions, in one statement, into a table of `STAGING` that is sorted by
 * series and start.
 */
export async function stagePoints(
  connection: DuckDBConnection,
  { file, constants, numbers }: NewRows,
  {
    table,
    dimensions,
    codes,
    hasRejected,
  }: {
    table: string;
    dimensions: readonly ResolvedDimension[];
    codes: SeriesCodes;
    hasRejected: boolean;
  },
): Promise<StagedPoints> {
  const width = numbers.length;
  const found = dimensions.filter(({ texts, hasFaults }) => texts.length > 0 || hasFaults);
  const all = found.map((one): Joined => {
    const has = ({ of }: Field) => one.answers.some((answer) => of(answer) !== undefined);
    const isOfSeries = one.answers.some((answer) => LAYOUT.some((field) => answer[field] !== undefined));
    return { ...one, fields: [...FIELDS, VALUE, DIVISOR].filter(has), isOfSeries };
  });
  const joined = all.filter((one) => !isConstant(one) && one.texts.length > 0);
  for (const one of joined) await stageAnswers(connection, one, codes);
  const ofRows = joined.filter(({ isOfValues }) => !isOfValues);
  const ofValues = joined.filter(({ isOfValues }) => isOfValues);
  const rejected =
    hasRejected && width > 1 ? [`ANTI JOIN ${REJECTED_ROWS} AS rejected ON rejected.row = raw.rowid`] : [];
  const cells = cellsSql({
    from: ['temp.raw', ...ofRows.map(joinOf), ...rejected, whereOf(all, false)].join('\n    '),
    columns: [
      'raw.rowid::INTEGER AS line',
      ...ofRows.flatMap(({ name, fields, isOfSeries }) => [
        ...(isOfSeries ? [`${name}.series AS ${name}_series`] : []),
        ...fields.map((field) => `${name}.${field.name} AS ${name}_${field.name}`),
      ]),
    ],
    unnested: [
      { name: 'number', columns: numbers.map((_, i) => `raw.v${i}`) },
      ...all.filter(({ isOfValues }) => isOfValues),
    ],
    width,
  });
  const columnOf = (field: Field) => fieldColumn(field, all, constants);
  const fields = FIELDS.map((field) => {
    const { sql, isLiteral } = columnOf(field);
    const typed = isLiteral ? `${sql}::${field.type}` : sql;
    return { isLiteral, sql: `${typed} AS ${field.name}` };
  });
  const inside = fields.filter(({ isLiteral }) => !isLiteral).map(({ sql }) => sql);
  const outside = fields.filter(({ isLiteral }) => isLiteral).map(({ sql }) => sql);
  const fixed = all
    .filter(isConstant)
    .reduce((sum, { answers }) => sum + codes.codeOf(answers[0]!), codes.base);
  const series = [
    `${fixed}::${codes.type}`,
    ...joined
      .filter(({ isOfSeries }) => isOfSeries)
      .map((one) => (one.isOptional ? `coalesce(${column(one, 'series')}, 0)` : column(one, 'series'))),
  ].join(' + ');
  const start = fields[0]!.isLiteral ? '' : ', start_day';
  const described = joined.map(
    ({ name, texts }) => `-- row_${name}: the meaning of ${texts.length} distinct strings\n`,
  );
  const statement = `${described.join('')}CREATE TABLE ${STAGING}.${table} AS
SELECT ${[`${series} AS series`, `${valueSql(columnOf)} AS value`, 'line', ...inside].join(',\n  ')}
FROM (
  ${cells}) AS cells
${[...ofValues.map(joinOf), whereOf(all, true)].join('\n')}
ORDER BY series${start}`;
  await connection.run(statement);
  const added = [
    ...outside,
    `${file}::INTEGER AS file`,
    'line::BIGINT AS arrival',
    'rowid AS staged_row',
  ].join(', ');
  return { statement, points: (from) => `SELECT *, ${added} FROM ${from}` };
}

/** Whether all rows have strings of the same meaning, which needs no join. */
function isConstant({ isOptional, hasFaults, answers }: ResolvedDimension): boolean {
  const [first, ...others] = answers;
  const fields = [
    ...LAYOUT.map((field) => (answer: RowAnswer) => answer[field]),
    ...[...FIELDS, VALUE, DIVISOR].map(({ of }) => of),
  ];
  return (
    !isOptional &&
    !hasFaults &&
    first !== undefined &&
    others.every((other) => fields.every((of) => of(other) === of(first)))
  );
}

/** The table of a dimension has its strings and their meaning. */
async function stageAnswers(
  connection: DuckDBConnection,
  { name, texts, answers, fields }: Joined,
  codes: SeriesCodes,
): Promise<void> {
  const isSmall = codes.type === 'INTEGER';
  await stageRows(connection, `row_${name}`, {
    columns: [
      ['value_column', INTEGER],
      ['text', VARCHAR],
      ['series', isSmall ? INTEGER : BIGINT],
      ...fields.map(({ name, type }) => [name, type] as const),
    ],
    rows: await mapInTurns(texts, ([cell, text], i) => {
      const code = codes.codeOf(answers[i]!);
      const values = fields.map(({ type, of }) => toValue(type, of(answers[i]!) ?? null));
      return [cell, text, isSmall ? code : BigInt(code), ...values];
    }),
  });
}

const toValue = (type: DuckDBType, value: number | string | null): DuckDBValue =>
  type === TIMESTAMP_MS && value !== null
    ? new duckdb.DuckDBTimestampMillisecondsValue(BigInt(value))
    : value;

/** Rows without strings of a dimension have no part of it. */
const joinOf = (one: Joined): string =>
  `${one.isOptional ? 'LEFT ' : ''}JOIN temp.row_${one.name} AS ${one.name} ON ${sameTexts(one, one.name)}`;

/** Leaves out rows whose strings are not read, unless the join with the others does. */
function whereOf(dimensions: readonly Joined[], isOfValues: boolean): string {
  const conditions = dimensions
    .filter((one) => one.hasFaults && one.isOfValues === isOfValues)
    .filter(({ isOptional, texts }) => isOptional || texts.length === 0)
    .map(({ name, columns, texts }) => {
      const none = `${isOfValues ? `cells.${name}` : columns[0]} IS NULL`;
      return texts.length === 0 ? none : `(${none} OR ${name}.text IS NOT NULL)`;
    });
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

const column = ({ name, isOfValues }: ResolvedDimension, field: string): string =>
  isOfValues ? `${name}.${field}` : `cells.${name}_${field}`;

/** A column of points: a literal where all rows have the same. */
interface PointColumn {
  readonly sql: string;
  readonly isLiteral: boolean;
}

/** A field of points: of the first dimension that has it, or of all rows. */
function fieldColumn(field: Field, dimensions: readonly Joined[], constants: RowAnswer): PointColumn {
  const { name, type, of } = field;
  const literal = (value: number | string) =>
    type === TIMESTAMP_MS
      ? dateFromMs(String(value))
      : typeof value === 'string'
        ? quoted(value)
        : `${value}`;
  const found: PointColumn[] = [];
  for (const one of dimensions) {
    if (!one.fields.includes(field)) continue;
    const used = new Set(one.answers.map((answer) => of(answer) ?? null));
    const [only = null] = used;
    if (used.size > 1 || (one.isOptional && only !== null))
      found.push({ sql: column(one, name), isLiteral: false });
    else if (only !== null) found.push({ sql: literal(only), isLiteral: true });
  }
  const constant = of(constants) ?? null;
  if (constant !== null) found.push({ sql: literal(constant), isLiteral: true });
  if (found.length === 0) return { sql: 'NULL', isLiteral: true };
  if (found[0]!.isLiteral) return found[0]!;
  const [only, ...others] = found.map(({ sql }) => sql);
  return { sql: others.length === 0 ? only! : `coalesce(${[only, ...others].join(', ')})`, isLiteral: false };
}

function valueSql(columnOf: (field: Field) => PointColumn): string {
  const [divisor, other] = [columnOf(DIVISOR).sql, columnOf(VALUE).sql];
  const number = divisor === 'NULL' ? 'number' : `number / coalesce(${divisor}, 1)`;
  return other === 'NULL' ? number : `CASE WHEN number IS NULL THEN ${other}::DOUBLE ELSE ${number} END`;
}
