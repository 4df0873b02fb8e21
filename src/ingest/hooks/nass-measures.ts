import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { Hook } from '../document/hook.js';
import { findItemId, itemsByName, metricId } from '../vocabulary/entities.js';
import { findUnitId, sourceUnit, unitDimension, unitId } from '../vocabulary/units.js';
import { nassSpan } from './nass-periods.js';
import vocabulary from './nass-vocabulary.json' with { type: 'json' };

/** Resolves a Quick Stats row's metric, item and unit. A domain other than the total becomes part of the item. */
export const nassMeasure: Hook = {
  takes: ['data_item', 'domain', 'domain_category', 'unit', 'period'],
  answers: ['metric', 'item', 'unit'],
  prepare:
    async ({ batch }) =>
    ({ data_item = '', domain: kind, domain_category, unit = '', period = '' }) => {
      const domain = kind === 'TOTAL' ? '' : domain_category || kind!;
      return resolveNassMeasure(
        { shortDesc: data_item, domain, unit, span: nassSpan(period, data_item) },
        batch,
      );
    },
};

/** Resolves a row's metric, item and unit, and adds unknown ones. @throws RowError if the data item has no " - " */
export function resolveNassMeasure(
  text: Readonly<Record<'shortDesc' | 'domain' | 'unit' | 'span', string>>,
  batch: BatchBuilder,
): Required<Pick<RowAnswer, 'metric_id' | 'item_id' | 'unit_id'>> {
  const [, item, full] = /^(.*) - (.*)$/s.exec(text.shortDesc)?.map((part) => part.trim()) ?? [];
  if (item === undefined || full === undefined)
    throw new RowError(`the data item "${text.shortDesc}" has no " - " after the name of the item`);
  const [what = '', measuredIn = ''] = full.split(', MEASURED IN ');
  const unit = text.unit || measuredIn || impliedUnit(what);
  const unit_id =
    findNassUnitId(unit, item) ??
    batch.addNamedEntity('units', `nass:unit:${unit}`, sourceUnit(unit.toLowerCase()));
  return {
    metric_id: resolveMetric({ full, what, unit, unit_id, item, span: text.span }, batch),
    item_id: resolveItem(item, { domain: text.domain, metric: `${what} ${measuredIn}`.trim() }, batch),
    unit_id,
  };
}

function impliedUnit(what: string): string {
  return what.startsWith('ACRES') ? 'ACRES' : what.startsWith('INVENTORY') ? 'HEAD' : 'NUMBER';
}

const UNITS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.units));
/** Crops with a legally defined bushel weight, keyed by the first word of the NASS item. */
const BUSHELS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.bushels));

/** Finds a unit by its NASS name. The weight of a bushel depends on the item's crop. */
function findNassUnitId(unit: string, item: string): number | undefined {
  const known = UNITS.get(unit) ?? (unit.startsWith('PCT') ? '%' : undefined);
  if (known !== undefined) return unitId(known);
  if (!/^(BU|BU \/ ACRE|\$ \/ BU)$/.test(unit)) return undefined;
  const name = unit.replace(' / ', '/').replace('$', 'USD').replace('BU', 'bu').replace('ACRE', 'ac');
  const crop = BUSHELS.get(/^[A-Z]+/.exec(item)?.[0] ?? '');
  return findUnitId(crop === undefined ? name : `${name} (${crop})`);
}

/** Matches corn and sorghum metrics that cover both grain and silage. In other metrics, the shared items mean grain. */
const WHOLE_CROP = /^(ACRES PLANTED$|CONDITION|PROGRESS(?!.*HARVESTED$))/;
const CROP_OR_GRAIN = /^(CORN|SORGHUM)(, GRAIN)?$/;

function resolveItem(
  item: string,
  { domain, metric }: Record<'domain' | 'metric', string>,
  batch: BatchBuilder,
): number {
  const base = findSharedItem(item, metric) ?? addItem(item, batch);
  if (domain === '') return base;
  const name = `${sentenceCase(item)}; ${domain.toLowerCase()}`;
  const definition = `Quick Stats of USDA NASS: ${item}, the part of ${domain}.`;
  return batch.addNamedEntity('items', `nass:item:${item}|${domain}`, {
    name,
    definition,
    belongsTo: [base],
  });
}

const findNassItem = itemsByName(vocabulary.items);

function findSharedItem(item: string, metric: string): number | undefined {
  const [, crop, grain] = CROP_OR_GRAIN.exec(item) ?? [];
  if (crop === undefined || !WHOLE_CROP.test(metric)) return findNassItem(item);
  return grain === undefined ? findNassItem(`${crop}, GRAIN`) : undefined;
}

function addItem(item: string, batch: BatchBuilder): number {
  const parent = findItemId(item.split(',')[0]!);
  return batch.addNamedEntity('items', `nass:item:${item}`, {
    name: sentenceCase(item) + (/^(CORN|SORGHUM)$/.test(item) ? ', all uses' : ''),
    definition: `Quick Stats of USDA NASS: ${item}.`,
    belongsTo: parent === undefined ? [] : [parent],
    aliases: [item],
  });
}

interface MetricText extends Readonly<Record<'what' | 'unit' | 'item' | 'span', string>> {
  /** The text after the dash, such as `YIELD, MEASURED IN BU / ACRE`. `what` is the same text without the unit. */
  readonly full: string;
  readonly unit_id: number;
}

/** Resolves a metric. An item's second unit and special periods, such as marketing years, require separate metrics. */
function resolveMetric({ full, what, unit, unit_id, item, span }: MetricText, batch: BatchBuilder): number {
  // Inventories of machines have the unit NUMBER instead of HEAD.
  const isOther = isSecondUnit(what, unit, item) || (what === 'INVENTORY' && unit !== 'HEAD');
  const dimension = isOther ? null : unitDimension(unit_id);
  const shared = vocabulary.metrics.find(
    ([text, of]) => [full, what].includes(text!) && of === dimension,
  )?.[2];
  if (shared !== undefined && span === '') return metricId(shared);
  if (shared === 'Price' && span === 'marketing year') return metricId('Average farm price');
  const suffix = span === '' ? '' : `, ${span}`;
  const [, group] = Object.entries(vocabulary.groups).find(([start]) => what.startsWith(start)) ?? [];
  const parent = shared ?? group;
  const text = shared === undefined ? full : what;
  return batch.addNamedEntity('metrics', `nass:metric:${shared ?? full}|${span}`, {
    name: sentenceCase(shared ?? full) + suffix,
    definition: `Quick Stats of USDA NASS: ${text}${suffix}.`,
    belongsTo: parent === undefined ? [] : [metricId(parent)],
    aliases: [text],
  });
}

function sentenceCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/**
 * The usual units of shared metrics, keyed by metric and then by item. If an item is not listed, the unit of its
 * longest listed prefix applies. They were derived from the 31,102 data items listed in the package tidyUSDA (0.4).
 */
const USUAL_UNITS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(vocabulary.usualUnits).map(([what, units]) => {
    const pairs = Object.entries(units).flatMap(([unit, items]) =>
      items.map((item) => [item, unit] as const),
    );
    return [what, new Map(pairs)];
  }),
);

function isSecondUnit(what: string, unit: string, item: string): boolean {
  const usual = USUAL_UNITS.get(what);
  if (usual === undefined || ![...usual.values()].includes(unit)) return false;
  const parts = item.split(', ');
  while (parts.length > 0 && !usual.has(parts.join(', '))) parts.pop();
  return usual.get(parts.join(', ')) !== unit;
}
