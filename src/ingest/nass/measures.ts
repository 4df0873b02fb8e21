import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { findItemId, itemId } from '../vocabulary/items.js';
import { unitDimension } from '../vocabulary/units.js';
import { resolveNassMetric, sentenceCase } from './metrics.js';
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

/** Metrics of corn as a whole crop. All others distinguish grain from silage, and the shared item is corn for grain. */
const WHOLE_CROP = /^(ACRES PLANTED|PROGRESS|CONDITION)/;

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
      { what, measuredIn, span: text.span, dimension: unitDimension(unitId) },
      batch,
    ),
    itemId: resolveItem({ itemText, domain: text.domain, what }, batch),
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
  { itemText, domain, what }: { itemText: string; domain: string; what: string },
  batch: BatchBuilder,
): number {
  const wholeCorn = itemText === 'CORN' && !WHOLE_CROP.test(what);
  const shared = wholeCorn ? undefined : (VARIETIES.get(itemText) ?? findItemId(itemText));
  const base = shared ?? addItem(wholeCorn ? 'Corn, all uses' : sentenceCase(itemText), itemText, batch);
  if (domain === '') return base;
  const name = `${sentenceCase(itemText)}; ${domain.toLowerCase()}`;
  const definition = `Quick Stats of USDA NASS: ${itemText}, the part of ${domain}.`;
  const item = { name, definition, belongsTo: [base], aliases: [] };
  return batch.addNamedEntity('items', `nass:item:${itemText}|${domain}`, item);
}

const VARIETIES: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    'WHEAT, WINTER': itemId('Winter wheat'),
    'WHEAT, SPRING, (EXCL DURUM)': itemId('Spring wheat'),
    'WHEAT, SPRING, DURUM': itemId('Durum wheat'),
    SUNFLOWER: itemId('Sunflower seed'),
    CANOLA: itemId('Rapeseed'),
  }),
);

function addItem(name: string, itemText: string, batch: BatchBuilder): number {
  const parent = findItemId(itemText.split(',')[0]!);
  const definition = `Quick Stats of USDA NASS: ${itemText}.`;
  const belongsTo = parent === undefined ? [] : [parent];
  const item = { name, definition, belongsTo, aliases: [itemText] };
  return batch.addNamedEntity('items', `nass:item:${itemText}`, item);
}
