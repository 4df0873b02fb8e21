import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createClient } from '../src/create-client.js';
import * as cropframe from '../src/index.js';
import { parseMapping } from '../src/ingest/csv/mapping.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('../notebooks/quickstart.js', import.meta.url), 'utf8');

it('shows the quickstart in full', () => {
  expect(README).toContain(`\`\`\`ts\n${SCRIPT.trimEnd()}\n\`\`\``);
});

it('names only methods and functions that there are', () => {
  const client = createClient({ access_token: 'none', api_host: 'http://127.0.0.1' });
  const table = README.slice(README.indexOf('## Operations'), README.indexOf('## Working with frames'));
  const named = [...table.matchAll(/`(\w+)(?:\(|`)/g)].map(([, name]) => name!);
  const known = new Set([...Object.keys(client), ...Object.keys(cropframe), 'openEmbedded']);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('shows a mapping that can be read', () => {
  const [, json] = /```json\n(\{\n {2}"source".+?)\n```/s.exec(README)!;
  expect(parseMapping(JSON.parse(json!))).toMatchObject({
    frequency: { name: 'daily' },
    values: [{ column: 'high', unit: { name: '°F' } }, { column: 'low' }],
  });
});
