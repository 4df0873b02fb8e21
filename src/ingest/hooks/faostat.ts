import { MONTH_NAMES, monthsPeriod, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { getOrCompute } from '../../model/grouping.js';
import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { Row } from '../document/fields.js';
import type { Hook, HookTable } from '../document/hook.js';
import { splitRecords } from '../reading/delimited.js';
import { monthByPrefix } from '../reading/row-values.js';
import { foldName } from '../regions/names.js';
import { itemId, itemsByName, metricId } from '../vocabulary/entities.js';
import { sourceUnit, unitDimension, unitId } from '../vocabulary/units.js';
import vocabulary from './faostat-vocabulary.json' with { type: 'json' };

/** Shared metrics, keyed by FAOSTAT element in lower case. Values in another dimension get a FAOSTAT metric. */
const METRICS = new Map(
  Object.entries(vocabulary.metrics).map(([element, { metric, dimension }]) => [
    element,
    { id: metricId(metric), dimension },
  ]),
);

const UNITS = new Map(Object.entries(vocabulary.units).map(([text, name]) => [text, unitId(name)]));

/** New names for units. Temperature changes get separate units, because a change in °F must not be shifted by 32. */
const RENAMED_UNITS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.renamedUnits));

/** Resolves a unit. An unknown unit is added as a FAOSTAT unit, which cannot be converted. */
export function resolveFaoUnit(written: string, batch: BatchBuilder) {
  const text = RENAMED_UNITS.get(written) ?? written;
  const name = text === '' ? 'no unit' : text;
  const shared = UNITS.get(name.toLowerCase());
  const id = shared ?? batch.addNamedEntity('units', `faostat:unit:${name}`, sourceUnit(name));
  return { id, text };
}

export function resolveFaoMetric(
  element: string,
  unit: ReturnType<typeof resolveFaoUnit>,
  batch: BatchBuilder,
): number {
  const shared = METRICS.get(element.toLowerCase());
  if (shared !== undefined && unitDimension(unit.id) === shared.dimension) return shared.id;
  // Some elements have values in different units, such as eggs by number and by weight.
  const name = shared === undefined ? element : `${element}, ${unit.text}`;
  const definition = `Element of FAOSTAT: ${name}.`;
  const belongsTo = shared === undefined ? [] : [shared.id];
  return batch.addNamedEntity('metrics', `faostat:metric:${name}`, { name, definition, belongsTo });
}

/**
 * Resolves a row's item. An item that is not in the vocabulary is added as a FAOSTAT item. Items are identified by name
 * because their codes differ between bulk files and exports from the website. Semicolons and commas are
 * interchangeable.
 * @param balance the balance to which the row belongs, if any. Balances have separate items because their values are
 *   adjusted. Food balances also round values and aggregate products by primary crop, so their production of "Oats"
 *   differs from that in other data sets.
 */
export function resolveFaoItem(text: string, batch: BatchBuilder, balance: FaoBalance | null = null): number {
  const name = text.trim().replaceAll(';', ',');
  const shared = findFaoItem(name);
  if (balance === null && shared !== undefined) return shared;
  const own = balance === null ? name : `${name} (${balance})`;
  const definition = `Item of FAOSTAT: ${own}.`;
  const item = { name: own, definition, belongsTo: shared === undefined ? [] : [shared] };
  return batch.addNamedEntity('items', `faostat:item:${foldName(own)}`, item);
}

/** FAOSTAT's balances. Historic food balances end in 2013 and were calculated using a different method. */
export type FaoBalance = 'food balances' | 'historic food balances' | 'supply utilization accounts';

/**
 * Finds a shared item by its name in the production and trade data sets. FAOSTAT has adopted the names of the Central
 * Product Classification, so "Rice, paddy" is now "Rice"; "Rice, milled" is a different item. "Livestock" is a FAOSTAT
 * index, and keeps the separate item that it had before the vocabulary included livestock.
 */
const findFaoItem = itemsByName(vocabulary.items);

const faoMeasure: Hook = {
  takes: ['element', 'unit'],
  answers: ['metric', 'unit'],
  prepare:
    async ({ batch }) =>
    ({ element = '', unit: written = '' }) => {
      const unit = resolveFaoUnit(written, batch);
      return { metric_id: resolveFaoMetric(element, unit, batch), unit_id: unit.id };
    },
};

/** Matches columns that may contain the item, in order of preference. Exchange rates have a currency as the item. */
const ITEMS = [/^Item( ?Name)?$/, /^Currency$/, /^Indicator$/];
const ITEM_CODE = /^Item ?Code( \((FAO|FBS|CBS)\))?$/;
const BALANCE_COLUMN = /^Item Code \([FC]BS\)$/;
/** Matches balance item codes: 2511 (wheat) to 2961 (seafood), which have been prefixed with S since 2022. */
const BALANCE_CODE = /^'?S?2[5-9]\d\d$/;
/** Matches codes of balance groups named like an item: "Miscellaneous", "Milk - Excluding Butter", "Eggs". */
const GROUP_LIKE_ITEM = /^'?S?29(28|48|49)$/;
/** Matches the domains (code and name) of food and commodity balances. */
const BALANCE_DOMAIN = /^(FBSH?|CBH?|BC|BL|CC|CL) |(food|commodity) balance|^\w* *food supply - /i;
/** Matches the domains (code and name) of balances that were calculated using the older method. */
const HISTORIC_DOMAIN = /^(FBSH|CBH|BC|BL|CC|CL) |old method|balance sheets|primary equivalent/i;
const HISTORIC_FILE = /historic|old_?method/i;
/** The first year for which food balances are calculated using the current method. */
const FIRST_PRESENT_YEAR = 2010;
const ACCOUNTS_DOMAIN = /^SCL |supply utilization/i;
/** Matches elements that occur only in supply utilization accounts, and not in production or trade data. */
const ACCOUNTS = /\b(5016"?,"?Loss|5071"?,"?Stock|5113"?,"?Opening|5141"?,"?Food)/;
/** Matches columns that subdivide items. Most have a column of codes beside them, except in web exports. */
const DIMENSIONS =
  /^(Sex|(FAO )?Source|Release|Survey|Purpose|Food Group|Geographic Level|Population .*Group|Bread?k?down .*)$/;
/** Matches columns that do not subdivide items: those for metrics, regions, items and periods. */
const NO_PART_OF_ITEM = /^(Domain|Area|(Recipient )?Country|Donor|Item|Element|Months|Year)$/;
/** Matches parts that are omitted from an item's name: an empty part, the total, or FAO's own figures. */
const USUAL_PART = /^(|total|FAO TIER 1)$/i;
/** The item for temperature changes on land, for which FAOSTAT files do not state an item. */
const TEMPERATURE = itemId('Temperature mean');

/** Resolves an item by its name and the columns that subdivide it. Balances have separate items. */
const faoItem: Hook = {
  takes: ['domain_code', 'domain'],
  answers: ['item'],
  columns({ header }) {
    const item = ITEMS.flatMap((name) => header.find((column) => name.test(column)) ?? [])[0];
    const code = header.find((column) => ITEM_CODE.test(column));
    const isPart = (name: string) => DIMENSIONS.test(name) || header.includes(`${name} Code`);
    const parts = header.filter((name) => isPart(name) && name !== item && !NO_PART_OF_ITEM.test(name));
    return {
      ...((item !== undefined || !header.includes('Months')) && { item: item ?? 'Item' }),
      ...(code !== undefined && { code }),
      ...Object.fromEntries(parts.sort().map((name, i) => [`part ${i}`, name])),
    };
  },
  async prepare({ batch }) {
    const resolvers = new Map<HookTable, ReturnType<typeof itemResolver>>();
    return ({ item, code = '', domain_code = '', domain = '', ...parts }, table) => {
      const resolve = getOrCompute(resolvers, table, () => itemResolver(table, batch));
      const others = Object.values(parts).filter((part) => !USUAL_PART.test(part));
      if (item === undefined) return { item_id: TEMPERATURE };
      return { item_id: resolve([item, ...others].join(', '), code, `${domain_code} ${domain}`) };
    };
  },
};

function itemResolver(table: HookTable, batch: BatchBuilder) {
  const { header, file, sample } = table;
  const isBalance = header.some((name) => BALANCE_COLUMN.test(name));
  const isAccounts = ACCOUNTS.test(sample);
  const isHistoric = HISTORIC_FILE.test(file) || firstYear(table) < FIRST_PRESENT_YEAR;
  const balanceOf = (itemCode: string, domain: string): FaoBalance | null => {
    const isNamed = domain.trim() !== '';
    if (isBalance || BALANCE_CODE.test(itemCode) || BALANCE_DOMAIN.test(domain))
      return HISTORIC_DOMAIN.test(domain) || (isHistoric && !isNamed)
        ? 'historic food balances'
        : 'food balances';
    return isAccounts || ACCOUNTS_DOMAIN.test(domain) ? 'supply utilization accounts' : null;
  };
  const codes = new Map<number, string>();
  // A group named like an item gets the suffix "group". If two codes still share a name, the second is appended to it.
  return (name: string, code: string, domain: string): number => {
    const balance = balanceOf(code, domain);
    const id = resolveFaoItem(GROUP_LIKE_ITEM.test(code) ? `${name}, group` : name, batch, balance);
    if (getOrCompute(codes, id, () => code) === code) return id;
    return resolveFaoItem(`${name} (${code})`, batch, balance);
  };
}

/** Matches a year or a range of years, such as `Y1961`, `Y19992001`, `1961` or `1999-2001`. */
const YEARS = /^Y?(\d{4})-?(\d{4})?$/;

function firstYear({ header, sample }: HookTable): number {
  const at = header.indexOf('Year');
  const rows = at < 0 ? [] : [...splitRecords(sample, 1, { delimiter: ',', quotes: true })];
  const texts = [...header, ...rows.map(({ fields }) => fields[at] ?? '')];
  return Math.min(...texts.map((text) => Number(YEARS.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)));
}

const FREQUENCIES: ReadonlyMap<number, number> = new Map([
  [1, frequencyId('annual')],
  [3, frequencyId('3-year')],
  [5, frequencyId('5-year')],
]);

const MONTHS = MONTH_NAMES.map((name) => name.toLowerCase());
const ALL_YEAR = /^$|annual|^year$/i;
/** Matches a season such as `Dec–Jan–Feb`. Some files have garbled characters instead of the dashes. */
const SEASON = /^([A-Z][a-z]{2})\W+([A-Z][a-z]{2})\W+([A-Z][a-z]{2})$/;
const DECEMBER = 12;

const faoPeriod: Hook = {
  takes: ['year', 'months'],
  answers: ['start_date', 'frequency'],
  prepare: async () => parsePeriod,
};

/** Parses years, ranges, English months, seasons and meteorological years, which begin in December. @throws RowError */
function parsePeriod({ year = '', months = '' }: Row): RowAnswer {
  const [, first, last] = YEARS.exec(year) ?? [];
  if (first === undefined) throw new RowError(`the year "${year}" is not a year`);
  const ofYear = Number(first);
  const month = MONTHS.indexOf(months.trim().toLowerCase()) + 1;
  if (month > 0) return { ...monthsPeriod(ofYear, month, 1), frequency_id: frequencyId('monthly') };
  if (/^meteorological year$/i.test(months))
    return { ...monthsPeriod(ofYear - 1, DECEMBER, 12), frequency_id: frequencyId('annual') };
  const [start = 0, ...others] = (SEASON.exec(months) ?? []).slice(1).map(monthByPrefix);
  if (start > 0 && others.every((other, i) => other === ((start + i) % 12) + 1)) {
    const begins = start > 10 ? ofYear - 1 : ofYear;
    return { ...monthsPeriod(begins, start, 3), frequency_id: frequencyId('quarterly') };
  }
  if (!ALL_YEAR.test(months)) throw new RowError(`"${months}" is not a month, a season or a year`);
  const years = Number(last ?? first) - ofYear + 1;
  const frequency = FREQUENCIES.get(years);
  if (frequency === undefined)
    throw new RowError(`"${year}" covers ${years} years, and no frequency has periods of that length`);
  return { ...yearsPeriod(ofYear, years), frequency_id: frequency };
}

export const FAOSTAT_HOOKS: Readonly<Record<string, Hook>> = {
  'faostat-measure': faoMeasure,
  'faostat-item': faoItem,
  'faostat-period': faoPeriod,
};
