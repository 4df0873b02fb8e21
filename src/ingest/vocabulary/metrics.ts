import type { NewEntity } from '../../store/store.js';
import metrics from './metrics.json' with { type: 'json' };

/** The metrics that importers share; ids never change. Importers add the metrics that only their data set has. */
export const METRICS: readonly NewEntity<'metrics'>[] = metrics;

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(METRICS.map((metric) => [metric.name, metric.id]));

/**
 * The id of a shared metric by its name.
 * @throws RangeError when there is none, which is an error in the code and not in the data
 */
export function metricId(name: string): number {
  const id = ID_BY_NAME.get(name);
  if (id === undefined) throw new RangeError(`there is no metric "${name}"`);
  return id;
}
