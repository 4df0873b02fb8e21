import { yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { readReferenceData } from '../reference-data.js';
import { usStateRegionId } from '../regions/ids.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { unitId } from '../vocabulary/units.js';
import { CORN_BY_STATE } from './corn.js';
import { addWeather } from './weather.js';
import { addWheat } from './wheat.js';

/**
 * Published figures in the package, for use without a download: daily weather of Seattle and New York 2012–2015, English
 * wheat prices and wages 1565–1821, corn area and yield of Washington and New York 2002–2011.
 */
export const demo: Importer = {
  dataset: 'demo',
  summary: 'Weather of Seattle and New York, corn of two states, English wheat prices: no files needed',
  needsFiles: false,
  counts: 'values',
  read: readDemo,
};

/** The sources of the demo's figures. */
export const DEMO_SOURCES = [SOURCES.vegaWeather, SOURCES.playfairWheat, SOURCES.nassCornStates];

async function* readDemo({ importedMs, identities }: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData(DEMO_SOURCES);
  const batch = await BatchBuilder.create({ identities });
  const parts = [addWeather, addWheat, addCorn] as const;
  for (const [at, addPart] of parts.entries()) {
    addPart(batch, importedMs);
    const rows = batch.pointCount;
    yield batch.take({ label: PART_LABELS[at]!, done: at + 1, total: parts.length, unit: 'data sets', rows });
  }
}

const PART_LABELS = ['daily weather', 'wheat prices and wages', 'corn by state'];
const STATE_FIPS = { 'New York': 36, Washington: 53 } as const;

function addCorn(batch: BatchBuilder, availableMs: number): void {
  const shared = {
    item_id: itemId('Corn'),
    partner_region_id: 0,
    source_id: SOURCES.nassCornStates.id,
    frequency_id: frequencyId('annual'),
  };
  for (const state of ['New York', 'Washington'] as const) {
    const region_id = usStateRegionId(STATE_FIPS[state]);
    for (const [year, acres, bushelsPerAcre] of CORN_BY_STATE[state]) {
      const rest = { ...yearsPeriod(year), reportingMs: null, availableMs };
      const areaKey = { ...shared, region_id, metric_id: metricId('Area harvested') };
      const yieldKey = { ...shared, region_id, metric_id: metricId('Yield') };
      batch.addPoint(areaKey, { ...rest, value: acres, unitId: unitId('ac') });
      batch.addPoint(yieldKey, { ...rest, value: bushelsPerAcre, unitId: unitId('bu/ac (corn)') });
    }
  }
}
