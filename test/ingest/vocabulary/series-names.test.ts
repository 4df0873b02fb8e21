import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { resolveFaoItem, resolveFaoMetric, resolveFaoUnit } from '../../../src/ingest/hooks/faostat.js';
import { resolveNassMeasure } from '../../../src/ingest/hooks/nass-measures.js';
import { foldName, loadCountryNames, resolveRegionName } from '../../../src/ingest/regions/names.js';
import { ITEMS, METRICS } from '../../../src/ingest/vocabulary/entities.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';
import { PSD_COMMODITIES, PSD_COUNTRIES } from '../psd/names.js';
import { psdReaders } from '../psd/readers.js';

const { file } = temporaryFiles();

const namesOf = (rows: typeof ITEMS | typeof METRICS): string[] =>
  rows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
/** Every name and alias of the vocabulary: what a source may call a thing. */
const ITEM_NAMES = namesOf(ITEMS);
const METRIC_NAMES = namesOf(METRICS);

/** The names that become one series, in lower case; names that differ in nothing but what `fold` removes are one name. */
function merged(
  names: readonly string[],
  resolve: (name: string) => number | string,
  fold = (name: string): string => name.toLowerCase(),
): string[][] {
  const groups = new Map<number | string, Map<string, string>>();
  for (const name of names) {
    const id = resolve(name);
    const group = groups.get(id) ?? new Map<string, string>();
    groups.set(id, group.set(fold(name), group.get(fold(name)) ?? name));
  }
  const several = [...groups.values()].filter(({ size }) => size > 1);
  return several.map((group) => [...group.values()].map((name) => name.toLowerCase()).sort()).sort();
}

/** Two different names of a list. */
const pairOf = (names: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 2 });

describe('two names of NASS', () => {
  const METRIC_TEXTS = (
    'ACRES HARVESTED|ACRES PLANTED|ACRES|INVENTORY|YIELD, MEASURED IN LB / ACRE|' +
    'STOCKS, MEASURED IN LB|PRODUCTION, MEASURED IN LB|PRODUCTION, MEASURED IN $|' +
    'SALES, MEASURED IN LB|SALES, MEASURED IN $|PRICE RECEIVED, MEASURED IN $ / LB|' +
    'PRICE RECEIVED, MEASURED IN PCT OF PARITY|OPERATIONS WITH SALES|CONDITION, MEASURED IN PCT GOOD|' +
    'PROGRESS, MEASURED IN PCT PLANTED|PROGRESS, MEASURED IN PCT HARVESTED|' +
    'CONDITION, 5 YEAR AVG, MEASURED IN PCT GOOD|PROGRESS, 5 YEAR AVG, MEASURED IN PCT HARVESTED|' +
    'ACRES PLANTED, NET|YIELD, MEASURED IN LB / NET PLANTED ACRE'
  ).split('|');
  const OWN_NAMES = (
    'CANOLA|SUNFLOWER|SORGHUM, GRAIN|CORN, SILAGE|SORGHUM, SILAGE|WHEAT, WINTER|WHEAT, SPRING, DURUM|' +
    'WHEAT, SPRING, (EXCL DURUM)|BEANS, DRY EDIBLE, INCL CHICKPEAS|COTTON, UPLAND|MILLET, PROSO|' +
    'HAY & HAYLAGE'
  ).split('|');
  const items = [...new Set([...ITEM_NAMES.map((name) => name.toUpperCase()), ...OWN_NAMES])];
  const dataItems = items.flatMap((item) => METRIC_TEXTS.map((metric) => `${item} - ${metric}`));
  const batch = new BatchBuilder();
  const resolve = (shortDesc: string, span = '', domain = ''): string => {
    const { metric_id, item_id } = resolveNassMeasure({ shortDesc, domain, unit: '', span }, batch);
    return `${metric_id} ${item_id}`;
  };

  it('never become one series', () => {
    expect(dataItems.length).toBeGreaterThan(2000);
    expect(merged(dataItems, (name) => resolve(name))).toEqual([]);
  });

  it('never do with spans of time and parts of the total either', () => {
    const variant = fc.record({
      span: fc.constantFrom('', 'marketing year', 'forecast', 'jan thru aug'),
      domain: fc.constantFrom(
        '',
        'ECONOMIC CLASS: (1,000 TO 2,499 $)',
        'ORGANIC STATUS: (NOD USDA CERTIFIED)',
      ),
    });
    fc.assert(
      fc.property(pairOf(dataItems), variant, variant, ([one, other], a, b) => {
        expect(resolve(one!, a.span, a.domain)).not.toBe(resolve(other!, b.span, b.domain));
        const isSame = a.span === b.span && a.domain === b.domain;
        expect(resolve(one!, a.span, a.domain) === resolve(one!, b.span, b.domain)).toBe(isSame);
      }),
    );
  });
});

describe('two names of FAOSTAT', () => {
  /** Names of FAOSTAT's data sets of production and trade, before and after it took over those of the Central Product Classification. */
  const RENAMED = [
    ['cotton lint', 'cotton lint, ginned'],
    ['cotton seed', 'cottonseed'],
    ['maize', 'maize (corn)'],
    ['oil, soybean', 'soya bean oil'],
    ['rape or colza seed', 'rapeseed'],
    ['rice', 'rice, paddy'],
    ['soya beans', 'soybeans'],
  ];
  const OTHER_ITEMS = 'Soya bean oil|Rice, milled|Husked rice|Green corn (maize)|Cotton seed|Tobacco'.split(
    '|',
  );
  const batch = new BatchBuilder();

  it('never become one item, except an old and a new one', () => {
    const items = [...ITEM_NAMES, ...OTHER_ITEMS];
    expect(merged(items, (name) => resolveFaoItem(name, batch), foldName)).toEqual(RENAMED);
  });

  it('never become one item, whatever they are', () => {
    const known = new Set(RENAMED.flat().map(foldName));
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const folded = [one, other].map((name) => foldName(name.replaceAll(';', ',')));
        fc.pre(folded[0] !== folded[1] && !folded.some((name) => known.has(name)));
        expect(resolveFaoItem(one, batch)).not.toBe(resolveFaoItem(other, batch));
      }),
    );
  });

  it('never become one metric, and no element has two units of different dimensions in one', () => {
    const own = 'Area harvested|Import Quantity|Export Quantity|Stocks|Feed|Domestic supply quantity';
    const elements = [...METRIC_NAMES, ...own.split('|')];
    const units = ['ha', 't', '1000 t', 'kg/ha', 'An', 'No', '%'];
    const texts = elements.flatMap((element) => units.map((unit) => `${element}|${unit}`));
    const resolve = (text: string): number => {
      const [element, unit] = text.split('|') as [string, string];
      return resolveFaoMetric(element, resolveFaoUnit(unit, batch), batch);
    };
    expect(merged(texts, resolve, (text) => text.toLowerCase().split('|')[0]!)).toEqual([]);
  });
});

describe('two names of PSD', () => {
  const batch = new BatchBuilder();

  it('never become one item', async () => {
    const { item } = await psdReaders();
    const names = [...new Set([...PSD_COMMODITIES, ...ITEM_NAMES])];
    const codes = new Map(names.map((name, code) => [name, code]));
    expect(merged(names, (name) => item(name, codes.get(name)!))).toEqual([]);
  });

  it('never become one metric, except an old and a new one', async () => {
    const { metric } = await psdReaders();
    const own =
      'Domestic Consumption|Domestic Use|Total Dom. Cons.|Food Use Dom. Cons.|TY Imports|TY Exports|Total Use';
    const names = [...METRIC_NAMES, ...own.split('|')];
    const codes = new Map(names.map((name, code) => [name, code]));
    expect(merged(names, (name) => metric(name, codes.get(name)!))).toEqual([
      // Tables of oilseeds, and of cotton, print the attribute so.
      ['domestic consumption', 'domestic use', 'total dom. cons.'],
    ]);
  });

  it('never become one region', async () => {
    const countries = await loadCountryNames();
    expect(PSD_COUNTRIES).toHaveLength(new Set(PSD_COUNTRIES).size);
    const resolve = (name: string): number => resolveRegionName(name, { countries, batch, dataset: 'psd' });
    expect(merged(PSD_COUNTRIES, resolve)).toEqual([]);
  });
});

describe('two names of WASDE', () => {
  const batch = new BatchBuilder();

  it('never become one region, except an old and a new one', async () => {
    const countries = await loadCountryNames();
    const names = (
      'World|World Less China|Total Foreign|Major Exporters|Major Importers|European Union|EU-27|' +
      'Former Soviet Union - 12|FSU-12|Other Europe|Selected Other|North Africa|N. Africa|Sel. Mideast|' +
      'Selected Mideast|Southeast Asia|Selected Southeast Asia|Russia|Ukraine|China|Brazil|Argentina|' +
      'Canada|Australia|Kazakhstan|Mexico|Japan|South Korea|Thailand|Turkey|Hong Kong|Egypt'
    ).split('|');
    const resolve = (name: string): number => resolveRegionName(name, { countries, batch, dataset: 'wasde' });
    // Older reports abbreviate, and name the European Union by the number of its members.
    expect(merged(names, resolve)).toEqual([
      ['eu-27', 'european union'],
      ['former soviet union - 12', 'fsu-12'],
      ['n. africa', 'north africa'],
      ['sel. mideast', 'selected mideast'],
      ['selected southeast asia', 'southeast asia'],
    ]);
  });

  it('never become one metric in a table', async () => {
    const CROP =
      'Area Planted|Area Harvested|Yield per Harvested Acre|Beginning Stocks|Production|Imports|Supply, Total';
    const USE = 'Exports|Use, Total|Ending Stocks';
    // The rows or columns of tables, as reports of 2010 to 2026 print them: of crops of the United States, then of others.
    const tables = [
      `${CROP}|Feed and Residual|Food, Seed & Industrial|Ethanol & by-products|Domestic, Total|${USE}|Avg. Farm Price ($/bu)`,
      `${CROP}|Food|Seed|Feed and Residual|Domestic, Total|${USE}|CCC Inventory|Free Stocks|Outstanding Loans|Avg. Farm Price ($/bu)`,
      `${CROP}|Domestic & Residual|Exports, Total|Rough|Milled (rough equiv.)|Use, Total|Ending Stocks|Avg. Milling Yield (%)|Avg. Farm Price ($/cwt)`,
      `${CROP}|Domestic Use|Exports, Total|Use, Total|Unaccounted|Ending Stocks|Avg. Farm Price`,
      `${CROP}|Crushings|Seed|Residual|${USE}|Avg. Farm Price ($/bu)`,
      'Beginning Stocks|Production|Imports|Supply, Total|Domestic Disappearance|Biodiesel|Food, Feed & other Industrial|Exports|Use, Total|Ending stocks|Avg. Price (c/lb)',
      'Beginning Stocks|Production|Imports|Domestic Feed|Domestic Total|Exports|Ending Stocks',
      'Beginning Stocks|Production|Imports|Domestic Crush|Domestic Total|Exports|Ending Stocks',
    ].map((labels) => labels.split('|'));
    for (const labels of tables) {
      const figures = labels.map(
        (label) =>
          `<f attribute2="${label.replaceAll('&', '&amp;')}" market_year2="2020/21" cell_value2="1"/>`,
      );
      const units =
        'm2_unit_descr1="Million Acres" m2_unit_descr2="Bushels" m2_unit_descr3="Million Bushels"';
      const report = `<Report Name="wasde" Report_Month="July 2020" sub_report_title="U.S. Feed Grain and Corn Supply and Use" sub_report_footer="Cents per pound"><matrix2><u ${units}/>${figures.join('')}</matrix2></Report>`;
      const { points } = await collect(documentImporter('wasde'), { files: [file('wasde.xml', report)] });
      expect(points).toHaveLength(labels.length);
      expect(new Set(points.map(({ metric_id }) => metric_id)).size).toBe(labels.length);
    }
  });
});

it('two markets of the Commitments of Traders never become one item', async () => {
  const commodities = '001 002 004 005 007 026 033 039 080 083 135'.split(' ');
  const rows = commodities.flatMap((commodity) =>
    Array.from({ length: 50 }, (_, i) => {
      const code = `${commodity}${String(i).padStart(3, '0')}`;
      return `CORN - CHICAGO BOARD OF TRADE,2024-01-02,${code},${commodity},FutOnly,${i}`;
    }),
  );
  const header =
    'market_and_exchange_names,report_date_as_yyyy_mm_dd,cftc_contract_market_code,cftc_commodity_code,futonly_or_combined,comm_positions_long_all';
  const path = file('markets.csv', [header, ...rows].join('\n'));
  const { points } = await collect(documentImporter('cot'), { files: [path] });
  expect(new Set(points.map(({ item_id }) => item_id)).size).toBe(rows.length);
});

describe('two elements of the weather never become one series', () => {
  const seriesIn = async (dataset: string, text: string) => {
    const { points } = await collect(documentImporter(dataset), { files: [file(`${dataset}.csv`, text)] });
    return new Set(points.map(({ metric_id, item_id }) => `${metric_id} ${item_id}`)).size;
  };

  it('in GHCN-Daily', async () => {
    const elements = 'TMAX TMIN TAVG TOBS PRCP SNOW SNWD AWND'.split(' ');
    const rows = elements.map((element) => `USW00024233,20120201,${element},10,,,W,`);
    expect(await seriesIn('ghcnd', rows.join('\n'))).toBe(elements.length);
  });

  it('in NASA POWER', async () => {
    const names =
      'T2M T2M_MAX T2M_MIN T2MDEW TS PRECTOT PRECTOTCORR RH2M QV2M PS WS2M WS10M ALLSKY_SFC_SW_DWN CLRSKY_SFC_SW_DWN GWETTOP GWETROOT'.split(
        ' ',
      );
    const text = readFileSync('test/fixtures/power/power-by-month.csv', 'utf8')
      .replace(/^T2M .*/m, names.map((name) => `${name} Parameter (C)`).join('\n'))
      .replace(/^(YEAR,MO,DY),T2M\n(2020,2,29),24.1\n.*/m, `$1,${names}\n$2,${names.map(() => 20)}`);
    expect(await seriesIn('power', text)).toBe(names.length);
  });
});
