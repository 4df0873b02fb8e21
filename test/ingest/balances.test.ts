import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../src/ingest/batch/batch-builder.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { resolveFaoMetric, resolveFaoUnit } from '../../src/ingest/hooks/faostat.js';
import { resolveNassMeasure } from '../../src/ingest/hooks/nass-measures.js';
import type { Importer } from '../../src/ingest/importer.js';
import { metricId } from '../../src/ingest/vocabulary/entities.js';
import { type Collected, collect } from './collect.js';
import { sample } from './samples.js';

const conab = documentImporter('conab');
const psd = documentImporter('psd');
/** Sides of each balance that are equal by the agency's own definitions; the last number is the share that rounding may take. */
const BALANCES = [
  ['Total supply', ['Beginning stocks', 'Production quantity', 'Imports quantity'], 0.002],
  ['Total use', ['Domestic use', 'Exports quantity'], 0.002],
  ['Total supply', ['Domestic use', 'Exports quantity', 'Loss', 'Unaccounted', 'Ending stocks'], 0.02],
  ['Total supply', ['Total use', 'Unaccounted', 'Ending stocks'], 0.02],
  ['Total Distribution', ['Domestic use', 'Exports quantity', 'Loss', 'Ending stocks'], 0.002],
  ['Total Distribution', ['Total supply'], 0.002],
] as const;
/** Parts of balances that not every item has. */
const OPTIONAL: readonly string[] = ['Loss', 'Unaccounted', 'Imports quantity'];

/** Figures in one unit of mass or area, by item, region and period, then by metric. */
function tablesOf(all: Collected): Map<string, Map<string, number>> {
  const tables = new Map<string, Map<string, number>>();
  for (const { item_id, region_id, start, metric_id, unit_id, value } of all.points) {
    const item = all.entities.items.get(item_id)!.name;
    const key = `${item}, ${all.entities.regions.get(region_id)!.name}, ${start}`;
    const { factor = 1 } = all.entities.units.get(unit_id)!.baseConvFactor;
    const table = tables.get(key) ?? new Map<string, number>();
    if (value !== null) table.set(all.entities.metrics.get(metric_id)!.name, value * factor);
    tables.set(key, table);
  }
  return tables;
}

/** How often each balance was compared. */
async function checkBalances(importer: Importer, path: string): Promise<Record<string, number>> {
  const compared: Record<string, number> = {};
  for (const [key, table] of tablesOf(await collect(importer, { files: [path] }))) {
    for (const [total, parts, tolerance] of BALANCES) {
      const expected = table.get(total);
      const values = parts.map((part) => table.get(part) ?? (OPTIONAL.includes(part) ? 0 : Number.NaN));
      const sum = values.reduce((a, b) => a + b, 0);
      if (expected === undefined || Number.isNaN(sum)) continue;
      const name = `${total} = ${parts.join(' + ')}`;
      expect(Math.abs(sum / expected - 1), `${key}: ${name}`).toBeLessThan(tolerance);
      compared[name] = (compared[name] ?? 0) + 1;
    }
  }
  return compared;
}

describe('the balances of an agency hold for the shared metrics', () => {
  it('of PSD: grain, meal, milled rice, cotton and sugar', async () => {
    const compared = await checkBalances(psd, 'test/fixtures/psd/balances.csv');
    expect(compared).toEqual({
      'Total supply = Beginning stocks + Production quantity + Imports quantity': 5,
      'Total supply = Domestic use + Exports quantity + Loss + Unaccounted + Ending stocks': 4,
      'Total Distribution = Domestic use + Exports quantity + Loss + Ending stocks': 4,
      'Total Distribution = Total supply': 5,
    });
  });

  it.each([
    { importer: psd, path: 'psd/psd_grains_corn.sample.csv', balances: 4 },
    { importer: documentImporter('wasde'), path: 'wasde/wasde0626_trimmed.xml', balances: 4 },
  ])('of $path', async ({ importer, path, balances }) => {
    if (!existsSync(sample(path))) return;
    expect(Object.keys(await checkBalances(importer, sample(path)))).toHaveLength(balances);
  });

  it('of rates and of rough rice in PSD', async () => {
    const tables = tablesOf(await collect(psd, { files: ['test/fixtures/psd/balances.csv'] }));
    const meal = tables.get('Soybean meal, Australia, 2002-10-01')!;
    const [rough, milled] = ['Rice', 'Rice, milled'].map(
      (item) => tables.get(`${item}, Thailand, 2013-01-01`)!,
    );
    const rate = (table: Map<string, number>, name: string) => table.get(name)! / 100;
    expect(meal.get('Production quantity')! / meal.get('Crush')!).toBeCloseTo(
      rate(meal, 'Extr. Rate, 999.9999'),
      3,
    );
    const [paddy, rice] = [rough!.get('Production quantity')!, milled!.get('Production quantity')!];
    expect(rice / paddy).toBeCloseTo(rate(milled!, 'Milling Rate (.9999)'), 3);
    expect(paddy / milled!.get('Area harvested')!).toBeCloseTo(rough!.get('Yield')!, 2);
  });

  it('names figures that another agency defines differently by what they are', () => {
    const batch = new BatchBuilder();
    const machines = { shortDesc: 'TRACTORS - INVENTORY', unit: 'NUMBER', domain: '', span: '' };
    const cattle = { ...machines, shortDesc: 'CATTLE, INCL CALVES - INVENTORY', unit: 'HEAD' };
    const planted = { ...machines, shortDesc: 'CORN, GRAIN - YIELD, MEASURED IN BU / NET PLANTED ACRE' };
    const measures = [machines, cattle, { ...planted, unit: 'BU / NET PLANTED ACRE' }].map((text) =>
      resolveNassMeasure(text, batch),
    );
    const feed = resolveFaoMetric('Feed', resolveFaoUnit('1000 t', batch), batch);
    const shared = ['Livestock count', 'Yield', 'Feed and residual use'].map(metricId);
    expect([...measures.map(({ metric_id }) => metric_id), feed].map((id) => shared.indexOf(id))).toEqual([
      -1, 0, -1, -1,
    ]);
  });

  it('of CONAB: production is planted area by yield', async () => {
    const lines = [
      'ano_agricola;dsc_safra_previsao;uf;produto;id_produto;area_plantada_mil_ha;producao_mil_t;produtividade_mil_ha_mil_t',
      '2023/24;UNICA;RS;ARROZ;1;900.5;7204;8',
    ];
    const path = join(mkdtempSync(join(tmpdir(), 'conab-')), 'SerieHistoricaGraos.txt');
    writeFileSync(path, lines.join('\n'));
    const [table] = tablesOf(await collect(conab, { files: [path] })).values();
    const area = table!.get('Area planted')!;
    expect(table!.get('Production quantity')! / area).toBeCloseTo(table!.get('Yield per planted area')!, 6);
  });
});
