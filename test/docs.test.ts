import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as agronomy from '../src/agronomy.js';
import * as charts from '../src/charts.js';
import { openApiDocument } from '../src/contract/openapi/document.js';
import { createClient } from '../src/create-client.js';
import * as embedded from '../src/embedded.js';
import * as cropframe from '../src/index.js';
import { parseForm } from '../src/ingest/document/parse-form.js';
import { frequencyNamed } from '../src/model/frequency.js';
import { operationTable } from './docs/operation-table.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The page whose calls are those of the workshop. */
const WORKSHOP = 'CONTRIBUTING.md';

const CLIENT = createClient({ access_token: 'none', api_host: 'http://127.0.0.1' });
const PUBLIC_NAMES = new Set(
  [CLIENT, cropframe, cropframe.Frame.prototype, agronomy, charts, embedded].flatMap((entry) =>
    Object.getOwnPropertyNames(entry),
  ),
);

it('docs/frames.md lists every method of a frame', () => {
  const page = readFileSync(join(ROOT, 'docs', 'frames.md'), 'utf8');
  const names = Object.getOwnPropertyNames(cropframe.Frame.prototype).filter(
    (name) => name !== 'constructor',
  );
  expect(names.filter((name) => !new RegExp(`\`${name}\\b`).test(page))).toEqual([]);
});

/** The names of all properties of a JSON schema that have a description. */
function* describedFields(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  for (const [name, { description }] of Object.entries(properties)) if (description) yield name;
  for (const inner of Object.values(schema)) yield* describedFields(inner);
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('README', () => {
  const lines = read('README.md').split('\n');

  it('fits on two screens', () => {
    expect(lines.length).toBeLessThan(90);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(160);
  });
});

describe('the documentation', () => {
  it('lists every method with its options (vitest -u renews the table)', async () => {
    const path = join(ROOT, 'docs/operations.md');
    const table = /(<!-- methods -->\n)[\s\S]*(<!-- end -->)/;
    const page = readFileSync(path, 'utf8').replace(
      table,
      (_, begin, end) => `${begin}${operationTable()}\n${end}`,
    );
    await expect(page).toMatchFileSnapshot(path);
  });

  it('describes additions to the wire that the service has, and its own description has too', () => {
    const rows = [...read('docs/wire.md').matchAll(/^\| `(GET|POST) (\S+)` \| ((?:`\w+`(?:, )?)+) \|/gm)];
    const fields = rows.flatMap(([, method, path, names]) =>
      [...names!.matchAll(/\w+/g)].map(([field]) => ({ method: method!.toLowerCase(), path: path!, field })),
    );
    expect(fields.length).toBeGreaterThan(9);
    const { paths } = openApiDocument('0') as {
      paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    };
    for (const { method, path, field } of fields)
      expect([...describedFields(paths[path]![method]!.responses['200'])], path).toContain(field);
  });

  it.each(PAGES.filter((page) => page !== WORKSHOP))('calls only what is public: %s', (page) => {
    const prose = read(page).replaceAll(/```.*?```/gs, '');
    const called = [...prose.matchAll(/`(?:client\.)?([a-z]\w*)\(/g)].map(([, name]) => name!);
    expect(called.filter((name) => !PUBLIC_NAMES.has(name))).toEqual([]);
  });

  it('shows a document that the importer reads', () => {
    const [, json] = /```json\n(\{\n {2}"source".+?)\n```/s.exec(read('docs/describe-a-data-set.md'))!;
    expect(parseForm(JSON.parse(json!))).toMatchObject({
      periods: new Map([['YYYY-MM-DD', expect.objectContaining({ frequency: frequencyNamed('daily') })]]),
      values: [{ column: 'high', unit: { name: '°F' } }, { column: 'low' }],
    });
  });
});
