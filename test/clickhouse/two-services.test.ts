import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Client, createClient } from '../../src/create-client.js';
import { hashPassword } from '../../src/service/access/password-hash.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';
import { type CommandProcess, startCommand } from '../cli/process.js';
import { TRIALS_DOCUMENT } from '../trials-document.js';
import { dropStore, newStoreAddress } from './fresh-store.js';
import { SECOND_USER } from './node-config.js';

const folder = temporaryFolder();

/** Two processes that serve one store, as behind a load balancer. */
let store: string;
const processes: CommandProcess[] = [];
const hosts: string[] = [];
const said = () =>
  processes
    .map((process) => process.said())
    .map(({ stdout, stderr }) => stdout + stderr)
    .join('');

beforeAll(async () => {
  store = await newStoreAddress();
  const credentials = {
    CROPFRAME_CLICKHOUSE_USER: SECOND_USER.name,
    CROPFRAME_CLICKHOUSE_PASSWORD: SECOND_USER.password,
  };
  for (let i = 0; i < 2; i++) {
    processes.push(
      startCommand(['serve', '--store', store, '--port', '0', '--allow-import', '--metrics'], credentials),
    );
  }
  for (const process of processes) {
    const [, host] = await process.until(/^listening on (http:\/\/127\.0\.0\.1:\d+)\n/);
    hosts.push(host!);
  }
});
afterAll(async () => {
  for (const process of processes) process.child.kill('SIGTERM');
  const codes = await Promise.all(processes.map((process) => process.ended()));
  await dropStore(store);
  expect(codes).toEqual([0, 0]);
  expect(said()).not.toContain(SECOND_USER.password);
});

const clientOf = (i: number, access_token: string): Client =>
  createClient({ api_host: hosts[i]!, access_token, retry: { retries: 0 } });
const tokenOf = async (name: string, ...more: string[]) =>
  (await runCommand(['token', 'create', '--name', name, '--store', store, ...more])).stdout.trim();

describe('two services over one cluster', () => {
  it('know a token as soon as it is made, and refuse it as soon as it is revoked', async () => {
    const token = await tokenOf('lab');
    for (const i of [0, 1]) await clientOf(i, token).search('items', 'corn');
    await runCommand(['token', 'revoke', 'lab', '--store', store]);
    for (const i of [0, 1])
      await expect(clientOf(i, token).search('items', 'corn')).rejects.toThrow('revoked');
  });

  it('accept the token of a login to the other one', async () => {
    let opened: Store | null = null;
    try {
      opened = await openStore(store);
      await opened.access.putUser({
        email: 'ada@example.org',
        passwordHash: await hashPassword('a long password'),
      });
    } finally {
      await opened?.close();
    }
    const body = new URLSearchParams({ email: 'ada@example.org', password: 'a long password' });
    const answer = await fetch(`${hosts[0]}/api-token`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { accessToken: string } };
    await clientOf(1, data.accessToken).search('items', 'corn');
  });

  it('show an import of one to the readers of the other within a second', async () => {
    const token = await tokenOf('loader', '--right', 'import');
    const [one, other] = [clientOf(0, token), clientOf(1, token)];
    const corn = async (client: Client) => {
      const [hit] = await client.search('items', 'Corn');
      return hit === undefined ? 0 : (await client.getDataSeries({ item_id: hit.id })).length;
    };
    expect(await corn(other)).toBe(0);
    const content = new Blob(['state,year,value\nIowa,2020,11\nOhio,2020,10\n']);
    await one.importFiles({
      dataset: TRIALS_DOCUMENT,
      files: [{ name: 'trials.csv', content }],
    });
    await sleep(1000);
    expect(await corn(other)).toBe(2);
    expect(await corn(one)).toBe(2);
  });

  it('take an import of the command, which the readers of the other see', async () => {
    const token = await tokenOf('command', '--right', 'import');
    const [file, document] = [join(folder, 'oats.csv'), join(folder, 'document.json')];
    writeFileSync(file, 'state,year,value\nIowa,2020,3\nOhio,2020,9\nOhio,2021,4\n');
    writeFileSync(document, JSON.stringify({ ...TRIALS_DOCUMENT, item: { name: 'Oats' } }));
    const argv = ['import', document, file, '--host', hosts[0]!, '--token', token];
    const imported = await runCommand(argv);
    expect([imported.code, imported.stderr]).toEqual([0, '']);
    await sleep(1000);
    const points = await runCommand([
      ...'points --item Oats --region Ohio --json --host'.split(' '),
      ...[hosts[1]!, '--token', token],
    ]);
    expect(JSON.parse(points.stdout)).toMatchObject([{ value: 9 }, { value: 4 }]);
    expect((await runCommand(argv)).stdout).toMatch(/added +0\n.*unchanged +3\n/s);
  });

  it('report the engine', async () => {
    const token = await tokenOf('scraper', '--right', 'administer');
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${hosts[0]}/metrics`, { headers })).text();
    expect(text).toMatch(/clickhouse/);
    await vi.waitFor(async () => expect((await fetch(`${hosts[1]}/health`)).status).toBe(200), {
      timeout: 20_000,
    });
  });
});
