import type { DuckDBConnection } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import { checkTable } from '../frame/table/check-table.js';
import { mergedMetadata, PROVENANCE_KEY } from '../frame/table/provenance.js';
import { checkFunction } from '../model/arguments/checks.js';
import { CANCELLABLE } from '../model/arguments/fields.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import type { Source } from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import type { LongOperation } from '../model/progress.js';
import type { Provenance } from '../model/provenance.js';
import { isClickHouseAddress } from '../store/clickhouse/engine/address.js';
import type { ServerStore } from '../store/clickhouse/store.js';
import { canAsk, openToAsk } from '../store/duckdb/ask.js';
import { NAMED_SOURCES } from '../store/queries/named-views.js';
import type { Store } from '../store/store.js';
import {
  askConnection,
  provenanceOf,
  type Question,
  questionOf,
  type SqlQuery,
  showProgress,
  stepOf,
} from './ask.js';
import { askServers, openServers } from './ask-servers.js';
import { loadTable } from './load-table.js';

const OPTIONS: OptionKeys<LongOperation> = { ...CANCELLABLE, onProgress: checkFunction };

/** Questions in SQL to a store by names, and to other tables. */
export type AskStore = (tables?: Readonly<Record<string, Table>>, options?: LongOperation) => SqlQuery;

/** Asks the store that this process has open. Servers take no other tables, and questions in ClickHouse's SQL. */
export function sqlOf(store: Store): AskStore {
  return (tables = {}, options = {}) => {
    for (const [name, table] of Object.entries(tables)) checkTable(table, name);
    checkOptions(options, OPTIONS, 'sql');
    return async (text, ...values) => {
      const question = questionOf(text, values);
      if (!canAsk(store)) {
        if (Object.keys(tables).length > 0)
          throw new ArgumentError(
            'tables',
            'tables: ClickHouse servers read only the store; pass the answer and these tables to sql()',
          );
        return askServers((store as ServerStore).servers, question, options);
      }
      const connection = await store.connectToAsk();
      try {
        for (const [name, table] of Object.entries(tables))
          await loadTable(connection, { name, table, into: 'temp' });
        if (options.onProgress !== undefined) await showProgress(connection);
        await checkReach(connection, question);
        return await askByNames(connection, question, { tables: Object.values(tables), ...options });
      } finally {
        connection.disconnectSync();
      }
    };
  };
}

/** A store that is open for questions alone. */
export interface SqlStore {
  /** Views and macros, and the columns of the views. */
  readonly names: readonly string[];
  /** @throws ArgumentError when the query cannot be answered, with the reason of the engine */
  ask(query: string, operation: LongOperation): Promise<Table>;
  close(): Promise<void>;
}

/**
 * Opens a store for questions in the SQL of its engine. It is read alone: a query writes nothing, and that of a file reaches
 * no other file, address or extension.
 * @throws StoreError when it is not a store, or is in use
 */
export async function openSqlStore(location: string): Promise<SqlStore> {
  if (isClickHouseAddress(location)) return openServers(location);
  const { connection, names, close } = await openToAsk(location);
  return { names, close, ask: (query, operation) => askByNames(connection, questionOf([query]), operation) };
}

/** The answer of a connection to a store, with the sources of its rows. */
async function askByNames(
  connection: DuckDBConnection,
  question: Question,
  { tables = [], ...operation }: LongOperation & { tables?: readonly Table[] | undefined } = {},
): Promise<Table> {
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

/** Functions in FROM that reach nothing outside of the store. */
const OWN_FUNCTIONS = new Set(['as_of', 'generate_series', 'range', 'unnest']);

/**
 * Refuses a question that reads anything but the store and the given tables: the engine is that of the service, which
 * may read files.
 * @throws ArgumentError that names the function or the table
 */
async function checkReach(connection: DuckDBConnection, { text }: Question): Promise<void> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [text]);
  const tree = JSON.parse(String(reader.getRows()[0]![0])) as { error: boolean; error_message?: string };
  if (tree.error) throw new ArgumentError('query', `query: ${tree.error_message}`);
  visitNodes(tree, ({ type, function: called, table_name: table }) => {
    const name = (called as { function_name?: string } | undefined)?.function_name;
    if (type === 'TABLE_FUNCTION' && !OWN_FUNCTIONS.has(String(name)))
      throw new ArgumentError(
        'query',
        `query: it reads from ${name}(), and may read only the store and the given tables`,
      );
    // The engine takes a name with a dot or a slash for a file.
    if (type === 'BASE_TABLE' && /[./\\:*?]/.test(String(table)))
      throw new ArgumentError(
        'query',
        `query: it reads from "${table}", and may read only the store and the given tables`,
      );
  });
}

function visitNodes(node: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Record<string, unknown>);
  for (const child of Object.values(node)) visitNodes(child, visit);
}
