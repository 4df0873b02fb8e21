import type { NewEntity } from '../../store/store.js';
import metrics from './metrics.json' with { type: 'json' };
import { requiredId } from './required-id.js';

/** The metrics that importers share. Their ids never change. Importers add any metrics that only their data set has. */
export const METRICS: readonly NewEntity<'metrics'>[] = metrics;

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(METRICS.map((metric) => [metric.name, metric.id]));

export const metricId = requiredId((name) => ID_BY_NAME.get(name), 'metric');
