import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { DAY_MS } from '../../../model/time.js';
import { LAYOUT } from '../../schema/tables.js';
import type { NewRows, RowAnswer } from '../../store.js';
import { mapInTurns } from '../../turns.js';
import { BIGINT, DOUBLE, duckdb, INTEGER, TIMESTAMP_MS, VARCHAR } from '../engine/library.js';
import { quoteLiteral } from '../engine/sql-values.js';
import { dateFromMs, STAGING } from '../point-tables.js';
import {
  cellsSql,
  faultsOf,
  REJECTED_ROWS,
  type ResolvedDimension,
  sameTexts,
} from './resolve-dimensions.js';
import { stageRows } from './stage-rows.js';

interface Field {
  readonly name: string;
  /** The column type, which is TIMESTAMP_MS for all dates. */
  readonly type: DuckDBType;
  readonly of: (answer: RowAnswer) => number | string | null | undefined;
}

const toDayNumber = (ms: number | undefined) => (ms === undefined ? undefined : Math.floor(ms / DAY_MS));
const toTimeOfDay = (ms: number | undefined) =>
  ms === undefined ? undefined : ms - toDayNumber(ms)! * DAY_MS;

const FIELDS: readonly Field[] = [
  { name: 'start_day', type: INTEGER, of: ({ startMs }) => toDayNumber(startMs) },
  { name: 'start_ms', type: INTEGER, of: ({ startMs }) => toTimeOfDay(startMs) },
  {
    name: 'days',
    type: INTEGER,
    of: ({ startMs, endMs }) =>
      endMs === undefined ? undefined : toDayNumber(endMs)! - toDayNumber(startMs)!,
  },
  { name: 'end_ms', type: INTEGER, of: ({ endMs }) => toTimeOfDay(endMs) },
  { name: 'unit_id', type: INTEGER, of: ({ unit_id }) => unit_id },
  { name: 'reporting_date', type: TIMESTAMP_MS, of: ({ reportingMs }) => reportingMs },
  { name: 'available_date', type: TIMESTAMP_MS, of: ({ availableMs }) => availableMs },
  { name: 'metadata', type: VARCHAR, of: ({ metadata }) => metadata },
];
/** The value of a cell whose text is not a plain number, such as "1,200 F". */
const VALUE: Field = { name: 'value', type: DOUBLE, of: ({ value }) => value };
const DIVISOR: Field = { name: 'divisor', type: DOUBLE, of: ({ divisor }) => divisor };

interface Answered extends ResolvedDimension {
  /** The fields whose values differ among the dimension's results. They are the columns of the dimension's table. */
  readonly varying: readonly Field[];
  /** The values of the fields that are the same in every result for this dimension. */
  readonly fixed: ReadonlyMap<string, number | string | null>;
}

function withFields(dimension: ResolvedDimension, fields: readonly Field[]): Answered {
  const varying: Field[] = [];
  const fixed = new Map<string, number | string | null>();
  for (const field of fields) {
    const [only = null, ...others] = new Set(dimension.answers.map((one) => field.of(one) ?? null));
    if (others.length > 0 || (dimension.isOptional && only !== null)) varying.push(field);
    else fixed.set(field.name, only);
  }
  return { ...dimension, varying, fixed };
}

/**
 * Joins the rows of `raw` with the resolved fields, and stores them in the table `<table>_rows` of `STAGING`, sorted by
 * series and start. Columns with the same value in all rows are omitted, and so are joins without effect. The view
 * `<table>` adds the omitted columns.
 * @returns the statement, SQL joins that add a series' ids to rows with the column `number`, and the omitted columns
 */
export async function stagePoints(
  connection: DuckDBConnection,
  { file, constants, numbers }: NewRows,
  { table, dimensions }: { table: string; dimensions: readonly ResolvedDimension[] },
) {
  const isWide = numbers.length > 1;
  const codes = await numberSeries(constants, dimensions);
  const series: Field = {
    name: 'series',
    type: codes.type === 'INTEGER' ? INTEGER : BIGINT,
    // A dimension without series ids adds nothing to the series number.
    of: (answer) => codes.codeOf(answer) || null,
  };
  const all = dimensions.map((one) => withFields(one, [series, ...FIELDS, VALUE, DIVISOR]));
  const joined = all.filter(isJoined);
  for (const one of joined) await stageAnswers(connection, one);
  const ofRows = all.filter(({ isOfValues }) => !isOfValues);
  const ofValues = all.filter(({ isOfValues }) => isOfValues);
  const mayReject = isWide && dimensions.some(({ hasFaults }) => hasFaults);
  const rejected = mayReject ? [`ANTI JOIN ${REJECTED_ROWS} AS rejected ON rejected.row = raw.rowid`] : [];
  const cells = cellsSql({
    from: ['temp.raw', ...ofRows.flatMap(joinsOf), ...rejected].join('\n    '),
    columns: [
      'raw.rowid::INTEGER AS line',
      ...ofRows.flatMap((one) => one.varying.map(({ name }) => `${one.name}.${name} AS ${one.name}_${name}`)),
    ],
    unnested: [{ name: 'number', columns: numbers.map((_, i) => `raw.v${i}`) }, ...ofValues],
    width: numbers.length,
  });
  const ids = all.flatMap((one) =>
    one.varying.includes(series)
      ? `coalesce(${answerColumn(one, series)}, 0)`
      : (one.fixed.get('series') ?? []),
  );
  const columns = FIELDS.map((field) => fieldColumn(field, all, constants));
  const select = (literals: boolean) =>
    columns.flatMap(({ name, sql, isLiteral }) => (isLiteral === literals ? `${sql} AS ${name}` : []));
  const statement = `${joined
    .map(({ name, texts }) => `-- row_${name}: the meaning of ${texts.length} distinct strings\n`)
    .join('')}CREATE TABLE ${STAGING}.${table}_rows AS
SELECT ${[
    `${[`${codes.base}::${codes.type}`, ...ids].join(' + ')} AS series`,
    `${valueSql(all, constants)} AS value`,
    'line',
    ...(isWide ? ['cells.value_column'] : []),
    ...select(false),
  ].join(',\n  ')}
FROM (
  ${cells}) AS cells
${ofValues.flatMap(joinsOf).join('\n')}
ORDER BY series${columns[0]!.isLiteral ? '' : ', start_day'}`;
  await connection.run(statement);
  const added = [
    ...select(true),
    ...(isWide ? [] : ['0 AS value_column']),
    `${file}::INTEGER AS file`,
    `line::BIGINT${isWide ? ` * ${numbers.length} + value_column` : ''} AS arrival`,
    'rowid AS staged_row',
  ];
  await connection.run(
    `CREATE VIEW ${STAGING}.${table} AS SELECT *, ${added.join(', ')} FROM ${STAGING}.${table}_rows`,
  );
  const literals = new Map(columns.flatMap(({ name, sql, isLiteral }) => (isLiteral ? [[name, sql]] : [])));
  return { statement, idJoins: codes.idJoins, literals };
}

async function stageAnswers(connection: DuckDBConnection, { name, texts, answers, varying }: Answered) {
  await stageRows(connection, `row_${name}`, {
    columns: [
      ['value_column', INTEGER],
      ['text', VARCHAR],
      ...varying.map(({ name, type }) => [name, type] as const),
    ],
    rows: await mapInTurns(texts, (text, i) => [
      ...text,
      ...varying.map(({ type, of }) => toValue(type, of(answers[i]!) ?? null)),
    ]),
  });
}

function toValue(type: DuckDBType, value: number | string | null): DuckDBValue {
  if (value === null || typeof value === 'string') return value;
  if (type === TIMESTAMP_MS) return new duckdb.DuckDBTimestampMillisecondsValue(BigInt(value));
  return type === BIGINT ? BigInt(value) : value;
}

/** Checks whether rows need a join with a dimension's results, to get fields or (by an inner join) drop faulty rows. */
const isJoined = ({ varying, hasFaults, isOptional }: Answered): boolean =>
  varying.length > 0 || (hasFaults && !isOptional);

function joinsOf(one: Answered): string[] {
  const join = `JOIN temp.row_${one.name} AS ${one.name} ON ${sameTexts(one, one.name)}`;
  if (!one.isOptional) return isJoined(one) ? [join] : [];
  return [...(one.hasFaults ? [faultsOf('ANTI')(one)] : []), ...(isJoined(one) ? [`LEFT ${join}`] : [])];
}

const answerColumn = (of: ResolvedDimension, { name }: Field): string =>
  of.isOfValues ? `${of.name}.${name}` : `cells.${of.name}_${name}`;

/**
 * Returns a field's column. The value comes from the first dimension that sets the field, or else from the constants.
 * The SQL is a literal if the value is the same in all rows.
 */
function fieldColumn(field: Field, dimensions: readonly Answered[], constants: RowAnswer) {
  const { name, type, of } = field;
  const found: string[] = [];
  const value = () => {
    for (const one of dimensions) {
      if (one.varying.includes(field)) found.push(answerColumn(one, field));
      else if (one.fixed.get(name) != null) return one.fixed.get(name)!;
    }
    return of(constants) ?? null;
  };
  const last = value();
  const written = typeof last === 'string' ? quoteLiteral(last) : last;
  const literal = last === null ? 'NULL' : type === TIMESTAMP_MS ? dateFromMs(last) : String(written);
  if (found.length === 0) return { name, sql: `${literal}::${type}`, isLiteral: true };
  const sql = [...found, ...(last === null ? [] : [literal])];
  return { name, sql: sql.length === 1 ? sql[0]! : `coalesce(${sql.join(', ')})`, isLiteral: false };
}

function valueSql(dimensions: readonly Answered[], constants: RowAnswer): string {
  const sqlOf = (field: Field): string | null => {
    const { sql } = fieldColumn(field, dimensions, constants);
    return sql === 'NULL::DOUBLE' ? null : sql;
  };
  const [divisor, other] = [sqlOf(DIVISOR), sqlOf(VALUE)];
  const number = divisor === null ? 'number' : `number / coalesce(${divisor}, 1)`;
  return other === null ? number : `CASE WHEN number IS NULL THEN ${other} ELSE ${number} END`;
}

/**
 * Prepares series numbers that follow the layout order. A number has one digit for each field: the rank of the series'
 * id among the field's ids in the file. `codeOf` returns the part of the number that a dimension determines, `base` is
 * the part that the constants determine, and `idJoins` converts numbers to ids.
 */
async function numberSeries(
  constants: RowAnswer,
  dimensions: readonly { readonly answers: readonly RowAnswer[] }[],
) {
  const ids = new Map(LAYOUT.map((field) => [field, new Set<number>()] as const));
  const note = (answer: RowAnswer) => {
    for (const [field, ofField] of ids) if (answer[field] !== undefined) ofField.add(answer[field]);
  };
  note(constants);
  for (const { answers } of dimensions) await mapInTurns(answers, note);
  let series = 1;
  const digits = [...ids].reverse().map(([field, found]) => {
    const sorted = [...found].sort((a, b) => a - b);
    const weight = series;
    series *= Math.max(1, sorted.length);
    return { field, sorted, ranks: new Map(sorted.map((id, rank) => [id, rank])), weight };
  });
  if (series > Number.MAX_SAFE_INTEGER) throw new RangeError('a file has too many series to number');

  const codeOf = (answer: RowAnswer): number => {
    let code = 0;
    for (const { field, ranks, weight } of digits) {
      const id = answer[field];
      if (id !== undefined) code += ranks.get(id)! * weight;
    }
    return code;
  };
  // Joining a table of ids is faster than indexing a list of ids for each row.
  const idJoins = digits.map(
    ({ field, sorted, weight }) => `LEFT JOIN (
      SELECT unnest('[${sorted}]'::INTEGER[]) AS ${field}, unnest(range(${sorted.length})) AS rank) AS ${field}s
      ON ${field}s.rank = number // ${weight} % ${sorted.length}`,
  );
  const type = series < 2 ** 31 ? 'INTEGER' : 'BIGINT';
  return { base: codeOf(constants), type, codeOf, idJoins: idJoins.join('\n') };
}
