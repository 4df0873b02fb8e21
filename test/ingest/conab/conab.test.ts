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
      'the area_plantada_mil_ha "12,086" is not a number; set "decimal": "," in the document if that is the decimal separator',
    );
  });

  it('accounts for every value, and has each crop of a year within its item', async () => {
    const store = await newStore();
    const report = await importDataset(store, conab, { files: [FILE], maxRejectedShare: 0.5 });
    expect(report).toMatchObject({ rows: 30, points: 23, rejectedRows: 6, added: 23 });
    const items = await store.searchDocuments('items');
    const second = items.find(({ name }) => name === 'Corn, second crop')!;
    expect(await store.lookup('items', [second.id])).toMatchObject([{ belongsTo: [110] }]);
    expect(await importDataset(store, conab, { files: [FILE], maxRejectedShare: 0.5 })).toMatchObject({
      added: 0,
    });
  });
});
