import { IngestError } from '../../model/errors.js';
import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { toMappedPeriod } from '../csv/periods.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import { ADDRESSES, FetchRequestError, type PlannedFile, words } from '../fetching/requests.js';
import { frequencyOfFormat, parseFormattedDate } from '../reading/dates.js';
import { monthByName, parseRowNumber } from '../reading/row-values.js';
import { planRows, TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { rowKey } from '../reading/text-rows.js';
import { continentRegionId } from '../regions/ids.js';
import { otherRegion } from '../regions/names.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { sourceUnit } from '../vocabulary/units.js';

/**
 * Exchange rates of the euro of the European Central Bank: series of its data portal as SDMX-CSV, daily to annual, and the
 * daily reference rates with a column for each currency (eurofxref.csv, eurofxref-hist.csv). The last day of a period is
 * the reporting date; its rate is available at 16:00 UTC, as rates are published about 16:00 in Frankfurt (ECB, Euro foreign
 * exchange reference rates). Of the portal's exchange rates, only averages of spot rates are read.
 */
export const ecb = defineTables({
  name: 'ecb',
  summary: 'European Central Bank: exchange rates of the euro (SDMX-CSV, eurofxref-hist.csv)',
  sources: [SOURCES.ecb],
  counts: 'values',
  fetch: { takes: 'keys of series, such as M.USD.EUR.SP00.A', byDefault: 'reference', find: findRates },
  forms: [
    {
      name: 'a table of exchange rates in SDMX-CSV',
      matches: (fields) => fields.includes('CURRENCY_DENOM') && fields.includes('OBS_VALUE'),
      plan: planSeries,
    },
    {
      name: 'one of daily reference rates',
      // Two currencies that have always been in it, because "Date" alone begins many tables.
      matches: (fields) => fields[0] === 'Date' && fields.includes('USD') && fields.includes('JPY'),
      plan: planDaily,
    },
  ],
});

const CONSTANTS = { metric_id: metricId('Exchange rate') };
const COLUMNS = {
  frequency: 'FREQ',
  currency: 'CURRENCY',
  denominator: 'CURRENCY_DENOM',
  type: 'EXR_TYPE',
  suffix: 'EXR_SUFFIX',
  multiplier: 'UNIT_MULT?',
  period: 'TIME_PERIOD',
  value: 'OBS_VALUE',
};

function planSeries(table: OpenedTable, { batch }: DatasetJob) {
  const fields = TableFields.of(table, COLUMNS);
  return planRows({
    keys: [
      fields.key(['type', 'suffix', 'denominator', 'multiplier'], (row) => {
        const kind = `${row.type}.${row.suffix} per ${row.denominator}`;
        if (kind !== 'SP00.A per EUR') return { notRead: kind };
        const power = row.multiplier || '0';
        return power === '0' ? {} : { notRead: `values times 10 to the power of ${power}` };
      }),
      fields.key(['frequency', 'period'], ({ frequency, period }) => answerTimes(frequency, period)),
      fields.key(['currency'], ({ currency }) => answerCurrency(currency, batch)),
    ],
    values: [
      {
        column: fields.at.value,
        name: 'rate',
        resolve: (text) => ({ value: ['', 'NaN'].includes(text) ? null : parseRowNumber(text, 'rate') }),
      },
    ],
    constants: CONSTANTS,
  });
}

function planDaily(table: OpenedTable, { batch }: DatasetJob) {
  const { dataset, file, header } = table;
  const fields = new TableFields({ period: 0 });
  // All columns but the date, and the one without a name that a trailing comma makes.
  const columns = header
    .map((currency, column) => ({ currency, column }))
    .filter(({ currency, column }) => column > 0 && currency !== '');
  const odd = columns.find(({ currency }) => !/^[A-Z]{3}$/.test(currency));
  if (odd !== undefined) {
    const message = `${file} has a column "${odd.currency}", which is not the code of a currency`;
    throw new IngestError(dataset, message, { file, row: 1 });
  }
  return planRows({
    keys: [],
    values: columns.map(({ currency, column }, ofValue) => ({
      column,
      name: 'rate',
      resolve: (text) =>
        ['', 'N/A'].includes(text)
          ? { notRead: 'days without a rate' }
          : { value: parseRowNumber(text, 'rate') },
      keys: [
        fields.key(['period'], ({ period }) => answerTimes('D', isoDay(period))),
        // A currency is added where it has a rate.
        rowKey({
          texts: [{ ofValue }],
          resolve: () => answerCurrency(currency, batch),
        }),
      ],
    })),
    constants: CONSTANTS,
  });
}

/** Frequencies of SDMX that are read, with how their periods are written. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['D', 'YYYY-MM-DD'],
  ['M', 'YYYY-MM'],
  ['Q', 'YYYYQn'],
  ['A', 'YYYY'],
]);

const RELEASE_TIME_MS = 16 * 3_600_000;

/** @throws RowError when the period is none of the frequency */
function answerTimes(letter: string, period: string): RowAnswer {
  const format = FORMATS.get(letter);
  if (format === undefined) return { notRead: `FREQ ${letter}` };
  const frequency = frequencyOfFormat(format);
  const rule = { frequency, areYears: letter === 'A', firstMonth: 1, isLastDay: false };
  const span = toMappedPeriod(parseFormattedDate(period, format), rule);
  const { endMs } = span;
  return { ...span, frequency_id: frequency.id, reportingMs: endMs, availableMs: endMs + RELEASE_TIME_MS };
}

/** A day such as `02 January 2024`, as the file of the latest day alone has it, in the form of the others. */
function isoDay(text: string): string {
  const [, day = '', month = '', year] = /^(\d\d?) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const [mm, dd] = [monthByName(month), day].map((part) => String(part).padStart(2, '0'));
  return year === undefined ? text : `${year}-${mm}-${dd}`;
}

const CURRENCY_NAMES = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });

const EURO_AREA = otherRegion({
  name: 'Euro area',
  definition: 'The countries whose currency is the euro, at the time.',
  belongsTo: [continentRegionId('EU')],
  aliases: ['EA', 'Eurozone'],
});

/** @param code of ISO 4217 @throws RowError when there is no such currency */
function answerCurrency(code: string, batch: BatchBuilder): RowAnswer {
  const name = /^[A-Z]{3}$/.test(code) ? CURRENCY_NAMES.of(code) : undefined;
  if (name === undefined) throw new RowError(`"${code}" is not the code of a currency`);
  const item = { name, definition: `Currency; ISO 4217 ${code}.`, belongsTo: [], aliases: [code] };
  const unit = { ...sourceUnit(`${name} per euro`), abbreviation: `${code}/EUR` };
  return {
    item_id: batch.addNamedEntity('items', `currency:${code}`, item),
    unit_id: batch.addNamedEntity('units', `currency:${code}/EUR`, unit),
    region_id: batch.addNamedEntity('regions', 'ecb:region:euro area', EURO_AREA),
  };
}

/** The daily reference rates, or series by their keys. */
function findRates(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (word === 'reference') return { address: ADDRESSES.ecbReferenceRates, name: 'eurofxref-hist.zip' };
    if (/^[A-Z](\.[A-Z0-9+]*){4}$/.test(word))
      return { address: `${ADDRESSES.ecbSeries}${word}?format=csvdata`, name: `${word}.csv` };
    throw new FetchRequestError(
      `"${word}" is neither "reference" nor the key of a series, such as M.USD.EUR.SP00.A`,
    );
  });
}
