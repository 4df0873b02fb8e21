import { IngestError } from '../../model/errors.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { findColumns, isTable, readTables, type TableFormat, type TableKind } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { SOURCES } from '../vocabulary/sources.js';
import { ExchangeRates, type RateText } from './rates.js';

const DATASET = 'ecb';

/**
 * Exchange rates of the euro of the European Central Bank: series of its data portal as SDMX-CSV, daily to annual, and the
 * daily reference rates with a column for each currency (eurofxref.csv, eurofxref-hist.csv). The last day of a period is
 * the reporting date and the available date, because a rate is published on its day. Of the portal's exchange rates, only
 * averages of spot rates are read.
 */
export const ecb: Importer = {
  dataset: DATASET,
  summary: 'European Central Bank: exchange rates of the euro (SDMX-CSV, eurofxref-hist.csv)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => isTable([SERIES, DAILY], beginning),
  read: readEcb,
};

async function* readEcb({
  files,
  importedMs,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData([SOURCES.ecb]);
  const batch = await BatchBuilder.create({ identities });
  const rates = new ExchangeRates(batch, importedMs);
  const formats = [createSeriesFormat(rates, batch), createDailyFormat(rates, batch)];
  yield* readTables({ dataset: DATASET, files, signal }, formats, batch);
}

const SERIES: TableKind = {
  name: 'a table of exchange rates in SDMX-CSV',
  delimiter: ',',
  quotes: true,
  matches: (fields) => fields.includes('CURRENCY_DENOM') && fields.includes('OBS_VALUE'),
};

/** Two currencies that have always been in it, because "Date" alone begins many tables. */
const DAILY: TableKind = {
  name: 'one of daily reference rates',
  delimiter: ',',
  quotes: true,
  matches: (fields) => fields[0] === 'Date' && fields.includes('USD') && fields.includes('JPY'),
};

const COLUMNS: Readonly<Record<keyof RateText | 'type' | 'suffix' | 'denominator', string>> = {
  frequency: 'FREQ',
  currency: 'CURRENCY',
  denominator: 'CURRENCY_DENOM',
  type: 'EXR_TYPE',
  suffix: 'EXR_SUFFIX',
  period: 'TIME_PERIOD',
  value: 'OBS_VALUE',
};

function createSeriesFormat(rates: ExchangeRates, batch: BatchBuilder): TableFormat {
  return {
    ...SERIES,
    createRowReader: (header, { name }) => {
      const at = findColumns(header, COLUMNS, { dataset: DATASET, file: name });
      const multiplierAt = header.indexOf('UNIT_MULT');
      return (fields) => {
        const kind = `${fields[at.type]}.${fields[at.suffix]} per ${fields[at.denominator]}`;
        const multiplier = fields[multiplierAt] || '0';
        if (kind !== 'SP00.A per EUR') batch.skip(kind);
        else if (multiplier !== '0') batch.skip(`values times 10 to the power of ${multiplier}`);
        else
          rates.add({
            frequency: fields[at.frequency]!,
            currency: fields[at.currency]!,
            period: fields[at.period]!,
            value: fields[at.value]!,
          });
      };
    },
  };
}

function createDailyFormat(rates: ExchangeRates, batch: BatchBuilder): TableFormat {
  return {
    ...DAILY,
    createRowReader: (header, { name }) => {
      const columns = currencyColumns(header);
      const odd = columns.find(({ currency }) => !/^[A-Z]{3}$/.test(currency));
      if (odd !== undefined) {
        const what = `${name} has a column "${odd.currency}", which is not the code of a currency`;
        throw new IngestError(DATASET, what, { file: name, row: 1 });
      }
      return (fields) => {
        for (const { at, currency } of columns) {
          const value = fields[at]!.trim();
          if (value === '' || value === 'N/A') batch.skip('days without a rate');
          else rates.add({ frequency: 'D', currency, period: fields[0]!, value });
        }
      };
    },
    valueColumns: (header) => ({ read: currencyColumns(header).length, notRead: [] }),
  };
}

/** The columns of rates: all but the date, and the one without a name that a trailing comma makes. */
function currencyColumns(header: readonly string[]): { readonly at: number; readonly currency: string }[] {
  return header
    .map((currency, at) => ({ at, currency }))
    .filter(({ at, currency }) => at > 0 && currency !== '');
}
