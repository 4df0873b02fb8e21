import { monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineDataset } from '../dataset.js';
import { parseRowNumber } from '../reading/row-values.js';
import { planRows, TableFields } from '../reading/table-plan.js';
import { findColumn, type OpenedTable } from '../reading/tables.js';
import { subdivisionRegionId } from '../regions/ids.js';
import { loadRegionTree, type RegionTree } from '../regions/tree.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { readPairs } from '../vocabulary/text-table.js';
import { unitId } from '../vocabulary/units.js';

/**
 * CONAB's historical series of grains: planted area, production and yield of Brazil's states by crop year, from July to
 * June; winter cereals have calendar years. A crop that is sown several times a year has an item for each sowing.
 */
export const conab = defineDataset<RegionTree>({
  name: 'conab',
  summary: 'CONAB: grains of Brazil by state and crop year (SerieHistoricaGraos.txt)',
  sources: [SOURCES.conab],
  frequency: 'annual',
  counts: 'values',
  forms: [
    {
      name: 'the historical series of grains',
      delimiter: ';',
      quotes: true,
      matches: (fields) =>
        fields.includes('dsc_safra_previsao') && fields.includes('produtividade_mil_ha_mil_t'),
      plan: planGrains,
    },
  ],
  prepare: loadRegionTree,
});

/** The columns of values, each with its metric and unit. */
const MEASURES = [
  ['area_plantada_mil_ha', metricId('Area planted'), unitId('kha')],
  ['producao_mil_t', metricId('Production quantity'), unitId('kt')],
  ['produtividade_mil_ha_mil_t', metricId('Yield per planted area'), unitId('t/ha')],
] as const;
const KEYS = { year: 'ano_agricola', season: 'dsc_safra_previsao', state: 'uf', product: 'produto' } as const;

function planGrains(table: OpenedTable, { batch, byId }: DatasetJob & RegionTree) {
  const fields = TableFields.of(table, KEYS);
  return planRows({
    keys: [
      fields.key(['product', 'season'], ({ product, season }) => ({
        item_id: resolveItem(product, season, batch),
      })),
      fields.key(['state'], ({ state }) => ({ region_id: resolveState(state, byId) })),
      fields.key(['year'], ({ year }) => parseCropYear(year)),
    ],
    values: MEASURES.map(([name, metric_id, unit_id]) => ({
      column: findColumn(table.header, name, table),
      name,
      gives: { metric_id, unit_id },
      figures: { plain: '-?[0-9]+([.][0-9]+)?' },
      resolve(text) {
        if (!text.includes(',')) return { value: parseRowNumber(text, name) };
        throw new RowError(
          `the ${name} "${text}" has a comma, and CONAB's own files have none; download one again`,
        );
      },
      empty: 'empty cells',
    })),
  });
}

const JULY = 7;

/** `2023/24`, or `2025` of winter cereals. @throws RowError for another text */
function parseCropYear(text: string): Period {
  const [, first, last] = /^(\d{4})(?:\/(\d\d))?$/.exec(text) ?? [];
  const year = Number(first);
  if (first === undefined || (last !== undefined && Number(last) !== (year + 1) % 100))
    throw new RowError(`"${text}" is not a crop year; examples are 2023/24 and 2025`);
  return last === undefined ? yearsPeriod(year) : monthsPeriod(year, JULY, 12);
}

/** @throws RowError when there is no such state */
function resolveState(code: string, regions: RegionTree['byId']): number {
  const id = /^[A-Z]{2}$/.test(code) ? subdivisionRegionId(`BR-${code}`) : 0;
  if (id === 0 || !regions.has(id)) throw new RowError(`"${code}" is not a state of Brazil`);
  return id;
}

/** Products that are items of the vocabulary; the others become items of the source. */
const PRODUCTS = readPairs(`
  ALGODAO EM PLUMA = Cotton; AMENDOIM = Peanuts; ARROZ = Rice; AVEIA = Oats; CANOLA = Canola; CENTEIO = Rye; CEVADA = Barley;
  FEIJAO = Beans, dry; GIRASSOL = Sunflower seed; MILHO = Corn; SOJA = Soybeans; SORGO = Sorghum; TRIGO = Wheat
`);

const ORDINALS = ['first', 'second', 'third'];

/** @throws RowError when the product has no name, or the season is not one of the year */
function resolveItem(product: string, season: string, batch: BatchBuilder): number {
  const plain = product.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  if (plain === '') throw new RowError('the product has no name');
  const known = PRODUCTS.get(plain);
  const name = known ?? plain[0] + plain.slice(1).toLowerCase();
  const crop = known === undefined ? addItem(plain, name, itemId('Crops'), batch) : itemId(known);
  if (/^[UÚ]NICA$/i.test(season)) return crop;
  const ordinal = ORDINALS[Number(/^([123])\D? *SAFRA$/i.exec(season)?.[1]) - 1];
  if (ordinal === undefined) throw new RowError(`the season "${season}" is not 1ª, 2ª or 3ª SAFRA, or UNICA`);
  return addItem(`${plain}:${ordinal}`, `${name}, ${ordinal} crop`, crop, batch);
}

function addItem(code: string, name: string, container: number, batch: BatchBuilder): number {
  const definition = `As CONAB reports it for Brazil: ${code.replace(':', ', ')}.`;
  return batch.addNamedEntity('items', `conab:item:${code}`, { name, definition, belongsTo: [container] });
}
