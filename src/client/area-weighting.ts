import { AREA_WEIGHTING, type AreaWeightedSeries } from '../contract/requests/area-weighting.js';
import type { Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { CANCELLABLE } from '../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../model/schema/operation.js';
import type { Transport } from './http/transport.js';

const OPTIONS = { ...CANCELLABLE, ...AREA_WEIGHTING };
/** The weighted series, the series of the weights, and the regions. */
export interface AreaWeightingOptions extends Cancellable, OptionsOf<typeof OPTIONS> {}

/** Series weighted by area or another metric. */
export interface AreaWeightingOperations {
  /**
   * A series summed over regions, each value times its region's weight.
   * @throws ArgumentError when an id or the method is invalid; HttpError (400) when the weights sum to 0, or the units of
   * the regions cannot be converted
   */
  getAreaWeightedSeries(options: AreaWeightingOptions): Promise<AreaWeightedSeries>;
}

/** The arguments of these operations. */
areaWeightingOperations.takes = {
  getAreaWeightedSeries: promise(mandatory(OPTIONS)),
} satisfies ArgumentsOf<AreaWeightingOperations>;

/** Creates the area-weighting operations of a client. */
export function areaWeightingOperations(transport: Transport): AreaWeightingOperations {
  return {
    getAreaWeightedSeries: ({ signal, ...body }) => transport.json('areaWeighting', { body, signal }),
  };
}
