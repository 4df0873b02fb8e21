import type { DuckDBConnection } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import { fromArrow } from '../frame/formats/read-arrow.js';
import { type Frame, frameOf } from '../frame/frame.js';
import { mergedMetadata, PROVENANCE_KEY, withMetadata } from '../frame/table/provenance.js';
import type { Source } from '../model/entity.js';
import { badArgument, StoreError, shownValue } from '../model/errors.js';
import { LONG_OPERATION, type LongOperation } from '../model/progress.js';
import type { Provenance } from '../model/provenance.js';
import { checkOptions } from '../model/schema/check.js';
import { isClickHouseAddress } from '../store/clickhouse/engine/address.js';
import type { Parameters } from '../store/clickhouse/engine/shard.js';
import { openCluster } from '../store/clickhouse/schema.js';
import type { ServerStore } from '../store/clickhouse/store.js';
import { ASKED_NAMES, type AskedStore, canAsk } from '../store/duckdb/store.js';
import { openStoreToAsk } from '../store/open.js';
import { NAMED_SOURCES } from '../store/queries/named-views.js';
import type { Store } from '../store/store.js';
import { askConnection, type Question, questionOf, type SqlQuery, type SqlValue, stepOf } from './ask.js';
import { checkTables, loadTable } from './load-table.js';

/** Returns a template tag that runs SQL queries on the given tables and on a store's views, which include names. */
export type AskStore = (tables?: Readonly<Record<string, Table>>, options?: LongOperation) => SqlQuery;

/** Returns a function that queries an open store. A ClickHouse store accepts only ClickHouse SQL, and no `tables`. */
export function sqlOf(store: Store): AskStore {
  return (tables = {}, options = {}) => {
    checkTables(tables);
    checkOptions(options, LONG_OPERATION, 'sql');
    return async (text, ...values) => {
      const question = questionOf(text, values);
      if (!canAsk(store)) {
        if (Object.keys(tables).length > 0)
          throw badArgument(
            'tables',
            'queries on ClickHouse servers can read only the store; pass the result and these tables to sql()',
          );
        return askServers((store as ServerStore).servers, question, options);
      }
      const connection = await store.connectToAsk();
      try {
        for (const [name, table] of Object.entries(tables))
          await loadTable(connection, { name, table, into: 'temp' });
        return await askByNames(connection, question, { tables: Object.values(tables), ...options });
      } finally {
        connection.disconnectSync();
      }
    };
  };
}

export interface SqlStore {
  /** The names of the store's views, view columns and macros. */
  readonly names: readonly string[];
  /** Runs a query. @throws ArgumentError, with the engine's reason, if the query fails */
  ask(query: string, operation: LongOperation): Promise<Frame>;
  close(): Promise<void>;
}

/** Opens a store for read-only queries that cannot access other files or the web. @throws StoreError on failure */
export async function openSqlStore(location: string): Promise<SqlStore> {
  if (isClickHouseAddress(location)) return openServers(location);
  const store = (await openStoreToAsk(location, { read_only: true })) as AskedStore;
  try {
    const connection = await store.connectToAsk();
    const names = (await connection.runAndReadAll(ASKED_NAMES)).getRows().map(([name]) => String(name));
    return {
      names,
      ask: (query, operation) => askByNames(connection, questionOf([query]), operation),
      async close() {
        connection.disconnectSync();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function askByNames(
  connection: DuckDBConnection,
  question: Question,
  { tables = [], ...operation }: LongOperation & { tables?: readonly Table[] | undefined } = {},
): Promise<Frame> {
  const metadata = mergedMetadata(tables, stepOf(question));
  const others = metadata.get(PROVENANCE_KEY);
  const found = await connection.runAndReadAll(NAMED_SOURCES);
  const sources = [
    ...(found.getRowObjectsJS() as unknown as Source[]),
    ...(others === undefined ? [] : (JSON.parse(others) as Provenance).sources),
  ];
  metadata.set(PROVENANCE_KEY, provenanceOf(question, { host: 'embedded', sources }));
  return askConnection(connection, question, { ...operation, metadata });
}

type Servers = ServerStore['servers'];

const NAMES = `SELECT DISTINCT arrayJoin([table, name]) AS name FROM system.columns
  WHERE database = currentDatabase() ORDER BY name`;

async function openServers(location: string) {
  const servers = await openCluster(location);
  try {
    const rows = await withViews(servers, () => servers.views.rows(NAMES));
    return {
      names: ['as_of', ...rows.map(({ name }) => String(name))],
      ask: (query: string, operation: LongOperation) => askServers(servers, questionOf([query]), operation),
      close: () => servers.close(),
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** @throws ArgumentError, with the server's reason, if the server rejects the query; StoreError if the server fails */
async function askServers(servers: Servers, question: Question, { signal }: LongOperation): Promise<Frame> {
  const { views, location } = servers;
  const { query, parameters } = queryOf(question);
  const options = { parameters, signal };
  return withViews(servers, async () => {
    const functions = await views
      .rows(`EXPLAIN QUERY TREE ${query}`, options)
      .catch((error: unknown) => (codeOf(error) === SYNTAX_ERROR ? null : Promise.reject(error)));
    if (functions?.some(({ explain }) => FILE_FUNCTION.test(String(explain))) ?? /\bfile\b/i.test(query))
      throw badArgument('query', 'file() reads a file on the server, but a query can read only the store');
    const sources = (await views.rows(NAMED_SOURCES, { signal })) as unknown as Source[];
    // DESCRIBE runs first, so that an error message refers only to the user's query.
    const described = views.rows(`DESCRIBE TABLE (${query}\n)`, options);
    const columns = await described.catch((error: unknown) =>
      codeOf(error) === SYNTAX_ERROR ? [] : Promise.reject(error),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of views.arrow(arrowQuery(query, columns as never), options)) chunks.push(chunk);
    const provenance = provenanceOf(question, { host: location, sources });
    return frameOf(withMetadata(fromArrow(Buffer.concat(chunks)), new Map([[PROVENANCE_KEY, provenance]])));
  });
}

function queryOf({ parts, values }: Question): { query: string; parameters: Parameters } {
  const bound = values.map(boundValue);
  const text = parts.reduce((query, part, at) => `${query}{value_${at}:${bound[at - 1]!.type}}${part}`);
  const parameters = Object.fromEntries(bound.map(({ value }, at) => [`value_${at + 1}`, value]));
  return { query: text.trim().replace(/;$/, ''), parameters };
}

interface BoundValue {
  readonly type: string;
  readonly value: Parameters[string];
}

function boundValue(value: SqlValue): BoundValue {
  if (value === null) return { type: 'Nullable(String)', value };
  if (typeof value === 'string') return { type: 'String', value };
  if (typeof value === 'boolean') return { type: 'Bool', value };
  if (typeof value === 'bigint') return { type: 'Int64', value };
  if (typeof value === 'number') return { type: Number.isSafeInteger(value) ? 'Int64' : 'Float64', value };
  if (value instanceof Date)
    return { type: `DateTime64(3, 'UTC')`, value: value.toISOString().slice(0, -1).replace('T', ' ') };
  const items = Array.isArray(value) ? (value as readonly SqlValue[]).map(boundValue) : [];
  const type = items.find((item) => item.type !== 'Int64')?.type ?? items[0]?.type ?? 'String';
  if (!Array.isArray(value) || !/^(String|Int64|Float64)$/.test(type))
    throw badArgument(
      'query',
      `${shownValue(value)} cannot be a query value; use strings, numbers, dates, or lists of strings or numbers`,
    );
  return { type: `Array(${type})`, value: items.map((item) => item.value as number | string) };
}

/** Matches types that the server would export to Arrow as numbers, also within arrays, tuples and maps. */
const TIME = /\bDateTime\b(\('[^']*'\))?/g;
/** Matches types that Arrow does not have. Their values are converted to strings. */
const TEXT = /\b(UUID|IPv[46]|U?Int(128|256)|Interval\w+|Enum(8|16)\(('(\\.|[^'\\])*'|[^')])*\))/g;

function arrowQuery(query: string, columns: readonly { readonly name: string; readonly type: string }[]) {
  const cast = columns.map(({ name, type }) => {
    const column = `\`${name.replace(/[\\`]/g, '\\$&')}\``;
    const arrowType = type.replace(TEXT, 'String').replace(TIME, `DateTime64(0, 'UTC')`);
    return arrowType === type ? column : `CAST(${column} AS ${arrowType}) AS ${column}`;
  });
  return cast.some((column) => column.startsWith('CAST'))
    ? `SELECT ${cast.join(', ')} FROM (${query}\n)`
    : query;
}

/**
 * Matches a call to the function `file`, which servers allow even in read-only queries. Statements without a query
 * tree, such as EXPLAIN, are rejected if they contain the word `file`.
 */
const FILE_FUNCTION = /^\s*FUNCTION id: \d+, function_name: file,/;

// Codes of errors that the query's text does not cause: time limit, memory, cancellation and authentication.
const SERVER_ERRORS = new Set(['159', '241', '394', '516']);
const NO_DATABASE = '81';
const SYNTAX_ERROR = '62';

const codeOf = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code ?? '';

async function withViews<Result>({ location }: Servers, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const code = codeOf(error);
    if (code === NO_DATABASE)
      throw new StoreError(
        `${location} has no views for SQL; run "cropframe store init --store ${location}", which adds these views; ` +
          'if there are several servers, add the name of their cluster, ?cluster=NAME, to the address',
        { cause: error },
      );
    if (!/^\d+$/.test(code) || SERVER_ERRORS.has(code)) throw error;
    throw badArgument('query', `${reasonOf(error.cause as Error)}`, { cause: error });
  }
}

function reasonOf({ message }: Error): string {
  return message
    .replace(/ Expected one of: .*/s, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the provenance of a result. It lists all sources, because no engine reports which sources a query reads. */
function provenanceOf(
  { text }: Question,
  { host, sources }: { host: string; sources: readonly Source[] },
): string {
  const retrieved_at = new Date().toISOString();
  const provenance: Provenance = {
    request: text,
    retrieved_at,
    api_host: host,
    sources: [...sources],
    units: [],
    report: [],
  };
  return JSON.stringify(provenance);
}
