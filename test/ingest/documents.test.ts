import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { DOCUMENT_NAMES, readDocument } from '../../src/ingest/document/documents.js';
import type { NameFrom } from '../../src/ingest/document/form.js';
import { parseDataSet } from '../../src/ingest/document/parse-form.js';
import { findFiles } from '../../src/ingest/fetching/fetched-inputs.js';
import { loadRegionTree } from '../../src/ingest/regions/tree.js';
import { ITEMS, METRICS } from '../../src/ingest/vocabulary/entities.js';
import { findUnitId } from '../../src/ingest/vocabulary/units.js';
import type { ImporterSettings } from '../../src/model/importing/job.js';
import { type Collected, collect, figureLines, rejects } from './collect.js';

const FIXTURES = 'test/fixtures';

/** What a file by hand gives, or those of the package: some figures, and the number of all. */
interface Expected {
  /** The files, if they are not the one that has the name of the case. */
  readonly files?: readonly string[];
  readonly settings?: ImporterSettings;
  readonly figures: readonly string[];
  readonly points: number;
  /** The beginnings of the descriptions of some regions and items. */
  readonly entities?: readonly string[];
  /** The number of the rejected rows, or their lines and reasons. */
  readonly rejected?: number | readonly string[];
  /** What is not read, with its counts. */
  readonly notRead?: Readonly<Record<string, number>>;
}

const cases = DOCUMENT_NAMES.filter((name) => existsSync(`${FIXTURES}/${name}/expected.json`)).flatMap(
  (name) => {
    const expected = JSON.parse(readFileSync(`${FIXTURES}/${name}/expected.json`, 'utf8'));
    return Object.entries<Expected>(expected).map(([file, given]) => ({ name, file, ...given }));
  },
);

/** The figures, with their availability and remarks, and when they were reported. */
function describeFigures(all: Collected): string[] {
  const lines = figureLines(all);
  return all.points.map(({ available, reported, metadata }, i) =>
    [
      lines[i],
      available,
      ...(metadata === null ? [] : [JSON.stringify(metadata)]),
      ...(reported === null ? [] : [`reported ${reported}`]),
    ].join(' | '),
  );
}

/** The regions and items, with their level, what contains them, their id and their place. */
async function describeEntities({ entities }: Collected): Promise<string[]> {
  const { byId } = await loadRegionTree();
  const nameOf = (id: number) => (entities.items.get(id) ?? entities.regions.get(id) ?? byId.get(id))!.name;
  const regions = [...entities.regions.values()].map((one) =>
    [
      `region ${one.name}`,
      `${one.historical ? 'former ' : ''}level ${one.level}`,
      `in ${one.belongsTo.map(nameOf).join(' and ')}`,
      `id ${one.id}`,
      ...(one.latitude == null ? [] : [`at ${one.latitude} ${one.longitude}`]),
    ].join(' | '),
  );
  const items = [...entities.items.values()].map(
    ({ id, name, belongsTo }) => `item ${name} | in ${belongsTo.map(nameOf).join(' and ')} | id ${id}`,
  );
  return [...regions, ...items];
}

/** What is not found, with what is of the same metric or name. */
const missing = (found: readonly string[], wanted: readonly string[]) =>
  wanted
    .filter((text) => !found.some((one) => one === text || one.startsWith(`${text} |`)))
    .map((text) => ({ text, found: found.filter((one) => one.startsWith(`${text.split(' |')[0]} |`)) }));

/** What the pages of links say of the examples. */
const FETCHED_LINKS: Readonly<Record<string, string>> = {
  'fas-export-sales': '[{"count":"120001"}]',
  nass: '<a href="qs.crops_20261121.txt.gz">',
  faostat:
    '{"Datasets":{"Dataset":[{"DatasetCode":"QCL","FileLocation":"https://bulks-faostat.fao.org/production/QCL.zip"}]}}',
  nclimdiv: '<a href="climdiv-pdsidv-v1.0.0-20261106"> <a href="climdiv-tmpcst-v1.0.0-20261106">',
  wasde: '<time datetime="2024-01-12"> <a href="/release-files/1/wasde0124.xml">',
  'wfp-food-prices': '"url":"https://data.humdata.org/dataset/a/resource/b/download/wfp_food_prices_ken.csv"',
  'world-bank-prices':
    '<a href="https://thedocs.worldbank.org/en/doc/74e8be41-0050012026/related/CMO-Historical-Data-Monthly.xlsx">',
};

const namesOf = ({ name, aliases = [] }: { name: string; aliases?: readonly string[] | undefined }) =>
  [name, ...aliases].map((one) => one.toLowerCase());

/** The names that a document gives itself, in place of the texts of a file. Templates depend on the rows. */
function givenNames(from: NameFrom | undefined): string[] {
  if (from === undefined) return [];
  if ('name' in from) return [from.name];
  return from.define !== undefined || typeof from.others === 'object'
    ? []
    : ([...(from.names?.values() ?? [])].filter((name) => name !== null && !name.includes('{')) as string[]);
}

it('the tables of the documentation list every data set', () => {
  const page = readFileSync('data-sets/README.md', 'utf8');
  const tables = [
    /## The largest data sets[\s\S]*?\n## /.exec(page)![0],
    /## Data sets that are documents[\s\S]*?\n## Marketing years/.exec(page)![0],
  ];
  const listed = [...tables.join('').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
  expect(listed.sort()).toEqual(DOCUMENT_NAMES);
});

describe('a document of the package', () => {
  it.each(cases)('$name reads $file', async ({ name, file, files = [file], settings, ...wanted }) => {
    const paths = files.map((one) => `${FIXTURES}/${name}/${one}`);
    const all = await collect(documentImporter(name), { files: paths, settings });
    expect(missing(describeFigures(all), wanted.figures)).toEqual([]);
    if (wanted.entities) expect(missing(await describeEntities(all), wanted.entities)).toEqual([]);
    const { rejected = 0, notRead } = wanted;
    const isCounted = typeof rejected === 'number';
    expect([all.points.length, isCounted ? all.rejected.length : rejects(all)]).toEqual([
      wanted.points,
      rejected,
    ]);
    if (notRead !== undefined) expect(Object.fromEntries(all.notRead)).toEqual(notRead);
  });

  it.each(DOCUMENT_NAMES)('%s names metrics, items and units that there are', (name) => {
    for (const { values, definitions } of parseDataSet(readDocument(name)).forms) {
      const known = {
        metric: new Set([...METRICS, ...definitions.metrics].flatMap(namesOf)),
        item: new Set([...ITEMS, ...definitions.items].flatMap(namesOf)),
      };
      const own = new Set(definitions.units.flatMap((unit) => [unit.name, unit.abbreviation]));
      for (const value of values) {
        for (const key of ['metric', 'item'] as const)
          for (const text of givenNames(value[key])) expect(known[key], text).toContain(text.toLowerCase());
        for (const text of givenNames(value.unit))
          expect(own.has(text) || findUnitId(text) !== undefined, text).toBe(true);
      }
    }
  });

  it.each(DOCUMENT_NAMES)('%s finds the files of its example, under names that it reads', async (name) => {
    const importer = documentImporter(name);
    if (importer.fetch?.example === undefined) return;
    const links = FETCHED_LINKS[name] ?? '';
    const finding = { listing: async () => links, nowMs: Date.UTC(2026, 10, 29) };
    const { files } = await findFiles(importer, importer.fetch.example, finding);
    const { forms } = parseDataSet(readDocument(name));
    for (const file of files) {
      expect(new URL(file.address).href).not.toMatch(/[{}]/);
      for (const { file: form } of forms)
        if (form !== undefined && forms.length === 1) expect(file.name).toMatch(form);
    }
    expect(files.length).toBeGreaterThan(0);
  });

  it('has figures of a file by hand', () => {
    const folders = readdirSync(FIXTURES);
    const without = DOCUMENT_NAMES.filter(
      (name) => !folders.includes(name) || !existsSync(`${FIXTURES}/${name}/expected.json`),
    );
    expect(without).toEqual([]);
  });
});
