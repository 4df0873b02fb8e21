import type { Table, TypeMap } from 'apache-arrow';
import type { ServiceClient } from '../../client/client.js';
import type { WeightsOfRegions } from '../../compute/weighting.js';
import { type Frame, frameOf } from '../../frame/frame.js';
import { buildFrameLike } from '../../frame/series/build-frame.js';
import { deriveSeries, metadataOfDerived } from '../../frame/series/map-series.js';
import type { SeriesPoints } from '../../frame/series/series-points.js';
import { hasOwnName } from '../../frame/table/names.js';
import { PROVENANCE_KEY, readProvenance, sourceKeys } from '../../frame/table/provenance.js';
import type { SeriesView } from '../../frame/table/series-view.js';
import { withShortNames } from '../../frame/verbs/columns.js';
import { DERIVATIONS } from '../../model/derivations.js';
import { isRest, levelName, REGION_LEVELS, type Region } from '../../model/entity.js';
import { badArgument, ContractError } from '../../model/errors.js';
import { CANCELLABLE, type Cancellable } from '../../model/progress.js';
import { createArrivedReport } from '../../model/report.js';
import { type OptionsOf, required } from '../../model/schema/check.js';
import { type ArgumentsOf, mandatory, positional, promise } from '../../model/schema/operation.js';
import { ANYTHING, oneOf } from '../../model/schema/schemas.js';
import type { SeriesKey } from '../../model/series.js';
import {
  groupMembers,
  MIN_WEIGHT,
  readRemarkedSeries,
  shownOptions,
  type Weighting,
  weighSeries,
} from '../weighting/weigh-regions.js';
import { constantWeights, readWeights, WEIGHTS } from '../weighting/weights.js';
import { findRests, idsOf } from './parts.js';

/** The level of each kind of region. Agricultural districts have the level "other". */
const ROLL_UP_LEVELS = {
  'agricultural-district': REGION_LEVELS.other,
  province: REGION_LEVELS.province,
  country: REGION_LEVELS.country,
  continent: REGION_LEVELS.continent,
  world: REGION_LEVELS.world,
} as const;
/** A kind of region that a frame can be rolled up to. */
export type RollUpTarget = keyof typeof ROLL_UP_LEVELS;

const ROLL_UP = {
  ...CANCELLABLE,
  /** The kind of region to roll the frame up to. */
  to: required(oneOf(Object.keys(ROLL_UP_LEVELS) as RollUpTarget[])),
  /** Whether to sum or to average the regions' values. The mean is weighted if `weights` is set. */
  how: required(oneOf(['sum', 'mean'])),
  /**
   * With `how: 'mean'`, the weight of each of the frame's regions. Regions that are not listed have weight 0. By
   * default, all weights are 1.
   */
  weights: WEIGHTS,
  /**
   * The minimum share of the target's regions (or of their weight, if `weights` is set) that must have a value (default
   * 1). Periods with a lower share are null.
   */
  min_weight_present: MIN_WEIGHT,
};
/** The kind of region to roll up to, and how to aggregate. */
export interface RollUpOptions extends Cancellable, OptionsOf<typeof ROLL_UP> {}

/** Operations that roll figures up to larger regions. */
export interface RollingUpOperations {
  /**
   * Aggregates the series of a long or wide frame to the regions that contain the frame's own: counties to agricultural
   * districts, provinces or countries, following the service's region tree. The frame keeps its shape, units and
   * sources. Member regions that are not in the frame count as missing, so that part of a province never counts as the
   * whole. Periods with too few members are null, and are counted as `below_coverage` in the frame's report. A long
   * frame has `weight_present`, the share of the members (or of their weight) that have a value. Historical regions are
   * not members. In sums of counties, NASS's "Other counties" stand for the counties that have no value. Counties that
   * the frame lacks still count as missing if the service has data for them.
   * @throws ArgumentError if the frame's regions have different levels, if a region is not in any region of the
   *   requested kind, or if the sum of a rate (such as t/ha or °C) is requested; UnitError if the regions in one target
   *   have different units
   * @example
   * ```ts
   * const states = await client.rollUp(counties, { to: 'province', how: 'sum', min_weight_present: 0.9 });
   * ```
   */
  rollUp<T extends TypeMap>(table: Table<T>, options: RollUpOptions): Promise<Frame<T>>;
}

rollingUpOperations.takes = {
  rollUp: promise(positional('table', ANYTHING), mandatory(ROLL_UP)),
} satisfies ArgumentsOf<RollingUpOperations>;

export function rollingUpOperations(client: ServiceClient): RollingUpOperations {
  return { rollUp: (table, options) => rollUp(client, table, options) };
}

async function rollUp<T extends TypeMap>(
  client: ServiceClient,
  table: Table<T>,
  options: RollUpOptions,
): Promise<Frame<T>> {
  const { how, signal } = options;
  const series = readRemarkedSeries(table, 'rollUp');
  if (how === 'sum') {
    if (options.weights !== undefined)
      throw badArgument('weights', 'a sum cannot be weighted; choose how: "mean"');
    const unit_ids = series.flatMap(({ view }) => view.unit_id ?? []);
    const remedy = 'choose "mean", weighted if the regions differ in size';
    await refuseRates(client, unit_ids, { argument: 'how', remedy, signal });
  }
  const given = options.weights && readWeights(options.weights);
  const targets = await findTargets(client, new Set(series.map(({ view }) => view.key.region_id)), options);
  const derivation = DERIVATIONS.acrossRegions(how, given !== undefined);
  const sourceOf = sourceKeys(table);
  const rolled = await Promise.all(
    groupMembers(series, (key) => ({ ...key, region_id: targets.get(key.region_id)!.id })).map(
      async (members) => {
        const from = members[0]!.view;
        const target = targets.get(from.key.region_id)!;
        const group = { target, members, key: sourceOf(from.key), given };
        const weighting = await weightingOf(client, group, options);
        const to = deriveSeries(ofTarget(from, target), derivation);
        return { from, to, points: weighSeries(members, weighting, to) };
      },
    ),
  );
  const points = rolled.map((one) => one.points);
  const frame = buildFrameLike(table, points, metadataOfRolled(table, rolled, options));
  return frameOf(series.some(({ view }) => hasOwnName(view.column)) ? withShortNames(frame) : frame);
}

interface Group {
  readonly target: Target;
  readonly members: readonly SeriesPoints[];
  readonly key: SeriesKey;
  readonly given: ReadonlyMap<number, number> | undefined;
}

async function weightingOf(
  client: ServiceClient,
  { target, members, key, given }: Group,
  { how, min_weight_present, signal }: RollUpOptions,
): Promise<Weighting> {
  const framed = new Set(members.map(({ view }) => view.key.region_id));
  const rests = [...target.rests].filter(([id]) => framed.has(id));
  const rule = { how, min_weight_present, weighting_func: how === 'sum' ? valueAlone : undefined };
  const rest_ids = rests.map(([id]) => id);
  const weights = memberWeights(target, rest_ids, given);
  if (how !== 'sum' || rests.length === 0) return { weights, rule };
  const absent = target.member_ids.filter((id) => !framed.has(id));
  const series =
    absent.length === 0 ? [] : await client.getDataSeries({ ...key, region_id: absent }, { signal });
  const left = new Set(series.map(({ region_id }) => region_id));
  const held = rests.map(([id, parts]) => [id, [...parts].filter((part) => !left.has(part))] as const);
  return { weights, rule, rests: new Map(held) };
}

function metadataOfRolled(
  table: Table,
  rolled: readonly { from: SeriesView; to: SeriesView; points: SeriesPoints }[],
  { signal: _, ...options }: RollUpOptions,
): Map<string, string> {
  const metadata = metadataOfDerived(table, `rollUp(${shownOptions(options)})`, rolled);
  const provenance = readProvenance(table);
  if (provenance === null) return metadata;
  const sourceOf = sourceKeys(table);
  const reports = rolled.map(({ from, to, points: { value } }) => {
    const key = { ...sourceOf(from.key), region_id: to.key.region_id };
    return createArrivedReport(key, value.length, { below_coverage: value.filter(Number.isNaN).length });
  });
  const report = [...provenance.report, ...reports];
  return metadata.set(PROVENANCE_KEY, JSON.stringify({ ...provenance, report }));
}

export function valueAlone(_weight: number, value: number): number {
  return value;
}

/**
 * Returns the weights of the regions in a target. If no weights are given, combined regions have weight 0, because the
 * target already includes their parts.
 */
function memberWeights(
  { name, member_ids }: Target,
  rest_ids: readonly number[],
  given: ReadonlyMap<number, number> | undefined,
): WeightsOfRegions {
  if (given === undefined) return constantWeights(new Map(member_ids.map((id) => [id, 1])));
  const weights = constantWeights(
    new Map([...member_ids, ...rest_ids].map((id) => [id, given.get(id) ?? 0])),
  );
  if (weights.total > 0) return weights;
  throw badArgument('weights', `no region in ${name} has a weight above 0`);
}

/** Rejects units whose values cannot be summed across regions, because they are ratios or points on a scale. */
export async function refuseRates(
  client: ServiceClient,
  unit_ids: readonly number[],
  { argument, remedy, signal }: Cancellable & { readonly argument: string; readonly remedy: string },
): Promise<void> {
  const units = await client.lookupList('units', [...new Set(unit_ids)], { signal });
  for (const { abbreviation } of units.values())
    if (/[/°%]/.test(abbreviation))
      throw badArgument(argument, `values in ${abbreviation} cannot be summed across regions; ${remedy}`);
}

function ofTarget(view: SeriesView, { id, name }: Target): SeriesView {
  const names = view.names.has('region_name') ? new Map(view.names).set('region_name', name) : view.names;
  return { ...view, key: { ...view.key, region_id: id }, column: 'value', names };
}

interface Target {
  readonly id: number;
  readonly name: string;
  /** All regions in the target that have the same level as the frame's regions, including any not in the frame. */
  readonly member_ids: readonly number[];
  /** The frame's combined regions in the target, each with the ids of the regions that it may include. */
  readonly rests: Map<number, ReadonlySet<number>>;
}

/** Finds the target that each of the frame's regions is rolled up to, keyed by that region's id. */
async function findTargets(
  client: ServiceClient,
  region_ids: ReadonlySet<number>,
  options: RollUpOptions,
): Promise<Map<number, Target>> {
  const { how, weights, signal } = options;
  const regions = [...(await client.lookupList('regions', [...region_ids], { signal })).values()];
  const combined = regions.filter(({ name }) => isRest(name));
  // If a frame has only combined regions, they are rolled up like other regions.
  const rests = combined.length === regions.length ? [] : combined;
  const places = regions.filter((one) => !rests.includes(one));
  const level = levelOf(places);
  const targets: Target[] = [];
  const placed = new Set<number>();
  for (const { id } of places) {
    if (placed.has(id)) continue;
    const target = await targetOf(client, { id, level }, options);
    for (const member of target.member_ids) placed.add(member);
    targets.push(target);
  }
  const parts = await findRests(client, idsOf(rests), { signal });
  for (const rest of rests) {
    if (how === 'mean' && weights === undefined)
      throw badArgument(
        'how',
        `${rest.name} combines several regions, so it cannot be part of an unweighted mean; choose "sum", pass weights, or omit this region`,
      );
    const { id } = await targetOf(client, { id: rest.id, level }, options);
    const target = targets.find((one) => one.id === id);
    if (target === undefined)
      throw badArgument(
        'table',
        `the frame has ${rest.name}, but no other region from the same state or district; omit ${rest.name}`,
      );
    target.rests.set(rest.id, parts.get(rest.id)!);
  }
  return byMember(targets, region_ids);
}

function levelOf(regions: readonly Region[]): number {
  const [first] = regions;
  if (first === undefined) throw badArgument('table', "the service knows none of the frame's regions");
  const other = regions.find(({ level }) => level !== first.level);
  if (other !== undefined) {
    throw badArgument(
      'table',
      `${first.name} is a ${kindName(first.level)}, but ${other.name} is a ${kindName(other.level)}; select regions of the same level, so that none is counted twice`,
    );
  }
  if (first.level === null)
    throw new ContractError('lookup', `rollUp: the service returned no level for ${first.name}`);
  return first.level;
}

function kindName(level: number | null): string {
  const name = levelName(level) ?? 'region of unknown level';
  return name === 'other' ? 'region of a different kind (such as an agricultural district)' : name;
}

async function targetOf(
  client: ServiceClient,
  { id, level }: { id: number; level: number },
  { to, signal }: RollUpOptions,
): Promise<Target> {
  const found = await client.getAncestor('regions', id, { ancestor_level: ROLL_UP_LEVELS[to], signal });
  const [target, second] = found;
  if (target === undefined || second !== undefined) {
    const region = await client.lookup('regions', id, { signal });
    const names = found.map(({ name }) => name).join(' and ');
    const where = target === undefined ? `not in any ${to} known to the service` : `in ${names}`;
    throw badArgument('to', `${region.name} is ${where}; omit it, or choose a different kind of region`);
  }
  const options = { descendant_level: level, include_historical: false, include_details: false } as const;
  const members = await client.getDescendant('regions', target.id, { ...options, signal });
  const member_ids = [...new Set([...idsOf(members), id])];
  return { id: target.id, name: target.name, member_ids, rests: new Map() };
}

function byMember(targets: readonly Target[], region_ids: ReadonlySet<number>): Map<number, Target> {
  const owners = new Map<number, Target>();
  for (const target of targets) {
    for (const id of [...target.member_ids, ...target.rests.keys()]) {
      const owner = owners.get(id) ?? target;
      if (owner !== target && region_ids.has(id))
        throw badArgument('to', `region ${id} is in both ${owner.name} and ${target.name}; omit it`);
      owners.set(id, target);
    }
  }
  return owners;
}
