import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, runCommand, serveStore } from '../capture.js';
import { demoStore } from '../stores.js';

const { folder, store } = demoStore();
const backup = join(folder, 'backup.duckdb');
const tokens: Record<string, string> = {};
let service: Listening;

beforeAll(async () => {
  for (const right of ['administer', 'import']) {
    const argv = ['token', 'create', '--name', right, '--right', right, '--store', store];
    tokens[right] = (await runCommand(argv)).stdout.trim();
  }
  service = await serveStore(store);
});
afterAll(() => service?.stop());

const backUp = (to: string, right: string, ...more: string[]) =>
  runCommand(['store', 'backup', '--host', service.host, '--token', tokens[right]!, to, ...more]);

it('backs up the store of a service that imports, which no other process could open', async () => {
  const { code, stdout } = await backUp(backup, 'administer');
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/8,908 points as of 20/) });
  const checked = await runCommand(['store', 'check', '--store', backup]);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
});

it('refuses a token without the right, and a store beside a host', async () => {
  const other = join(folder, 'other.duckdb');
  const lacking = await backUp(other, 'import');
  expect(lacking.stderr).toContain('does not have the right "administer"');
  expect((await backUp(store, 'administer', other)).stderr).toContain('specify only the backup file');
  expect((await runCommand(['store', 'backup', store])).stderr).toContain('and the backup file');
  expect(readdirSync(folder).filter((name) => name.includes('other'))).toEqual([]);
});
