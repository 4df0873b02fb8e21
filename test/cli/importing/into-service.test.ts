import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, runCommand, serveStore } from '../capture.js';
import { demoStore } from '../stores.js';

const { folder, store } = demoStore();
const table = join(folder, 'trials.csv');
const document = join(folder, 'trials.json');
let service: Listening;
let token: string;

beforeAll(async () => {
  const years = Array.from({ length: 40 }, (_, i) => `Iowa,${1980 + i},9\n`);
  writeFileSync(table, ['state,year,value\n', ...years, 'Atlantis,2020,9\n'].join(''));
  const names = { metric: { name: 'Yield' }, item: { name: 'Corn' }, unit: { name: 't/ha' } };
  const columns = { region: { column: 'state', level: 'province' }, values: 'value' };
  const start_date = { column: 'year', format: 'YYYY' };
  writeFileSync(document, JSON.stringify({ source: { name: 'Trials' }, ...names, ...columns, start_date }));
  const created = await runCommand(['token', 'create', '--name', 'l', '--right', 'import', '--store', store]);
  token = created.stdout.trim();
  service = await serveStore(store);
});
afterAll(() => service?.stop());

const importing = (...argv: string[]) =>
  runCommand(['import', ...argv, '--host', service.host, '--token', token]);

it('imports into a running service, with the rejected rows in a file here', async () => {
  const rejects = join(folder, 'rejects.csv');
  const { code, stdout, stderr } = await importing(document, table, '--rejects', rejects);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/added +40\n/) });
  expect(stderr).toContain(`1 rejected or contradictory row, with its reason, is in ${rejects}`);
});

it('counts rejected rows as an import into a file does, and has them here when there are too many', async () => {
  const odd = join(folder, 'odd.csv');
  const rows = ['Iowa,2020,9', ...Array.from({ length: 3 }, (_, i) => `Atlantis,${2000 + i},9`)];
  writeFileSync(odd, ['state,year,value', ...rows, ''].join('\n'));
  const rejects = join(folder, 'odd-rejects.csv');
  const given = [document, odd, '--rejects', rejects];
  const refused = await importing(...given, '--max-rejects', '2');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('more than 2 rows were rejected, so nothing was imported');
  expect(refused.stderr).toContain(
    `3 rejected or contradictory rows, each with its reason, are in ${rejects}`,
  );
  const lines = readFileSync(rejects, 'utf8').trim().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toContain('the import ended here: more than 2 rows were rejected');
  const taken = await importing(...given, '--max-rejects', '3');
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringMatching(/points +1\n/) });
});
