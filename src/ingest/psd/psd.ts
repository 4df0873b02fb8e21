import { frequencyId } from '../../model/frequency.js';
import { utcDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineDataset } from '../dataset.js';
import { ADDRESSES, FetchRequestError, inFolder, type PlannedFile, words } from '../fetching/requests.js';
import { parseRowInteger } from '../reading/row-values.js';
import { planRows, TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import type { RowPlan } from '../reading/text-rows.js';
import { type CountryNames, loadCountryNames, resolveRegionName } from '../regions/names.js';
import { usdaReleaseMs } from '../usda/calendar.js';
import { SOURCES } from '../vocabulary/sources.js';
import { listed } from '../vocabulary/text-table.js';
import { psdPeriod, resolvePsdItem, resolvePsdMetric, resolvePsdUnit } from './measures.js';

/**
 * USDA FAS PSD Online: the CSV files of the download page (`psd_grains_pulses_csv.zip` …), with or without leading zeros
 * in codes. The month in which a row was last updated is its reporting date, and that month's release its available
 * date. Periods are the marketing years of country and commodity where known; trade years for attributes of trade years.
 */
export const psd = defineDataset<Countries>({
  name: 'psd',
  summary: 'USDA FAS PSD Online: production, supply and distribution (CSV or zip)',
  sources: [SOURCES.psd],
  forms: [
    {
      name: 'a file of PSD Online',
      matches: (fields) => fields.includes('Commodity_Code') && fields.includes('Market_Year'),
      plan: planPsd,
    },
  ],
  fetch: { takes: 'a group, such as grains_pulses', byDefault: 'alldata', find: findGroups },
  prepare: async () => ({ countries: await loadCountryNames() }),
});

interface Countries {
  readonly countries: CountryNames;
}

const COLUMNS = {
  commodityCode: 'Commodity_Code',
  commodity: 'Commodity_Description',
  countryCode: 'Country_Code',
  country: 'Country_Name',
  marketYear: 'Market_Year',
  updatedYear: 'Calendar_Year',
  updatedMonth: 'Month',
  attributeId: 'Attribute_ID',
  attribute: 'Attribute_Description',
  /** The attribute where it may be one of trade years. */
  tradeAttribute: 'Attribute_Description',
  unit: 'Unit_Description',
  value: 'Value',
} as const;

function planPsd(table: OpenedTable, { batch, importedMs, countries }: DatasetJob & Countries): RowPlan {
  const fields = TableFields.of(table, COLUMNS, {
    tradeAttribute: { field: 'attribute', is: MARKETING_ATTRIBUTES },
  });
  return planRows({
    keys: [
      fields.key(['updatedYear', 'updatedMonth'], (row) => {
        const year = parseRowInteger(row.updatedYear, 'calendar year');
        const { reportingMs, availableMs } = updateTimes(year, parseRowInteger(row.updatedMonth, 'month'));
        return { reportingMs, availableMs: Math.min(availableMs, importedMs) };
      }),
      fields.key(['attributeId', 'attribute', 'country'], ({ attributeId, attribute, country }) => {
        if (country === '') throw new RowError('the country has no name');
        return { metric_id: resolvePsdMetric(parseRowInteger(attributeId, 'attribute'), attribute, batch) };
      }),
      fields.key(['commodityCode', 'commodity'], ({ commodityCode, commodity }) => ({
        item_id: resolvePsdItem(parseRowInteger(commodityCode, 'commodity code'), commodity, batch),
      })),
      fields.key(['country'], ({ country }) => ({
        region_id: resolveRegionName(country, { countries, batch, dataset: 'psd' }),
      })),
      fields.key(
        ['marketYear', 'commodity', 'countryCode', 'tradeAttribute'],
        ({ marketYear, commodity, countryCode: country, tradeAttribute }) => {
          const kind = tradeAttribute.startsWith('TY ') ? 'trade' : 'marketing';
          return psdPeriod(parseRowInteger(marketYear, 'market year'), { commodity, country }, kind);
        },
      ),
      fields.key(['unit'], ({ unit }) => ({ unit_id: resolvePsdUnit(unit, batch) })),
    ],
    values: [{ column: fields.at.value, name: 'value' }],
    constants: { source_id: SOURCES.psd.id, frequency_id: frequencyId('annual') },
  });
}

/** Month 0, in some old rows, is an unknown month: these rows were available at the end of the year. */
function updateTimes(year: number, month: number): { reportingMs: number; availableMs: number } {
  if (month > 12 || year < 1900 || year > 9999)
    throw new RowError(`month ${month} of ${year} is not in the calendar`);
  if (month === 0) return { reportingMs: utcDay(year, 1, 1), availableMs: utcDay(year + 1, 1, 1) };
  return { reportingMs: utcDay(year, month, 1), availableMs: usdaReleaseMs(year, month) };
}

/** Usual attributes of marketing years; the others are told apart by their names. */
const MARKETING_ATTRIBUTES = listed(`
  Area Harvested; Area Planted; Beginning Stocks; Production; Imports; MY Imports; Total Supply; Exports; MY Exports;
  Crush; Domestic Consumption; Feed Dom. Consumption; Food Use Dom. Cons.; FSI Consumption; Ending Stocks;
  Total Distribution; Yield
`);

function findGroups(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (!/^[a-z_]+$/.test(word))
      throw new FetchRequestError(`"${word}" is not a group of PSD, such as grains_pulses`);
    return inFolder(ADDRESSES.psdFolder, `psd_${word}_csv.zip`);
  });
}
