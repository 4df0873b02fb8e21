import type { BatchBuilder } from '../batch/batch-builder.js';
import { RowError } from '../batch/batch-builder.js';
import { findItemId, itemId } from '../vocabulary/items.js';
import { unitDimension } from '../vocabulary/units.js';
import { resolveNassMetric, sentenceCase } from './metrics.js';
import { addUnknownUnit, findNassUnitId } from './units.js';

/** Metric, item and unit of a row. */
export interface NassMeasure {
  readonly metric_id: number;
  readonly item_id: number;
  readonly unitId: number;
}

/** What a row says of its measure, in either format. */
interface NassMeasureText {
  /** SHORT_DESC, the web export's Data Item: `CORN, GRAIN - YIELD, MEASURED IN BU / ACRE`. */
  readonly shortDesc: string;
  /** DOMAINCAT_DESC, empty when the domain is TOTAL: `ECONOMIC CLASS: (1,000 TO 2,499 $)`. */
  readonly domain: string;
  /** UNIT_DESC, empty when the format does not have it. */
  readonly unit: string;
  /** What tells figures of other spans than whole years, months or weeks apart: `marketing year`. */
  readonly span: string;
}

/** Of all corn, planted and growing; harvests of grain and silage are told apart, and grain is what "corn" means. */
const WHOLE_CROP = /^(ACRES PLANTED|PROGRESS|CONDITION)/;

/**
 * Finds the measure of a row and puts the entities that the shared vocabulary lacks. Corn is corn for grain; a domain
 * other than the total becomes part of the item.
 * @throws RowError when the text has no dash between item and metric
 */
export function resolveNassMeasure(text: NassMeasureText, batch: BatchBuilder): NassMeasure {
  const dash = text.shortDesc.lastIndexOf(' - ');
  if (dash < 0) throw new RowError(`the data item "${text.shortDesc}" has no " - " between item and metric`);
  const itemText = text.shortDesc.slice(0, dash).trim();
  const [what, measuredIn] = splitUnit(text.shortDesc.slice(dash + 3).trim());
  const unit = text.unit || measuredIn || impliedUnit(what);
  const unitId = findNassUnitId(unit, itemText) ?? addUnknownUnit(unit, batch);
  return {
    metric_id: resolveNassMetric(
      { what, measuredIn, span: text.span, dimension: unitDimension(unitId) },
      batch,
    ),
    item_id: resolveItem({ itemText, domain: text.domain, what }, batch),
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
  const shared = wholeCorn ? undefined : (VARIETIES[itemText] ?? findItemId(itemText));
  const base = shared ?? addItem(wholeCorn ? 'Corn, all uses' : sentenceCase(itemText), itemText, batch);
  if (domain === '') return base;
  const name = `${sentenceCase(itemText)}; ${domain.toLowerCase()}`;
  const definition = `Quick Stats of USDA NASS: ${itemText}, the part of ${domain}.`;
  const item = { name, definition, belongsTo: [base], aliases: [] };
  return batch.putNamed('items', `nass:item:${itemText}|${domain}`, item);
}

const VARIETIES: Readonly<Record<string, number>> = {
  'WHEAT, WINTER': itemId('Winter wheat'),
  'WHEAT, SPRING, (EXCL DURUM)': itemId('Spring wheat'),
  'WHEAT, SPRING, DURUM': itemId('Durum wheat'),
  SUNFLOWER: itemId('Sunflower seed'),
  CANOLA: itemId('Rapeseed'),
};

function addItem(name: string, itemText: string, batch: BatchBuilder): number {
  const parent = findItemId(itemText.split(',')[0]!);
  const definition = `Quick Stats of USDA NASS: ${itemText}.`;
  const belongsTo = parent === undefined ? [] : [parent];
  const item = { name, definition, belongsTo, aliases: [itemText] };
  return batch.putNamed('items', `nass:item:${itemText}`, item);
}
