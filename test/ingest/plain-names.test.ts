import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findImporter } from '../../src/ingest/datasets.js';
import { CropframeError } from '../../src/model/errors.js';
import { someOf } from '../endurance.js';
import { type Collected, collect } from './collect.js';
import { datasetFixtures } from './fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Names that every plain object has. */
const INHERITED = ['constructor', '__proto__', 'toString', 'CONSTRUCTOR', 'valueOf', 'hasOwnProperty'];
const MAPPING = 'test/fixtures/csv/corn.mapping.json';

interface Format {
  readonly dataset: string;
  readonly file: string;
  /** Replaces every text of one kind by inherited names; undefined when there is no such kind. */
  readonly variants: (text: string) => string[];
}

/** Every column in turn, with another inherited name in each row. */
function columns(delimiter: string, headerLines = 1): Format['variants'] {
  const split = new RegExp(`${delimiter}(?=(?:[^"]*"[^"]*")*[^"]*$)`);
  return (text) => {
    const lines = text.trimEnd().split(/\r?\n/);
    const rows = lines.slice(headerLines).map((line) => line.split(split));
    const header = lines.slice(0, headerLines);
    return Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, at) => {
      const changed = rows.map((fields, i) =>
        fields.with(Math.min(at, fields.length - 1), INHERITED[i % 6]!),
      );
      return [...header, ...changed.map((fields) => fields.join(delimiter))].join('\n');
    });
  };
}

/** Every attribute of the report in turn. */
function attributes(text: string): string[] {
  const names = new Set([...text.matchAll(/ ([A-Za-z_]+\d*)="/g)].map(([, name]) => name!));
  return [...names].map((name) => {
    let count = 0;
    return text.replace(new RegExp(` ${name}="[^"]*"`, 'g'), () => ` ${name}="${INHERITED[count++ % 6]}"`);
  });
}

/** Every name and unit of the header in turn, in the header and above the columns. */
function parameters(text: string): string[] {
  return ['T2M_MAX', 'WS2M', 'm/s', 'mm/day'].flatMap((word) =>
    INHERITED.map((name) => text.replaceAll(word, name)),
  );
}

const VARIANTS: Readonly<Record<string, Format['variants']>> = {
  'nass/quick-stats.tsv': columns('\t'),
  'csv/corn.tsv': columns('\t'),
  'conab/SerieHistoricaGraos.txt': columns(';'),
  'ghcnd/by-year.csv': columns(',', 0),
  'cdo/cdo-standard.csv': columns(',', 0),
  'ecb/eurofxref-hist.csv': columns(',', 0),
  'power/power-by-month.csv': parameters,
  'power/power.csv': parameters,
};

/** Forms of every data set: fixtures with different first lines, but those with a hundred columns, and fixed columns. */
const FORMS = new Map(
  [...(await datasetFixtures()), ['csv', 'test/fixtures/csv/corn.tsv'] as const]
    .filter(([dataset, path]) => dataset !== 'cot' && !/stations|\.dly/.test(path))
    .map((fixture) => [readFileSync(fixture[1], 'utf8').split('\n')[0], fixture] as const),
);
const FORMATS: readonly Format[] = [...FORMS.values()].map(([dataset, path]) => {
  const file = path.replace('test/fixtures/', '');
  return { dataset, file, variants: VARIANTS[file] ?? (file.endsWith('.xml') ? attributes : columns(',')) };
});

/** What is read; null when the file is refused. */
async function read({ dataset, file }: Format, text: string): Promise<Collected | null> {
  const path = join(folder, basename(file));
  writeFileSync(path, text);
  try {
    return await collect((await findImporter(dataset))!, { files: [path], settings: { mapping: MAPPING } });
  } catch (error) {
    if (error instanceof CropframeError && error.code === 'ingest') return null;
    throw error;
  }
}

describe('names that every plain object has', () => {
  it.each(someOf(FORMATS, 4))('are names like others in $file', async (format) => {
    const variants = format.variants(readFileSync(join('test/fixtures', format.file), 'utf8'));
    const named = new Set<string>();
    const odd = new Set<unknown>();
    for (const variant of variants) {
      const all = await read(format, variant);
      for (const rows of Object.values(all?.entities ?? {}))
        for (const { id, name } of rows.values()) {
          if (typeof id !== 'number' || typeof name !== 'string') odd.add({ id, name });
          if (INHERITED.includes(name)) named.add(name);
        }
      for (const { reason } of all?.rejected ?? []) expect(reason).not.toContain('native code');
    }
    expect([...odd]).toEqual([]);
    if (['psd', 'faostat', 'wasde'].includes(format.dataset)) expect(named).toContain('constructor');
  });
});
