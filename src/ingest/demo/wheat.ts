import { frequencyId } from '../../model/frequency.js';
import type { SeriesKey } from '../../model/series.js';
import { utcDay } from '../../model/time.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { subdivisionRegionId } from '../regions/ids.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { unitId } from '../vocabulary/units.js';
import { WHEAT_BY_YEAR } from './wheat-years.js';

/** The year in which the chart and its last bar end. */
const LAST_YEAR = 1821;

/**
 * Adds Playfair's price of a quarter of wheat and weekly wage of a good mechanic, in shillings. Each bar covers five years
 * from the one in the data (1565 is 1565–1569). The region is England, whose markets and reigns he describes.
 */
export function addWheat(batch: BatchBuilder, availableMs: number): void {
  for (const [first, wheat, wage] of WHEAT_BY_YEAR) {
    const period = { startMs: utcDay(first, 1, 1), endMs: utcDay(Math.min(first + 4, LAST_YEAR), 12, 31) };
    const rest = { ...period, reportingMs: null, availableMs };
    batch.addPoint(WHEAT_PRICE, { ...rest, value: wheat, unitId: unitId('s/quarter') });
    if (wage !== null) batch.addPoint(WAGE, { ...rest, value: wage, unitId: unitId('s/week') });
  }
}

const ENGLAND = {
  region_id: subdivisionRegionId('GB-ENG'),
  partner_region_id: 0,
  source_id: SOURCES.playfairWheat.id,
  frequency_id: frequencyId('5-year'),
};
const WHEAT_PRICE: SeriesKey = { metric_id: metricId('Price'), item_id: itemId('Wheat'), ...ENGLAND };
const WAGE: SeriesKey = { metric_id: metricId('Wage'), item_id: itemId('Labour'), ...ENGLAND };
