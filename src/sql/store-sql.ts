import type { DuckDBConnection } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import { checkTable } from '../frame/table/check-table.js';
import { mergedMetadata, PROVENANCE_KEY } from '../frame/table/provenance.js';
import { checkFunction } from '../model/arguments/checks.js';
import { CANCELLABLE } from '../model/arguments/fields.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import type { Source } from '../model/entity.js';
import { ArgumentError, StoreError } from '../model/errors.js';
import type { LongOperation } from '../model/progress.js';
import type { Provenance } from '../model/provenance.js';
import { canAsk } from '../store/duckdb/ask.js';
import { NAMED_SCHEMA } from '../store/duckdb/named-views.js';
import type { Store } from '../store/store.js';
import { askConnection, type Question, questionOf, type SqlQuery, showProgress, stepOf } from './ask.js';
import { loadTable } from './load-table.js';

const OPTIONS: OptionKeys<LongOperation> = { ...CANCELLABLE, onProgress: checkFunction };

/** Questions in SQL to a store by names, and to tables beside it. */
export type AskStore = (tables?: Readonly<Record<string, Table>>, options?: LongOperation) => SqlQuery;

/**
 * Asks the store that this process has open.
 * @throws StoreError when it is on ClickHouse servers
 */
export function sqlOf(store: Store): AskStore {
  return (tables = {}, options = {}) => {
    if (!canAsk(store))
      throw new StoreError('a store on ClickHouse servers has no views for SQL here; copy it into a file');
    for (const [name, table] of Object.entries(tables)) checkTable(table, name);
    checkOptions(options, OPTIONS, 'sql');
    return async (text, ...values) => {
      const question = questionOf(text, values);
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

/** The answer of a connection to a store, with the sources of its rows. */
export async function askByNames(
  connection: DuckDBConnection,
  question: Question,
  { tables = [], ...operation }: LongOperation & { tables?: readonly Table[] | undefined } = {},
): Promise<Table> {
  const metadata = mergedMetadata(tables, stepOf(question));
  const others = metadata.get(PROVENANCE_KEY);
  const provenance: Provenance = {
    asked: question.text,
    retrieved_at: new Date().toISOString(),
    api_host: 'embedded',
    sources: [
      ...(await sourcesOf(connection)),
      ...(others === undefined ? [] : (JSON.parse(others) as Provenance).sources),
    ],
    units: [],
    report: [],
  };
  metadata.set(PROVENANCE_KEY, JSON.stringify(provenance));
  return askConnection(connection, question, { ...operation, metadata });
}

/** The sources that have series in the store: which of them a query reads, the engine does not tell. */
async function sourcesOf(connection: DuckDBConnection): Promise<Source[]> {
  const rows =
    await connection.runAndReadAll(`SELECT source_id AS id, source AS name, long_name AS "longName", licence,
    citation, url FROM ${NAMED_SCHEMA}.sources SEMI JOIN ${NAMED_SCHEMA}.series USING (source_id) ORDER BY id`);
  return rows.getRowObjectsJS() as unknown as Source[];
}

/** Functions in FROM that reach nothing outside of the store. */
const OWN_FUNCTIONS = new Set(['as_of', 'generate_series', 'range', 'unnest']);

/**
 * Refuses a question that reads anything beside the tables of the store and its own: the engine is that of the service, which may read files.
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
        `query: it reads from ${name}(), and may read the store and its tables alone`,
      );
    // The engine takes a name with a dot or a slash for a file.
    if (type === 'BASE_TABLE' && /[./\\:*?]/.test(String(table)))
      throw new ArgumentError(
        'query',
        `query: it reads from "${table}", and may read the store and its tables alone`,
      );
  });
}

function visitNodes(node: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Record<string, unknown>);
  for (const child of Object.values(node)) visitNodes(child, visit);
}
