import { REGION_LEVELS } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { usCountyRegionId, usStateRegionId } from '../regions/ids.js';
import { otherRegion } from '../regions/new-regions.js';
import { STATE_IDS_BY_ABBREVIATION } from '../regions/united-states.js';

/** The region of a state or territory by its postal abbreviation. @throws RowError when it is unknown */
export function resolveState(abbreviation: string): number {
  const id = STATE_IDS_BY_ABBREVIATION.get(abbreviation);
  if (id === undefined) throw new RowError(`the state "${abbreviation}" is unknown`);
  return id;
}

/** Resolves counties by FIPS code, and adds those that are not in the region tree, such as former ones. */
export class DroughtCounties {
  readonly #tree: ReadonlyMap<number, NewEntity<'regions'>>;
  readonly #batch: BatchBuilder;

  constructor(tree: ReadonlyMap<number, NewEntity<'regions'>>, batch: BatchBuilder) {
    this.#tree = tree;
    this.#batch = batch;
  }

  /** @throws RowError when the code is not that of a county of the state */
  resolve(fips: string, county: string, state: string): number {
    const stateId = resolveState(state);
    if (!/^\d{4,5}$/.test(fips)) throw new RowError(`the FIPS code "${fips}" is not a number of five digits`);
    const code = Number(fips);
    if (usStateRegionId(Math.floor(code / 1000)) !== stateId)
      throw new RowError(`the FIPS code "${fips}" is not one of the state "${state}"`);
    const id = usCountyRegionId(code);
    if (!this.#tree.has(id)) this.#addCounty(id, county, stateId);
    return id;
  }

  #addCounty(id: number, county: string, stateId: number): void {
    if (county === '') throw new RowError('the county has no name');
    const region = otherRegion({
      name: `${county}, ${this.#tree.get(stateId)!.name}`,
      definition: `County or equivalent as the US Drought Monitor lists it; FIPS ${String(id).slice(1)}.`,
      belongsTo: [stateId],
    });
    this.#batch.addEntity('regions', { ...region, id, level: REGION_LEVELS.district });
  }
}
