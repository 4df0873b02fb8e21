import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../src/ingest/csv/csv.js';
import { DOCUMENT_NAMES } from '../../src/ingest/csv/documents.js';
import { recogniseDatasets } from '../../src/ingest/datasets.js';
import { type Collected, collect } from './collect.js';

const FIXTURES = 'test/fixtures';

/** What a file by hand gives: by the names of the files, some figures, and the number of all and of rejected rows. */
type Expected = Readonly<
  Record<string, { readonly figures: readonly string[]; readonly points: number; readonly rejected?: number }>
>;

const cases = DOCUMENT_NAMES.filter((name) => existsSync(`${FIXTURES}/${name}/expected.json`)).flatMap(
  (name) => {
    const expected = JSON.parse(readFileSync(`${FIXTURES}/${name}/expected.json`, 'utf8')) as Expected;
    return Object.entries(expected).map(([file, given]) => ({ name, file, ...given }));
  },
);

/** Metric, item, region, period, value and unit, availability and remarks of each point. */
function figures({ points, entities }: Collected): string[] {
  return points.map((point) => {
    const unit = entities.units.get(point.unit_id)!.abbreviation;
    const partner = entities.regions.get(point.partner_region_id)!.name;
    return [
      entities.metrics.get(point.metric_id)!.name,
      entities.items.get(point.item_id)!.name,
      entities.regions.get(point.region_id)!.name + (point.partner_region_id === 0 ? '' : ` > ${partner}`),
      point.start === point.end ? point.start : `${point.start}/${point.end}`,
      `${point.value} ${unit}`,
      point.available,
      ...(point.metadata === null ? [] : [JSON.stringify(point.metadata)]),
    ].join(' | ');
  });
}

describe('a document of the package', () => {
  it.each(cases)('$name reads $file', async ({ name, file, figures: wanted, points, rejected = 0 }) => {
    const path = `${FIXTURES}/${name}/${file}`;
    const all = await collect(documentImporter(name), { files: [path] });
    const found = figures(all);
    for (const figure of wanted)
      expect(
        found.some((one) => one === figure || one.startsWith(`${figure} |`)),
        `${figure}\n${found.join('\n')}`,
      ).toBe(true);
    expect([all.points.length, all.rejected.length]).toEqual([points, rejected]);
  });

  it.each(cases)('$name alone recognises $file', async ({ name, file }) => {
    if (file.endsWith('.parquet')) return;
    expect(await recogniseDatasets(`${FIXTURES}/${name}/${file}`)).toEqual([name]);
  });

  it('has figures of a file by hand', () => {
    const folders = readdirSync(FIXTURES);
    const without = DOCUMENT_NAMES.filter(
      (name) => !folders.includes(name) || !existsSync(`${FIXTURES}/${name}/expected.json`),
    );
    expect(without).toEqual([]);
  });
});
