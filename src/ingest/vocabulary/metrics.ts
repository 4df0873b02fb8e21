import type { NewEntity } from '../../store/store.js';
import metrics from './metrics.json' with { type: 'json' };
import { requiredId } from './required-id.js';

/** The metrics that importers share. Their ids never change. Importers add the metrics that only their data set has. */
export const METRICS: readonly NewEntity<'metrics'>[] = metrics;

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(METRICS.map((metric) => [metric.name, metric.id]));

/** Returns the id of a shared metric by its name. */
export const metricId = requiredId((name) => ID_BY_NAME.get(name), 'metric');
