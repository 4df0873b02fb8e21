import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { findItemId, itemsByName } from '../vocabulary/items.js';
import { unitDimension } from '../vocabulary/units.js';
import { resolveNassMetric, sentenceCase } from './metrics.js';
import { isSecondUnit } from './second-units.js';
import { addUnknownUnit, findNassUnitId } from './units.js';

/** Metric, item and unit of a row. */
export interface NassMeasure {
  readonly metricId: number;
  readonly itemId: number;
  readonly unitId: number;
}

/** The fields of a row that determine its measure. */
interface NassMeasureText {
  /** SHORT_DESC, or Data Item of the web export: `CORN, GRAIN - YIELD, MEASURED IN BU / ACRE`. */
  readonly shortDesc: string;
  /** DOMAINCAT_DESC: `ECONOMIC CLASS: (1,000 TO 2,499 $)`; empty when the domain is TOTAL. */
  readonly domain: string;
  /** UNIT_DESC; empty in the web export. */
  readonly unit: string;
  /** The span of figures that are not of a whole year, quarter, month or week: `marketing year`. */
  readonly span: string;
}

/**
 * Metrics that corn and sorghum have as whole crops. All others distinguish grain from silage, and the shared items are
 * those for grain.
 */
const WHOLE_CROP = /^(ACRES PLANTED$|CONDITION|PROGRESS(?!.*HARVESTED$))/;
const WHOLE_CROPS: ReadonlyMap<string, string> = new Map([
  ['CORN', 'CORN, GRAIN'],
  ['SORGHUM', 'SORGHUM, GRAIN'],
]);
const GRAINS: ReadonlySet<string> = new Set(WHOLE_CROPS.values());

/**
 * The measure of a row; adds the entities that the vocabulary does not have. A domain other than the total is part of
 * the item.
 * @throws RowError when there is no " - " between item and metric
 */
export function resolveNassMeasure(text: NassMeasureText, batch: BatchBuilder): NassMeasure {
  const dash = text.shortDesc.lastIndexOf(' - ');
  if (dash < 0) throw new RowError(`the data item "${text.shortDesc}" has no " - " between item and metric`);
  const itemText = text.shortDesc.slice(0, dash).trim();
  const [what, measuredIn] = splitUnit(text.shortDesc.slice(dash + 3).trim());
  const unit = text.unit || measuredIn || impliedUnit(what);
  const unitId = findNassUnitId(unit, itemText) ?? addUnknownUnit(unit, batch);
  return {
    metricId: resolveNassMetric(
      {
        what,
        measuredIn,
        span: text.span,
        dimension: isSecondUnit(text.shortDesc) ? null : unitDimension(unitId),
      },
      batch,
    ),
    itemId: resolveItem({ itemText, domain: text.domain, metricText: `${what} ${measuredIn}`.trim() }, batch),
    unitId,
  };
}

function splitUnit(metricText: string): [what: string, unit: string] {
  const [what, unit = ''] = metricText.split(', MEASURED IN ');
  return [what!, unit];
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
  const item = { name, definition, belongsTo: [base], aliases: [] };
  return batch.addNamedEntity('items', `nass:item:${itemText}|${domain}`, item);
}

function findSharedItem(itemText: string, metricText: string): number | undefined {
  const grain = WHOLE_CROPS.get(itemText);
  const isWhole = WHOLE_CROP.test(metricText);
  if (grain !== undefined) return isWhole ? findNassItem(grain) : undefined;
  return isWhole && GRAINS.has(itemText) ? undefined : findNassItem(itemText);
}

const findNassItem = itemsByName({
  Corn: ['CORN, GRAIN'],
  Sorghum: ['SORGHUM, GRAIN'],
  'Corn silage': ['CORN, SILAGE'],
  'Winter wheat': ['WHEAT, WINTER'],
  'Spring wheat': ['WHEAT, SPRING, (EXCL DURUM)'],
  'Durum wheat': ['WHEAT, SPRING, DURUM'],
  'Sunflower seed': ['SUNFLOWER'],
  'Beans, dry': ['BEANS, DRY EDIBLE'],
  'Sugar cane': ['SUGARCANE'],
  'Sugar beets': ['SUGARBEETS'],
  Labour: ['LABOR'],
});

function addItem(itemText: string, batch: BatchBuilder): number {
  const name = sentenceCase(itemText) + (WHOLE_CROPS.has(itemText) ? ', all uses' : '');
  const parent = findItemId(itemText.split(',')[0]!);
  const definition = `Quick Stats of USDA NASS: ${itemText}.`;
  const belongsTo = parent === undefined ? [] : [parent];
  const item = { name, definition, belongsTo, aliases: [itemText] };
  return batch.addNamedEntity('items', `nass:item:${itemText}`, item);
}
