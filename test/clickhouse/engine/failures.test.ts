import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAddress } from '../../../src/store/clickhouse/engine/address.js';
import { Cluster } from '../../../src/store/clickhouse/engine/cluster.js';
import { beginImport } from '../../../src/store/clickhouse/importing/begin-import.js';
import { initClickhouseStore, openCluster } from '../../../src/store/clickhouse/schema.js';
import { openStore } from '../../../src/store/open.js';
import { importVintages, newPoints, readRows, type Vintage } from '../../store/conformance/sample-data.js';
import { READING_USER, SECOND_USER } from '../node-config.js';
import { Nodes } from '../nodes.js';

afterEach(() => vi.unstubAllEnvs());

async function failureOf(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown as Error,
  );
  return `${error?.name}: ${error?.message}`;
}

async function runningQueries(nodes: Nodes, text: string): Promise<number> {
  const sql = `SELECT count() FROM system.processes WHERE startsWith(query, '${text}')`;
  return Number(await nodes.query(0, sql));
}

describe('servers that fail', () => {
  let nodes: Nodes;
  let cluster: Cluster;
  beforeAll(async () => {
    nodes = await Nodes.start(2);
    await initClickhouseStore(nodes.address('farm'));
    cluster = await openCluster(nodes.address('farm'));
  });
  afterAll(async () => {
    await cluster?.close();
    await nodes?.stop();
  });

  const impatientCluster = (database: string, quietMs: number) => {
    const credentials = { user: 'default', password: '', ca: null };
    return new Cluster(parseAddress(nodes.address(database)), credentials, { quietMs });
  };

  it('are named in the order in which the store was created', async () => {
    const [a, b] = nodes.hosts;
    expect(await failureOf(() => openCluster(`clickhouse://${a}/farm`))).toMatch(
      `${a} is shard 1 of 2 of its store, but is listed as shard 1 of 1; list all servers`,
    );
    for (const open of [openCluster, initClickhouseStore])
      expect(await failureOf(() => open(`clickhouse://${b},${a}/farm`))).toMatch(
        `${b} is shard 2 of 2 of its store, but is listed as shard 1 of 2; list all servers in the order`,
      );
    expect(await nodes.query(1, `SELECT count() FROM system.tables WHERE database = 'farm'`)).toBe('3\n');
  });

  it('are refused when they belong to another store', async () => {
    const [a, b] = nodes.hosts;
    await initClickhouseStore(`clickhouse://${a},${b}/second`);
    await nodes.query(1, 'DROP DATABASE second');
    const nothing = `the shard ${b} has no part of the store at .*; restore it .*, if the store is new, run "cropframe`;
    expect(await failureOf(() => openCluster(`clickhouse://${a},${b}/second`))).toMatch(new RegExp(nothing));
    await nodes.query(1, 'CREATE DATABASE second ENGINE = Atomic');
    await nodes.query(1, 'CREATE TABLE second.shard_meta AS farm.shard_meta');
    expect(await failureOf(() => openCluster(`clickhouse://${a},${b}/second`))).toMatch(new RegExp(nothing));
    await nodes.query(1, 'INSERT INTO second.shard_meta SELECT * FROM farm.shard_meta');
    expect(await failureOf(() => openCluster(`clickhouse://${a},${b}/second`))).toMatch(
      `the shard ${b} belongs to a different store`,
    );
  });

  it('get no empty tables in the place of those that they have lost', async () => {
    const [, b] = nodes.hosts;
    const address = nodes.address('lost');
    await initClickhouseStore(address);
    await nodes.query(1, 'DROP DATABASE lost');
    await initClickhouseStore(address);
    const store = await openStore(address);
    await importVintages(store, [
      { day: 0, value: 1 },
      { of: { region_id: 22 }, day: 0, value: 1 },
    ]);
    await nodes.query(1, 'DROP TABLE lost.point SYNC');
    expect(await failureOf(() => readRows(store))).toMatch(
      new RegExp(`the shard ${b} has lost a table \\(.{0,50}'point'\\); restore it from a backup`),
    );
    await initClickhouseStore(address);
    expect(await failureOf(() => readRows(store))).toMatch(`the shard ${b} has lost a table`);
    await nodes.query(1, 'DROP DATABASE lost');
    for (const open of [openCluster, initClickhouseStore])
      expect(await failureOf(() => open(address))).toMatch(`the shard ${b} has no part of the store`);
    expect(await nodes.query(1, `SELECT count() FROM system.databases WHERE name = 'lost'`)).toBe('0\n');
    await store.close();
  });

  it('are named with the remedy when they cannot write, and nothing is committed', async () => {
    const [, b] = nodes.hosts;
    const address = nodes.address('unwritable');
    await initClickhouseStore(address);
    const store = await openStore(address);
    const figures = (value: number): Vintage[] =>
      [21, 22].map((region_id) => ({ of: { region_id }, day: 0, value, available: 100 + value }));
    await importVintages(store, figures(1));
    const before = await readRows(store, { history: 'complete' });
    const cases = [
      [
        'table_readonly = 1',
        `a table on ${b} is read-only .*; check its log for the reason, make the table writable`,
      ],
      [
        'parts_to_delay_insert = 0, parts_to_throw_insert = 1',
        `${b} has not merged its earlier data .*; try again later`,
      ],
    ] as const;
    for (const [i, [settings, message]] of cases.entries()) {
      await nodes.query(1, `ALTER TABLE unwritable.point MODIFY SETTING ${settings}`);
      expect(await failureOf(() => importVintages(store, figures(2 + i)))).toMatch(new RegExp(message));
      expect(await readRows(store, { history: 'complete' })).toEqual(before);
      const names = settings.replaceAll(/ = \d/g, '');
      await nodes.query(1, `ALTER TABLE unwritable.point RESET SETTING ${names}`);
    }
    expect(await importVintages(store, figures(2))).toMatchObject({ revised: 2 });
    expect(await store.findFaults()).toEqual([]);
    await store.close();
  });

  it.each([
    [0, /has schema version 0, .* import its files into a new store/],
    [99, /has schema version 99, .* update cropframe to open it/],
  ])('of schema version %i are refused', async (version, message) => {
    const address = nodes.address(`version_${version}`);
    await initClickhouseStore(address);
    const change = `ALTER TABLE version_${version}.shard_meta UPDATE schema_version = ${version} WHERE true`;
    await nodes.query(0, `${change} SETTINGS mutations_sync = 2`);
    expect(await failureOf(() => openCluster(address))).toMatch(message);
    expect(await failureOf(() => initClickhouseStore(address))).toMatch(message);
  });

  it('are named with the remedy when they are dead, and answer when they are back', async () => {
    const [, b] = nodes.hosts;
    await nodes.kill(1);
    expect(await failureOf(() => cluster.shards[1]!.rows('SELECT 1'))).toMatch(
      `StoreError: the shard ${b} cannot be reached (connect ECONNREFUSED ${b}); start it`,
    );
    expect(await failureOf(() => openCluster(nodes.address('farm')))).toMatch(
      `the shard ${b} cannot be reached`,
    );
    await nodes.startNode(1);
    expect(await cluster.shards[1]!.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('are named when they say nothing', async () => {
    const impatient = impatientCluster('farm', 300);
    nodes.pause(1);
    try {
      const shard = impatient.shards[1]!;
      for (const ask of [
        () => shard.rows('SELECT 1'),
        () => shard.run('DELETE FROM point WHERE series = -1'),
        () => shard.insertRows('point', [{ series: -1 }]),
      ])
        expect(await failureOf(ask)).toMatch(
          `the shard ${nodes.hosts[1]} is not responding; check whether it has hung`,
        );
    } finally {
      nodes.resume(1);
      await impatient.close();
    }
  });

  it('end an import when they say nothing, which can be run again', async () => {
    const address = nodes.address('silent');
    await initClickhouseStore(address);
    const store = await openStore(address);
    await importVintages(store, [{ day: 0, value: 1 }]);
    const before = await readRows(store);
    const impatient = impatientCluster('silent', 2_000);
    for (const silent of [0, 1]) {
      const transaction = await beginImport(impatient, { onEnd: () => {} });
      const later = [21, 22].map((region_id) => ({ of: { region_id }, day: 0, value: 2, available: 200 }));
      await transaction.putPoints(newPoints(later));
      await transaction.settle();
      nodes.pause(silent);
      const said = await failureOf(() => transaction.commit()).finally(() => nodes.resume(silent));
      expect(said).toMatch(`the shard ${nodes.hosts[silent]} is not responding; check whether it has hung`);
      expect(await readRows(store)).toEqual(before);
    }
    expect(await importVintages(store, [{ day: 0, value: 2, available: 200 }])).toMatchObject({ revised: 1 });
    expect(await store.findFaults()).toEqual([]);
    await impatient.close();
    await store.close();
  });

  it('are waited for while they answer pings', async () => {
    const impatient = impatientCluster('farm', 700);
    const slow = 'SELECT sum(sleepEachRow(0.1)) AS slept FROM numbers(20) SETTINGS max_block_size = 1';
    expect(await impatient.first.rows(slow)).toEqual([{ slept: 0 }]);
    await impatient.first.run(`INSERT INTO point (series) SELECT -1 FROM (${slow}) WHERE slept > 0`);
    await impatient.close();
  });

  it('end what runs when the store is closed, which cannot be used afterwards', async () => {
    const closing = await openCluster(nodes.address('farm'));
    const long = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
    const outcome = failureOf(() => closing.first.rows(long));
    await vi.waitFor(async () => expect(await runningQueries(nodes, long)).toBe(1), { timeout: 20_000 });
    await closing.close();
    expect(await outcome).toBe('StoreError: the store is closed; open it again');
    expect(await failureOf(() => closing.first.rows('SELECT 1'))).toMatch('the store is closed');
    expect(await failureOf(() => closing.snapshot())).toMatch('the store is closed');
    await vi.waitFor(async () => expect(await runningQueries(nodes, long)).toBe(0), { timeout: 20_000 });
  });

  it('refuse a wrong password and a missing right, and no message holds the password', async () => {
    const address = nodes.address('farm');
    const as = (user: string, password: string) => {
      vi.stubEnv('CROPFRAME_CLICKHOUSE_USER', user);
      vi.stubEnv('CROPFRAME_CLICKHOUSE_PASSWORD', password);
    };
    as(SECOND_USER.name, 'not the password');
    const refused = await failureOf(() => openCluster(address));
    expect(refused).toMatch(/rejected the user or the password; set CROPFRAME_CLICKHOUSE_USER/);
    expect(refused).not.toMatch(/not the password/);
    as(READING_USER.name, READING_USER.password);
    const reading = await openCluster(address);
    const forbidden = await failureOf(() => reading.first.insertRows('kept', [{ name: 'a' }]));
    expect(forbidden).toMatch(/the user in CROPFRAME_CLICKHOUSE_USER lacks a permission on .*INSERT/);
    expect(forbidden).not.toMatch(READING_USER.password);
    await reading.close();
    as(SECOND_USER.name, SECOND_USER.password);
    await (await openCluster(address)).close();
  });

  it('refuse the password of a store that is open when it is changed', async () => {
    vi.stubEnv('CROPFRAME_CLICKHOUSE_USER', SECOND_USER.name);
    vi.stubEnv('CROPFRAME_CLICKHOUSE_PASSWORD', SECOND_USER.password);
    const opened = await openCluster(nodes.address('farm'));
    const ask = () => opened.first.rows('SELECT 1 AS one');
    await nodes.changePassword('another');
    expect(await failureOf(ask)).toMatch(/StoreError: .*rejected the user or the password/);
    await nodes.changePassword(SECOND_USER.password);
    expect(await ask()).toEqual([{ one: 1 }]);
    await opened.close();
  });
});

/** A proxy that speaks TLS, in front of a node: the nodes of the tests do not. */
async function startTls(folder: string, port: number): Promise<TlsServer> {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const request = ['req', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl(...request, '-x509', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority');
  openssl(...request, '-keyout', 'node.key', '-out', 'node.csr', '-subj', '/CN=node');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1');
  const sign = ['x509', '-req', '-in', 'node.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(...sign, '-days', '2', '-out', 'node.pem', '-extfile', 'names');
  const read = (name: string) => readFileSync(join(folder, name));
  const server = createTlsServer({ cert: read('node.pem'), key: read('node.key') }, (socket) => {
    const node = connect(port, '127.0.0.1');
    pipeline(socket, node, () => {});
    pipeline(node, socket, () => {});
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('servers behind TLS', () => {
  let folder: string;
  let nodes: Nodes;
  let proxy: TlsServer;
  let address: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    nodes = await Nodes.start(1);
    proxy = await startTls(folder, Number(nodes.hosts[0]!.split(':')[1]));
    address = `clickhouse://127.0.0.1:${(proxy.address() as AddressInfo).port}/farm?tls=true`;
  });
  afterAll(async () => {
    proxy?.close();
    await nodes?.stop();
    rmSync(folder, { recursive: true });
  });

  it('are trusted by the certificate of the environment alone', async () => {
    expect(await failureOf(() => initClickhouseStore(address))).toMatch(
      /the certificate of .* is not trusted .*; set CROPFRAME_CLICKHOUSE_CA to the path of the certificate that signed it/,
    );
    vi.stubEnv('CROPFRAME_CLICKHOUSE_CA', join(folder, 'ca.pem'));
    vi.stubEnv('CROPFRAME_CLICKHOUSE_USER', SECOND_USER.name);
    vi.stubEnv('CROPFRAME_CLICKHOUSE_PASSWORD', SECOND_USER.password);
    await initClickhouseStore(address);
    const cluster = await openCluster(address);
    expect(await cluster.snapshot()).toMatchObject({ import: 0 });
    await cluster.close();
  });

  it('are told from servers without it', async () => {
    expect(await failureOf(() => openCluster(address.replace('?tls=true', '')))).toMatch(
      /ended its response early \(socket hang up\)/,
    );
    expect(await failureOf(() => openCluster(`${nodes.address('farm')}?tls=true`))).toMatch(
      /does not speak TLS; .* remove tls=true from the store's address/,
    );
  });
});
