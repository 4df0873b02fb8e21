/** A region's share of a weighted result. */
export interface RegionWeight {
  /** Id of the region. */
  id: number;
  /** Its weight; the weights need not add up to 1. */
  weight: number;
}
