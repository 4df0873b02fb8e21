import type { DuckDBConnection } from '@duckdb/node-api';
import { chunksOf } from '../../../model/grouping.js';
import type { RowAnswer, RowTexts } from '../../store.js';
import { mapInTurns } from '../../turns.js';
import { engineColumns } from '../engine/library.js';
import { rowsInTurns } from '../writing/ranges.js';
import { type RawDimension, SEPARATOR } from './raw-rows.js';
import { CHUNK_ROWS, stageRows } from './stage-rows.js';

export interface ResolvedDimension extends RawDimension {
  /** The resolved strings, joined by the separator, each with the position of its value column. */
  readonly texts: readonly (readonly [value: number, text: string])[];
  readonly answers: readonly RowAnswer[];
  /** Whether some strings are rejected or skipped. If so, the table `<name>_fault` lists them with their problems. */
  readonly hasFaults: boolean;
  /** Whether resolving stopped early, because too many strings were rejected. */
  readonly isEnded: boolean;
}

/** The table of rejected rows. If any value of a row is rejected, so is the whole row. */
export const REJECTED_ROWS = 'temp.rejected_row';

/** Resolves each dimension's distinct strings. Ends early (`isEnded`) if more than `most` rows are rejected. */
export async function resolveDimensions(
  connection: DuckDBConnection,
  dimensions: readonly RawDimension[],
  { width, most }: { width: number; most: number },
) {
  /** Reasons why rows are not imported, numbered from 1. */
  const problems = new Map<string, number>();
  const resolved: ResolvedDimension[] = [];
  for (const dimension of dimensions) {
    const faulty = resolved.filter(({ hasFaults }) => hasFaults);
    const found = textsOf(connection, dimension, { faulty, width });
    resolved.push(await resolveTexts(connection, dimension, { found, problems, most }));
    if (resolved.at(-1)!.isEnded) break;
  }
  const faulty = resolved.filter(({ hasFaults }) => hasFaults);
  const { isEnded } = resolved.at(-1)!;
  const [sql, texts] = [faultsSql(faulty, width), [...problems.keys()]];
  const pointsPerFault = faulty.some(({ isOfValues }) => isOfValues) ? 1 : width;
  return {
    dimensions: resolved,
    isEnded,
    rejected: await listRejected(connection, sql, texts),
    /** Counts skipped points by their description. The table `raw` must still exist. */
    countNotRead: () => countNotRead(connection, { sql, texts, pointsPerFault }),
  };
}

interface Cells {
  /** The SQL that follows `FROM` and selects the rows. */
  readonly from: string;
  /** SQL for the columns that are the same for all cells of a row. */
  readonly columns: readonly string[];
  /** Columns that can differ between the cells of a row. `columns` has one SQL expression for each value column. */
  readonly unnested: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly width: number;
}

/** Returns the SQL query that selects one cell per row and value column. `value_column` is the column's position. */
export function cellsSql({ from, columns, unnested, width }: Cells): string {
  const unnest = (sql: readonly string[]) =>
    sql.every((one) => one === sql[0]) ? sql[0]! : `unnest([${sql.join(', ')}])`;
  const cells = Array.from({ length: width }, (_, i) => String(i));
  const all = [{ name: 'value_column', columns: cells }, ...unnested];
  return `SELECT ${[...columns, ...all.map(({ name, columns }) => `${unnest(columns)} AS ${name}`)].join(', ')}
  FROM ${from}`;
}

/** Returns the SQL condition that joins `table` on its strings: to cells if `isOfValues` is set, or else to rows. */
export function sameTexts({ name, columns, isOfValues }: RawDimension, table: string): string {
  if (!isOfValues) return `${table}.text = ${columns[0]}`;
  return `${table}.value_column = cells.value_column${columns.every((sql) => sql === `''`) ? '' : ` AND ${table}.text = cells.${name}`}`;
}

export const faultsOf = (kind: 'ANTI' | 'LEFT') => (dimension: RawDimension) => {
  const table = `${dimension.name}_fault`;
  return `${kind} JOIN temp.${table} ON ${sameTexts(dimension, table)}`;
};

export const soundRows = (faulty: readonly ResolvedDimension[]): string =>
  ['temp.raw', ...faulty.filter(({ isOfValues }) => !isOfValues).map(faultsOf('ANTI'))].join(' ');

async function* textsOf(
  connection: DuckDBConnection,
  dimension: RawDimension,
  { faulty, width }: { faulty: readonly ResolvedDimension[]; width: number },
): AsyncGenerator<[value: number, text: string][]> {
  const { name, columns, isOfValues } = dimension;
  if (!isOfValues && columns[0] === `''`) return yield [[0, '']];
  const ofValues = faulty.filter((one) => one.isOfValues);
  const unnested = isOfValues ? [...ofValues, dimension] : [{ name, columns }];
  const cells = cellsSql({
    from: soundRows(faulty),
    columns: ['raw.rowid AS row'],
    unnested,
    width: isOfValues ? width : 1,
  });
  const sound = isOfValues ? ofValues.map(faultsOf('ANTI')).join(' ') : '';
  // Strings get a prefix, so that the driver keeps a leading byte order mark, which concatenated files may contain.
  const read = await connection.stream(`SELECT cells.value_column, '.' || cells.${name}
    FROM (${cells}) AS cells ${sound} WHERE cells.${name} IS NOT NULL
    GROUP BY cells.value_column, cells.${name} ORDER BY cells.value_column, min(row)`);
  for await (const chunk of read.yieldRows())
    yield (chunk as [number, string][]).map(([value, text]) => [value, text.slice(1)]);
}

async function resolveTexts(
  connection: DuckDBConnection,
  dimension: RawDimension,
  context: {
    readonly found: AsyncIterable<[value: number, text: string][]>;
    readonly problems: Map<string, number>;
    readonly most: number;
  },
): Promise<ResolvedDimension> {
  // Within a value column, each rejected string comes from a different row.
  const most = context.most * dimension.columns.length;
  const texts: [number, string][] = [];
  const answers: RowAnswer[] = [];
  const faults: [number, string, number][] = [];
  let rejected = 0;
  for await (const found of context.found) {
    for (const part of chunksOf(found, CHUNK_ROWS)) {
      const resolved = await mapInTurns(part, ([value, text]) => resolveText(dimension, text, value));
      for (const [i, [value, text]] of part.entries()) {
        const answer = resolved[i]!;
        const problem = numberProblem(context.problems, answer);
        if (answer.rejected !== undefined) rejected++;
        if (problem !== null) faults.push([value, text, problem]);
        else {
          texts.push([value, text]);
          answers.push(answer);
        }
      }
    }
    if (rejected > most) break;
  }
  if (faults.length > 0)
    await stageRows(connection, `${dimension.name}_fault`, {
      columns: engineColumns({ value_column: 'integer', text: 'text', problem: 'integer' }),
      rows: faults,
    });
  const without = `SELECT 1 FROM temp.raw WHERE ${dimension.columns.map((sql) => `${sql} IS NULL`).join(' OR ')} LIMIT 1`;
  const isOptional =
    dimension.isOptional &&
    (answers.length === 0 || (await connection.runAndReadAll(without)).currentRowCount > 0);
  return { ...dimension, isOptional, texts, answers, hasFaults: faults.length > 0, isEnded: rejected > most };
}

function resolveText({ of, resolve }: RawDimension, text: string, value: number): RowAnswer {
  const { texts } = (Array.isArray(of) ? of[value] : of) as RowTexts;
  const parts = texts.length < 2 ? [text].slice(0, texts.length) : text.split(SEPARATOR);
  return parts.length > texts.length
    ? { rejected: 'the row has the control characters U+001F and U+001D next to each other; remove them' }
    : resolve(parts, value);
}

/** Returns the number of the answer's problem: positive for rejected rows, negative for skipped rows, null for none. */
function numberProblem(problems: Map<string, number>, { rejected, notRead }: RowAnswer): number | null {
  const text = rejected ?? notRead;
  if (text === undefined) return null;
  const number = problems.get(text) ?? problems.size + 1;
  problems.set(text, number);
  return rejected === undefined ? -number : number;
}

/** Returns SQL for the problem number of each row or cell: positive if it is rejected, negative if it is skipped. */
function faultsSql(faulty: readonly ResolvedDimension[], width: number): string {
  const ofValues = faulty.filter(({ isOfValues }) => isOfValues);
  const ofRows = faulty.filter(({ isOfValues }) => !isOfValues);
  const cells = cellsSql({
    from: ['temp.raw', ...ofRows.map(faultsOf('LEFT'))].join(' '),
    columns: ['raw.rowid AS row', ...ofRows.map(({ name }) => `${name}_fault.problem AS ${name}_problem`)],
    unnested: ofValues,
    width: ofValues.length === 0 ? 1 : width,
  });
  const found = faulty.map(({ name, isOfValues }) =>
    isOfValues ? `${name}_fault.problem` : `${name}_problem`,
  );
  return `(SELECT row, cells.value_column AS value_column, coalesce(${found.join(', ')}) AS fault
    FROM (${cells}) AS cells ${ofValues.map(faultsOf('LEFT')).join(' ')} WHERE fault IS NOT NULL)`;
}

async function listRejected(connection: DuckDBConnection, sql: string, texts: readonly string[]) {
  await connection.run('CREATE OR REPLACE TEMP TABLE rejected_row (row BIGINT, reason INTEGER)');
  if (texts.length === 0) return [];
  await connection.run(`INSERT INTO ${REJECTED_ROWS}
    SELECT row, arg_min(fault, value_column) AS reason FROM ${sql} WHERE fault > 0 GROUP BY row ORDER BY row`);
  const rejected: { row: number; reason: string }[] = [];
  const reasons = `SELECT row::DOUBLE, reason FROM ${REJECTED_ROWS} ORDER BY row`;
  for await (const rows of rowsInTurns<[number, number]>(connection, reasons))
    for (const [row, reason] of rows) rejected.push({ row, reason: texts[reason - 1]! });
  return rejected;
}

async function countNotRead(
  connection: DuckDBConnection,
  { sql, texts, pointsPerFault }: { sql: string; texts: readonly string[]; pointsPerFault: number },
) {
  if (texts.length === 0) return new Map<string, number>();
  const counted = await connection.runAndReadAll(`SELECT -fault, count(*)::DOUBLE FROM ${sql} AS faults
    ANTI JOIN ${REJECTED_ROWS} AS rejected ON rejected.row = faults.row WHERE fault < 0 GROUP BY fault ORDER BY min(faults.row), arg_min(value_column, faults.row)`);
  const rows = counted.getRows() as [number, number][];
  return new Map(rows.map(([problem, points]) => [texts[problem - 1]!, points * pointsPerFault]));
}
