import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, openEmbedded } from '../../src/embedded.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { ArgumentError } from '../../src/model/errors.js';
import { openSqlStore, type SqlStore } from '../../src/sql/store-sql.js';
import { type SqlQuery, sql } from '../../src/sql.js';
import { someOf } from '../endurance.js';
import { fillWithDemo } from '../journeys/demo-service.js';
import { copyFilledStore, copyRegionStore } from '../store-templates.js';
import { temporaryFolder } from '../temporary-files.js';
import { TRIALS_DOCUMENT } from '../trials-document.js';

/** Stands in files that no query may read. */
const SECRET = 'hunter2';

const folder = temporaryFolder();
const inFolder = (name: string) => join(folder, name);
const CSV = inFolder('salaries.csv');
const mine = fromRows([
  { k: 'u', a: 1 },
  { k: 'v', a: 2 },
]);

let embedded: Embedded;
let asked: SqlStore;
const frames = sql({ mine });
beforeAll(async () => {
  writeFileSync(CSV, `name,pay\n${SECRET},1\n`);
  writeFileSync(inFolder('farm.duckdb.access.json'), `[{"hash":"${SECRET}"}]`);
  await copyRegionStore(inFolder('other.duckdb'));
  for (const name of ['farm.duckdb', 'open.duckdb'])
    await copyFilledStore('demo', inFolder(name), fillWithDemo);
  embedded = await openEmbedded({ path: inFolder('open.duckdb') });
  asked = await openSqlStore(inFolder('farm.duckdb'));
}, 120_000);
afterAll(async () => {
  await embedded.close();
  await asked.close();
});

/** Everybody who takes the text of a query, and how many of each list the gate asks: one check guards all. */
const ASKERS: readonly [name: string, ask: (text: string) => ReturnType<SqlQuery>, quick: number][] = [
  ['sql over frames', (text) => frames(template(text)), 12],
  ['client.sql of a store that also imports', (text) => embedded.client.sql({ mine })(template(text)), 12],
  ['cropframe sql', (text) => asked.ask(text, {}), 999],
];

const template = (text: string) => Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray;

const files = [
  `FROM '${CSV}'`,
  `TABLE '${CSV}'`,
  `SELECT * FROM "${folder}/salaries".csv`,
  `SELECT * FROM "${folder}/farm.duckdb.access".json`,
  `SELECT * FROM "${folder}/farm.duckdb".access.json`,
  `SELECT * FROM "${folder}/*".csv`,
  `SELECT * FROM "${folder}/sal?ries".csv`,
  `FROM "file://${CSV}"`,
  `FROM '${folder}/x/../salaries.csv'`,
  `FROM "/proc/self/environ"`,
  `FROM 'http://localhost:9/x.csv'`,
  `FROM 's3://bucket/x.parquet'`,
  ...[
    'read_csv',
    'read_csv_auto',
    'sniff_csv',
    'read_text',
    'read_blob',
    'glob',
    'read_json',
    'read_json_auto',
  ],
  ...['read_ndjson', 'read_json_objects', 'read_parquet', 'parquet_scan', 'parquet_metadata'],
  ...['parquet_schema', 'parquet_kv_metadata', 'parquet_file_metadata', 'query_table'],
].map((form) => (form.includes(' ') ? form : `FROM ${form}('${CSV}')`));

const within = [
  `SELECT (SELECT content FROM read_text('${CSV}'))`,
  `SELECT content FROM read_text(['${CSV}'])`,
  `WITH x AS MATERIALIZED (FROM glob('${folder}/*')) FROM x`,
  `SELECT 1 WHERE EXISTS (FROM '${CSV}')`,
  `SELECT 1 UNION ALL SELECT pay FROM '${CSV}'`,
  `SELECT * FROM range(1), LATERAL (FROM '${CSV}')`,
  `FROM query('FROM ' || '''${CSV}''')`,
  `FROM json_execute_serialized_sql(json_serialize_sql('FROM ''${CSV}'''))`,
  `FROM read_duckdb('${folder}/other.duckdb', table_name = 'meta')`,
  `PIVOT (FROM '${CSV}') ON name USING sum(pay)`,
  `PIVOT '${CSV}' ON name IN ('${SECRET}') USING sum(pay)`,
  `UNPIVOT '${CSV}' ON pay`,
  `DESCRIBE '${CSV}'`,
  `SUMMARIZE '${CSV}'`,
  `FROM (DESCRIBE FROM '${CSV}')`,
  `EXPLAIN FROM '${CSV}'`,
  `EXPLAIN ANALYZE FROM '${CSV}'`,
  `EXPLAIN ANALYZE COPY (SELECT 1) TO '${folder}/out.csv'`,
  `FROM duckdb_secrets()`,
];

const statements = [
  `COPY (SELECT 1) TO '${folder}/out.csv'`,
  `EXPORT DATABASE '${folder}/out'`,
  `IMPORT DATABASE '${folder}/out'`,
  `ATTACH '${folder}/other.duckdb'`,
  `ATTACH ':memory:' AS more`,
  `INSTALL httpfs`,
  `LOAD '${folder}/x.duckdb_extension'`,
  `SET enable_external_access = true`,
  `SET GLOBAL threads = 1`,
  `RESET lock_configuration`,
  `SET VARIABLE a = 1`,
  `USE memory`,
  `PRAGMA enable_profiling`,
  `PRAGMA import_database('${folder}')`,
  `CALL enable_logging()`,
  `CALL force_checkpoint()`,
  `PREPARE p AS SELECT 1`,
  `EXECUTE p`,
  `CREATE TEMP TABLE t AS SELECT 1`,
  `CREATE VIEW v AS SELECT 1`,
  `CREATE OR REPLACE MACRO m(x) AS x`,
  `CREATE TEMP SECRET s (TYPE http)`,
  `BEGIN`,
  `COMMIT`,
  `VACUUM`,
  `CHECKPOINT`,
  `EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1`,
  `WITH d AS (SELECT 1) INSERT INTO mine FROM d`,
  `FROM force_checkpoint()`,
  `FROM enable_logging(storage = 'file', storage_path = '${folder}/log')`,
  `FROM enable_logging(storage = 'stdout')`,
  `SELECT (SELECT count(*) FROM system.main."ENABLE_LOGGING"())`,
  `WITH x AS MATERIALIZED (FROM enable_profiling()) SELECT 1 FROM x`,
  `FROM query('FROM enable_' || 'logging()')`,
  `FROM json_execute_serialized_sql(json_serialize_sql('FROM enable_logging()'))`,
  `FROM disable_peg_parser()`,
  `SELECT 1 FROM range(1) LEFT JOIN truncate_duckdb_logs() ON true`,
  `PIVOT (FROM enable_logging()) ON Success`,
  `PIVOT (FROM query('FROM enable_' || 'logging()')) ON Success`,
  `EXPLAIN ANALYZE FROM enable_logging()`,
  `EXPLAIN (ANALYZE, FORMAT json) FROM enable_logging()`,
  `EXPLAIN /* */ ANALYZE FROM enable_logging()`,
  '-- nothing',
  ';',
];

const several = [
  'CREATE OR REPLACE VIEW data AS SELECT 42 AS value; SELECT 1 -- pivot',
  'CREATE OR REPLACE VIEW mine AS SELECT 42 AS a; PIVOT mine ON a USING count(*)',
  'CREATE TEMP TABLE mine AS SELECT 42 AS a; SELECT 1 /* PIVOT */',
  `CREATE TYPE t AS ENUM ('a'); SELECT 'pivot'`,
  'CREATE TEMP MACRO m(x) AS x; SELECT m(1) AS "pivot"',
  'COMMIT; CREATE TABLE t AS SELECT 1; SELECT 1',
  'SELECT 1) ; CREATE TEMP TABLE t AS SELECT 1; FROM (SELECT 1',
  'SELECT 1; SELECT 2',
  'PIVOT mine ON k USING sum(a); PIVOT mine ON k USING sum(a)',
];

describe.each(ASKERS)('%s', (_, ask, quick) => {
  it.each(someOf([...files, ...within], quick))('reads no file by %s', async (text) => {
    const answer = ask(text).then((table) => JSON.stringify(table.toRows(), (_, v) => String(v)));
    await expect(answer).rejects.toBeInstanceOf(ArgumentError);
    await expect(answer).rejects.toThrow(/disabled|does not exist|must be a SELECT|statements/);
    await expect(answer).rejects.not.toThrow(SECRET);
  });

  it.each(someOf([...statements, ...several], quick))('is one SELECT and not %s', async (text) => {
    await expect(ask(text)).rejects.toBeInstanceOf(ArgumentError);
  });

  it('pivots with a list of values, and not by the word', async () => {
    const source = `(SELECT unnest(['u', 'v']) AS k, unnest([1, 2]) AS a)`;
    for (const text of [
      `PIVOT ${source} ON k IN ('u', 'v') USING sum(a);`,
      `WITH p AS (PIVOT ${source} ON k IN ('u', 'v') USING sum(a)) FROM p`,
      `SELECT * FROM ${source} PIVOT (sum(a) FOR k IN ('u', 'v'))`,
    ])
      expect((await ask(text)).toRows()).toEqual([{ u: 1, v: 2 }]);
    await expect(ask(`PIVOT ${source} ON k USING sum(a)`)).rejects.toThrow(/list the values of a PIVOT/);
    expect((await ask(`SELECT 'pivot; pivot' AS pivot -- pivot;`)).toRows()).toEqual([
      { pivot: 'pivot; pivot' },
    ]);
  });

  it('leaves nothing behind', async () => {
    const state = `SELECT (SELECT list_sort(list(DISTINCT table_name)) FROM duckdb_tables() WHERE database_name <> 'temp')::VARCHAR AS tables,
      (SELECT list_sort(list(DISTINCT view_name)) FROM duckdb_views() WHERE database_name <> 'temp')::VARCHAR AS views,
      (SELECT count(*) FROM duckdb_types() WHERE type_name LIKE '__pivot%') AS types, getvariable('a') AS variable,
      current_setting('enable_logging') AS logs, (SELECT count(*) FROM duckdb_logs()) AS logged`;
    const before = (await ask(state)).toRows();
    await ask(`PIVOT (SELECT 'u' AS k, 1 AS a) ON k IN ('u') USING sum(a)`);
    expect((await ask(state)).toRows()).toEqual(before);
    expect(before).toMatchObject([{ types: 0n, variable: null, logs: 0, logged: 0n }]);
    expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual([]);
  });
});

it('imports files and writes backups beside queries', async () => {
  const { client, store } = embedded;
  const counted = async () => Number((await client.sql()`SELECT count(*) AS n FROM data`).toRows()[0]!.n);
  const before = await counted();
  const outcome = await client.importFiles({
    dataset: TRIALS_DOCUMENT,
    files: [{ name: 'trials.csv', content: new Blob(['state,year,value\nIowa,2020,1.5\n']) }],
  });
  expect(outcome).toMatchObject({ added: 1, rejectedRows: 0 });
  expect(await counted()).toBe(before + 1);
  const to = inFolder('copy.duckdb');
  expect((await store.backup!(to)).points).toBeGreaterThanOrEqual(before + 1);
  const copy = await openEmbedded({ path: to, read_only: true });
  expect(Number((await copy.client.sql()`SELECT count(*) AS n FROM data`).toRows()[0]!.n)).toBe(before + 1);
  await copy.close();
});
