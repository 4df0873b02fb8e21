import { AREA_WEIGHTING, type AreaWeightedSeries } from '../contract/requests/area-weighting.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { type ArgumentsOf, mandatory, promise } from '../model/schema/operation.js';
import type { Transport } from './http/transport.js';

const OPTIONS = { ...CANCELLABLE, ...AREA_WEIGHTING };
/** Options that specify the series, the weights and the regions. */
export interface AreaWeightingOptions extends Cancellable, OptionsOf<typeof OPTIONS> {}

/** Combines series from several regions, weighted by area or another metric. */
export interface AreaWeightingOperations {
  /**
   * Returns a sum or mean of a series over regions, with each value weighted by its region's weight.
   * @throws ArgumentError if an id or the method is invalid; HttpError (400) if the weights sum to 0, or if the
   * regions' units cannot be converted to a common unit
   */
  getAreaWeightedSeries(options: AreaWeightingOptions): Promise<AreaWeightedSeries>;
}

areaWeightingOperations.takes = {
  getAreaWeightedSeries: promise(mandatory(OPTIONS)),
} satisfies ArgumentsOf<AreaWeightingOperations>;

export function areaWeightingOperations(transport: Transport): AreaWeightingOperations {
  return {
    getAreaWeightedSeries: ({ signal, ...body }) => transport.json('areaWeighting', { body, signal }),
  };
}
