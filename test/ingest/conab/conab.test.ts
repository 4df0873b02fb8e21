import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { itemId } from '../../../src/ingest/vocabulary/items.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';
import { newStore } from '../stores.js';

const conab = documentImporter('conab');
const { file } = temporaryFiles();
const FILE = 'test/fixtures/conab/SerieHistoricaGraos.txt';

describe("CONAB's series of grains", () => {
  it('has area, production and yield of states by crop year, and an item for each sowing', async () => {
    const { points, entities } = await collect(conab, { files: [FILE] });
    const figures = points.map((point) =>
      [
        entities.metrics.get(point.metric_id)!.name,
        entities.items.get(point.item_id)!.name,
        entities.regions.get(point.region_id)!.name,
        `${point.start}/${point.end}`,
        `${point.value} ${entities.units.get(point.unit_id)!.abbreviation}`,
      ].join(' | '),
    );
    expect(figures).toHaveLength(23);
    expect(figures).toEqual(
      expect.arrayContaining([
        'Area planted | Soybeans | Mato Grosso | 2022-07-01/2023-06-30 | 12086 kha',
        'Production quantity | Soybeans | Mato Grosso | 2023-07-01/2024-06-30 | 39344.1 kt',
        'Yield per planted area | Corn, first crop | Goiás | 2023-07-01/2024-06-30 | 8 t/ha',
        'Yield per planted area | Corn, second crop | Goiás | 2023-07-01/2024-06-30 | 6 t/ha',
        'Production quantity | Corn, third crop | Bahia | 2023-07-01/2024-06-30 | 721 kt',
        'Yield per planted area | Beans, dry, first crop | Paraná | 2023-07-01/2024-06-30 | 1.5 t/ha',
        'Area planted | Gergelim | Bahia | 2023-07-01/2024-06-30 | 5.5 kha',
        'Yield per planted area | Wheat | Rio Grande do Sul | 2025-01-01/2025-12-31 | 3 t/ha',
      ]),
    );
  });

  it('has peanuts as the shared item', async () => {
    const text = readFileSync(FILE, 'utf8')
      .replaceAll('GERGELIM', 'AMENDOIM')
      .replaceAll('Gergelim', 'Amendoim');
    const { points } = await collect(conab, { files: [file('SerieHistoricaGraos.txt', text)] });
    expect(points.some(({ item_id }) => item_id === itemId('Peanuts'))).toBe(true);
  });

  it('rejects a figure with a comma, which may be a decimal mark', async () => {
    const text = readFileSync(FILE, 'utf8').replace(';12086.0;', ';12,086;');
    const { rejected } = await collect(conab, { files: [file('commas.txt', text)] });
    expect(rejected.map(({ reason }) => reason)).toContain(
      'the area_plantada_mil_ha "12,086" is not a number; say "decimal": "," in the document if that is its decimal mark',
    );
  });

  it('accounts for every value, and says why rows are rejected', async () => {
    const store = await newStore();
    const report = await importDataset(store, conab, { files: [FILE], maxRejectedShare: 0.5 });
    expect(report).toMatchObject({ rows: 30, points: 23, rejectedRows: 6, added: 23 });
    expect(report.notRead).toEqual([{ kind: 'empty cells', count: 1 }]);
    expect(report.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [10, 'the date "2023/25" is not in the calendar'],
      [11, 'there is no country or subdivision with the ISO 3166 code "BR-XX"'],
    ]);
    const items = await store.searchDocuments('items');
    const second = items.find(({ name }) => name === 'Corn, second crop')!;
    expect(await store.lookup('items', [second.id])).toMatchObject([{ belongsTo: [110] }]);
    expect(await importDataset(store, conab, { files: [FILE], maxRejectedShare: 0.5 })).toMatchObject({
      added: 0,
    });
  });
});
