import type { Dimension } from '../../model/unit-rows.js';
import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { findItemId, itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { listed, readPairs, readTable } from '../vocabulary/text-table.js';
import { findUnitId, sourceUnit, unitDimension, unitId, unitsByText } from '../vocabulary/units.js';
import usualUnits from './usual-units.json' with { type: 'json' };

/**
 * Metrics that corn and sorghum have as whole crops. All others distinguish grain from silage, and the shared items are
 * those for grain.
 */
const WHOLE_CROP = /^(ACRES PLANTED$|CONDITION|PROGRESS(?!.*HARVESTED$))/;
const CROP_OR_GRAIN = /^(CORN|SORGHUM)(, GRAIN)?$/;

/**
 * The measure of a row; adds the entities that the vocabulary does not have. A domain other than the total is part of
 * the item.
 * @param text.shortDesc SHORT_DESC, or Data Item of the web export: `CORN, GRAIN - YIELD, MEASURED IN BU / ACRE`
 * @param text.domain DOMAINCAT_DESC: `ECONOMIC CLASS: (1,000 TO 2,499 $)`; empty when the domain is TOTAL
 * @param text.unit UNIT_DESC; empty in the web export
 * @param text.span the span of figures that are not of a whole year, quarter, month or week: `marketing year`
 * @throws RowError when there is no " - " between item and metric
 */
export function resolveNassMeasure(
  {
    shortDesc,
    domain,
    unit: stated,
    span,
  }: Readonly<Record<'shortDesc' | 'domain' | 'unit' | 'span', string>>,
  batch: BatchBuilder,
): Required<Pick<RowAnswer, 'metric_id' | 'item_id' | 'unit_id'>> {
  const dash = shortDesc.lastIndexOf(' - ');
  if (dash < 0) throw new RowError(`the data item "${shortDesc}" has no " - " between item and metric`);
  const itemText = shortDesc.slice(0, dash).trim();
  const metricText = shortDesc.slice(dash + 3).trim();
  const [what = '', measuredIn = ''] = metricText.split(', MEASURED IN ');
  const unit = stated || measuredIn || impliedUnit(what);
  const unit_id =
    findNassUnitId(unit, itemText) ??
    batch.addNamedEntity('units', `nass:unit:${unit}`, sourceUnit(unit.toLowerCase()));
  // Inventories of machines are in NUMBER.
  const isOther = isSecondUnit(what, unit, itemText) || (what === 'INVENTORY' && unit !== 'HEAD');
  const dimension = isOther ? null : unitDimension(unit_id);
  return {
    metric_id: resolveNassMetric({ full: metricText, what, span, dimension }, batch),
    item_id: resolveItem({ itemText, domain, metricText: `${what} ${measuredIn}`.trim() }, batch),
    unit_id,
  };
}

function impliedUnit(what: string): string {
  return what.startsWith('ACRES') ? 'ACRES' : what.startsWith('INVENTORY') ? 'HEAD' : 'NUMBER';
}

function resolveItem(
  { itemText, domain, metricText }: { itemText: string; domain: string; metricText: string },
  batch: BatchBuilder,
): number {
  const base = findSharedItem(itemText, metricText) ?? addItem(itemText, batch);
  if (domain === '') return base;
  const name = `${sentenceCase(itemText)}; ${domain.toLowerCase()}`;
  const definition = `Quick Stats of USDA NASS: ${itemText}, the part of ${domain}.`;
  const item = { name, definition, belongsTo: [base] };
  return batch.addNamedEntity('items', `nass:item:${itemText}|${domain}`, item);
}

function findSharedItem(itemText: string, metricText: string): number | undefined {
  const [, crop, grain] = CROP_OR_GRAIN.exec(itemText) ?? [];
  if (crop === undefined || !WHOLE_CROP.test(metricText)) return findNassItem(itemText);
  return grain === undefined ? findNassItem(`${crop}, GRAIN`) : undefined;
}

const findNassItem = itemsByName(`
  CORN, GRAIN = Corn; SORGHUM, GRAIN = Sorghum; CORN, SILAGE = Corn silage; WHEAT, WINTER = Winter wheat;
  WHEAT, SPRING, (EXCL DURUM) = Spring wheat; WHEAT, SPRING, DURUM = Durum wheat; SUNFLOWER = Sunflower seed;
  BEANS, DRY EDIBLE = Beans, dry; SUGARCANE = Sugar cane; SUGARBEETS = Sugar beets; LABOR = Labour
`);

function addItem(itemText: string, batch: BatchBuilder): number {
  const name = sentenceCase(itemText) + (/^(CORN|SORGHUM)$/.test(itemText) ? ', all uses' : '');
  const parent = findItemId(itemText.split(',')[0]!);
  const definition = `Quick Stats of USDA NASS: ${itemText}.`;
  const belongsTo = parent === undefined ? [] : [parent];
  const item = { name, definition, belongsTo, aliases: [itemText] };
  return batch.addNamedEntity('items', `nass:item:${itemText}`, item);
}

/**
 * Metrics that other data sets have as well, by the dimension of their units: figures of another one have another metric. A
 * bushel without a legal weight is a volume.
 */
const SHARED = readTable(`
  ACRES HARVESTED | area | Area harvested
  ACRES PLANTED | area | Area planted
  ACRES | area | Area
  YIELD | mass per area | Yield
  PRODUCTION | mass | Production quantity
  SALES | mass | Sales quantity
  STOCKS | mass | Stocks
  INVENTORY | count | Livestock count
  PRICE RECEIVED | money per mass | Price
  PRODUCTION, MEASURED IN BU | volume | Production quantity
  YIELD, MEASURED IN BU / ACRE | volume per area | Yield
  PRODUCTION, MEASURED IN $ | money | Production value
  SALES, MEASURED IN $ | money | Sales value
`);

/**
 * The metric of a row; adds one of NASS when the vocabulary has none. Spans and dimensions have different metrics, so
 * that no series mixes them.
 * @param text.full the part of SHORT_DESC after the dash, and `what` without the unit: `YIELD`
 * @param text.dimension that of the row's unit; null for units outside the vocabulary, and for second units of a figure
 */
function resolveNassMetric(
  { full, what, span, dimension }: Record<'full' | 'what' | 'span', string> & { dimension: Dimension | null },
  batch: BatchBuilder,
): number {
  const shared = SHARED.find(([text, of]) => [full, what].includes(text!) && of === dimension)?.[2];
  if (shared !== undefined && span === '') return metricId(shared);
  if (shared === 'Price' && span === 'marketing year') return metricId('Average farm price');
  const suffix = span === '' ? '' : `, ${span}`;
  const parent = shared ?? GROUPS.find(([pattern]) => pattern.test(what))?.[1];
  const text = shared === undefined ? full : what;
  const metric = {
    name: sentenceCase(shared ?? full) + suffix,
    definition: `Quick Stats of USDA NASS: ${text}${suffix}.`,
    belongsTo: parent === undefined ? [] : [metricId(parent)],
    aliases: [text],
  };
  return batch.addNamedEntity('metrics', `nass:metric:${shared ?? full}|${span}`, metric);
}

const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^PROGRESS/, 'Crop progress'],
  [/^CONDITION/, 'Crop condition'],
  [/^PRICE/, 'Price'],
  [/^OPERATIONS/, 'Operations'],
];

/** A text of Quick Stats, which is all upper case, in sentence case. */
function sentenceCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/**
 * Usual units of the shared metrics, by metric and item. Only figures in the usual unit of an item go into the shared
 * metric. Figures in another unit get a separate metric, so that no series has two figures for a period, in whatever
 * order files are imported. An item has the unit of its longest prefix in the table. Made from the 31,102 data items
 * that the package tidyUSDA (0.4) lists.
 */
const USUAL_UNITS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(usualUnits).map(([what, units]) => {
    const pairs = Object.entries(units).flatMap(([unit, items]) =>
      listed(items).map((item) => [item, unit] as const),
    );
    return [what, new Map(pairs)];
  }),
);

/** Checks whether the shared metric has a unit for other items, but not for this one. */
function isSecondUnit(what: string, unit: string, itemText: string): boolean {
  const usual = USUAL_UNITS.get(what);
  if (usual === undefined || ![...usual.values()].includes(unit)) return false;
  const parts = itemText.split(', ');
  while (parts.length > 0 && !usual.has(parts.join(', '))) parts.pop();
  return usual.get(parts.join(', ')) !== unit;
}

const UNITS = unitsByText(`
  ACRES = ac; TONS = short ton; TONS / ACRE = short ton/ac; LB = lb; LB / ACRE = lb/ac; CWT = cwt;
  CWT / ACRE = cwt/ac; 480 LB BALES = bale; HEAD = head; OPERATIONS = number; NUMBER = number; $ = USD;
  $ / CWT = USD/cwt; $ / LB = USD/lb; $ / TON = USD/short ton; $ / ACRE = USD/ac; INCHES = in; DEGREES F = °F
`);

/** Crops with a legal weight of the bushel, by the first word of the item. */
const BUSHELS = readPairs(`
  CORN = corn; SOYBEANS = soybeans; WHEAT = wheat; SORGHUM = sorghum; BARLEY = barley; OATS = oats; RYE = rye
`);

/** The id of a unit, a bushel being that of the item's crop; undefined when the vocabulary does not have it. */
function findNassUnitId(unit: string, itemText: string): number | undefined {
  const known = UNITS.get(unit);
  if (known !== undefined) return known;
  if (/^PCT/.test(unit)) return unitId('%');
  const crop = BUSHELS.get(/^[A-Z]+/.exec(itemText)?.[0] ?? '');
  if (unit === 'BU') return crop === undefined ? unitId('bu') : unitId(`bu (${crop})`);
  if (unit === 'BU / ACRE') return crop === undefined ? unitId('bu/ac') : unitId(`bu/ac (${crop})`);
  return unit === '$ / BU' && crop !== undefined ? findUnitId(`USD/bu (${crop})`) : undefined;
}
