import { FREQUENCIES } from '../../model/frequency.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { parseMappedDate, toMappedPeriod } from '../csv/dates.js';
import type { DateFormat } from '../csv/mapping.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { parseRowNumber } from '../reading/row-values.js';
import { continentRegionId } from '../regions/ids.js';
import { otherRegion } from '../regions/new-regions.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';

/** A rate as it is written: a quantity of the currency for one euro. */
export interface RateText {
  /** `D`, `M`, `Q` or `A`. */
  readonly frequency: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly period: string;
  readonly value: string;
}

/** Frequencies of SDMX that are read, with how their periods are written. */
const FREQUENCY_OF: ReadonlyMap<string, readonly [name: string, format: DateFormat]> = new Map([
  ['D', ['daily', 'YYYY-MM-DD']],
  ['M', ['monthly', 'YYYY-MM']],
  ['Q', ['quarterly', 'YYYYQn']],
  ['A', ['annual', 'YYYY']],
]);

const CURRENCY_NAMES = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });

const EURO_AREA = otherRegion({
  name: 'Euro area',
  definition: 'The countries whose currency is the euro, at the time.',
  belongsTo: [continentRegionId('EU')],
  aliases: ['EA', 'Eurozone'],
});

interface Currency {
  readonly itemId: number;
  readonly unitId: number;
}

/** Adds exchange rates to a batch, with their currencies, units and the euro area. */
export class ExchangeRates {
  readonly #currencies = new Map<string, Currency>();
  #regionId: number | undefined;

  readonly #batch: BatchBuilder;
  readonly #importedMs: number;

  constructor(batch: BatchBuilder, importedMs: number) {
    this.#batch = batch;
    this.#importedMs = importedMs;
  }

  /** Counts rates of other frequencies as not read. @throws RowError when the rate cannot be used */
  add({ frequency, currency, period, value }: RateText): void {
    const known = FREQUENCY_OF.get(frequency);
    if (known === undefined) {
      this.#batch.skip(`FREQ ${frequency}`);
      return;
    }
    const [name, format] = known;
    const every = FREQUENCIES.find((each) => each.name === name)!;
    const { startMs, endMs } = toMappedPeriod(parseMappedDate(period, format), every, 1);
    const { itemId, unitId } = getOrCompute(this.#currencies, currency, () => this.#addCurrency(currency));
    const isMissing = value.trim() === '' || value.trim() === 'NaN';
    const key = {
      metric_id: metricId('Exchange rate'),
      item_id: itemId,
      region_id: this.#euroAreaId(),
      partner_region_id: 0,
      source_id: SOURCES.ecb.id,
      frequency_id: every.id,
    };
    this.#batch.addPoint(key, {
      startMs,
      endMs,
      value: isMissing ? null : parseRowNumber(value, 'rate'),
      unitId,
      reportingMs: endMs,
      availableMs: Math.min(endMs, this.#importedMs),
    });
  }

  #addCurrency(code: string): Currency {
    const name = /^[A-Z]{3}$/.test(code) ? CURRENCY_NAMES.of(code) : undefined;
    if (name === undefined) throw new RowError(`"${code}" is not the code of a currency`);
    const item = { name, definition: `Currency; ISO 4217 ${code}.`, belongsTo: [], aliases: [code] };
    const unit = `${name} per euro`;
    return {
      itemId: this.#batch.addNamedEntity('items', `currency:${code}`, item),
      unitId: this.#batch.addNamedEntity('units', `currency:${code}/EUR`, {
        name: unit,
        namePlural: unit,
        abbreviation: `${code}/EUR`,
        baseConvFactor: {},
      }),
    };
  }

  #euroAreaId(): number {
    this.#regionId ??= this.#batch.addNamedEntity('regions', 'ecb:region:euro area', EURO_AREA);
    return this.#regionId;
  }
}
