import { type MatchedNames, WORLD_REGION_ID } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import { chunksOf } from '../model/grouping.js';
import { isOnlyMeaning, isReplacement, type ResolvedName } from '../model/names/meaning.js';
import type { SelectionLists } from '../model/selection.js';
import {
  type Coverage,
  compareSeriesKeys,
  type DataSeries,
  type SeriesKey,
  seriesKeyText,
} from '../model/series.js';
import { formatTime, parseTime } from '../model/time.js';
import {
  type Candidate,
  countPeriods,
  coverageRule,
  type Ranked,
  rankByCoverage,
  type WantedPeriod,
} from './ranking.js';

/** A name requested for one field of a series, and the entities that it may refer to. */
export interface NamedField extends ResolvedName {
  readonly word: keyof MatchedNames;
  readonly field: keyof SeriesKey;
}

export interface FoundCandidate extends Candidate {
  readonly series: SeriesKey;
}

export function candidateOf<Series extends DataSeries>(
  series: Series,
  id: number,
): Candidate & { readonly series: Series } {
  const { start_date, end_date } = series;
  if (start_date === undefined || end_date === undefined)
    return { series, id, startMs: NEVER, endMs: -NEVER, pointCount: 0, periodLength: null };
  const startMs = parseTime(start_date, 'start_date');
  const endMs = parseTime(end_date, 'end_date');
  const frequency = FREQUENCIES.find(({ id }) => id === series.frequency_id);
  const periodLength = frequency?.periodLength ?? { days: 1 };
  const assumed = Math.max(1, Math.round(countPeriods(periodLength, startMs, endMs)));
  const pointCount = series.data_count_estimate ?? assumed;
  return { series, id, startMs, endMs, pointCount, periodLength };
}

const NEVER = Number.POSITIVE_INFINITY;

/** Ranks series by their coverage of the wanted period, best first. Ties are broken by source id. */
export function rankSeries<Series extends DataSeries>(
  series: readonly Series[],
  wanted: WantedPeriod,
): (Series & { coverage: Coverage })[] {
  const candidates = series.map((one) => candidateOf(one, one.source_id));
  return rankByCoverage(candidates, wanted).map(({ series, coverage }) => ({ ...series, coverage }));
}

/**
 * Splits a search for series into one or two stages, each with the hits to use. The first stage uses each name's exact
 * hits, or its best hit if none is exact. The second stage uses all hits, and is omitted if both stages are the same.
 */
export function stagesOf(names: readonly NamedField[]): (readonly NamedField[])[] {
  const meant = names.map((name) => {
    const hits = name.hits.filter((hit) => !isReplacement(hit));
    return { ...name, hits: hits.length > 0 ? hits : name.hits.slice(0, 1) };
  });
  const isSame = names.every(({ hits }, at) => hits.length === meant[at]!.hits.length);
  return isSame ? [names] : [meant, names];
}

export function selectionOf(names: readonly Pick<NamedField, 'field' | 'hits'>[]): SelectionLists {
  const lists: { [Field in keyof SeriesKey]?: number[] } = {};
  for (const { field, hits } of names)
    lists[field] = [...new Set([...(lists[field] ?? []), ...hits.map(({ id }) => id)])];
  return lists;
}

export function explainNoSeries(names: readonly NamedField[], filter = ''): string {
  const unknown = names.find(({ hits }) => hits.length === 0);
  if (unknown !== undefined) return `no ${unknown.word.replace('_', ' ')} is called "${unknown.requested}"`;
  const meant = names.map(({ word, requested, hits }) => {
    const found = hits.map((hit) => hit.name).join(', ');
    return `${word} "${requested}" (${found})`;
  });
  return meant.length === 0
    ? `no data series${filter} is available for the selection`
    : `no series${filter} of ${meant.join(', ')}`;
}

const SERIES_PER_STEP = 1_000;

/**
 * Groups series by combination (the series key without the source), and ranks the combinations by their best coverage.
 * Ties are broken by the order of the hits. The partner region "world" comes first, unless a different one was
 * requested. `pause` is awaited regularly, because there may be hundreds of thousands of series.
 * @returns the best `max` combinations
 */
export async function rankCombinations<Found extends FoundCandidate>(
  found: readonly Found[],
  names: readonly NamedField[],
  {
    wanted,
    max = Number.POSITIVE_INFINITY,
    pause = async () => {},
  }: { wanted: WantedPeriod; max?: number; pause?: () => Promise<void> },
): Promise<Ranked<Found>[][]> {
  const { measure, compare } = coverageRule(found, wanted);
  const byHits = compareByHits(names);
  const partner = names.find(({ field }) => field === 'partner_region_id');
  const prefersWorld = partner?.hits.every(({ id }) => id !== WORLD_REGION_ID) !== true;
  const ofPartner = ({ series }: Found) =>
    Number(prefersWorld && series.partner_region_id !== WORLD_REGION_ID);
  const order = (a: Ranked<Found>, b: Ranked<Found>): number =>
    ofPartner(a) - ofPartner(b) || compare(a, b) || byHits(a.series, b.series);
  const groups = new Map<string, Ranked<Found>[]>();
  for (const [i, one] of found.entries()) {
    if (i % SERIES_PER_STEP === 0) await pause();
    const key = seriesKeyText({ ...one.series, source_id: 0 });
    const ranked = { ...one, id: 0, coverage: measure(one) };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [ranked]);
    else group.push(ranked);
  }
  let best: Ranked<Found>[][] = [];
  for (const some of chunksOf([...groups.values()], SERIES_PER_STEP)) {
    await pause();
    const more = some.map((group) => group.sort(order));
    best = [...best, ...more].sort(([a], [b]) => order(a!, b!)).slice(0, max);
  }
  return best;
}

/** Returns a comparator that puts series with better hits first, and breaks ties by id. */
function compareByHits(names: readonly NamedField[]): (a: SeriesKey, b: SeriesKey) => number {
  const positions = names.map(
    ({ field, hits }) => [field, new Map(hits.map(({ id }, position) => [id, position]))] as const,
  );
  return (a, b) => {
    for (const [field, position] of positions) {
      const difference = (position.get(a[field]) ?? 0) - (position.get(b[field]) ?? 0);
      if (difference !== 0) return difference;
    }
    return compareSeriesKeys(a, b);
  };
}

/** Returns each match to report to the user, because the match is not exact or the name has several meanings. */
export function collectMatched(
  series: SeriesKey,
  names: readonly NamedField[],
): { matched?: MatchedNames | undefined } {
  const matched = names.flatMap(({ word, requested, field, hits }) => {
    const hit = hits.find(({ id }) => id === series[field]);
    if (hit === undefined || isOnlyMeaning(hit)) return [];
    const { label: _, ...match } = hit;
    return [[word, { requested, ...match }] as const];
  });
  return matched.length === 0 ? {} : { matched: Object.fromEntries(matched) };
}

/**
 * Replaces the dates of a series with the wanted dates, if any. If the series lies outside the wanted period, its own
 * dates are removed. A series that ends before the wanted start, for example, would otherwise end before it starts.
 */
export function withWantedDates<Series extends Pick<DataSeries, 'start_date' | 'end_date'>>(
  series: Series,
  { startMs, endMs }: WantedPeriod,
): Series {
  const start_date = startMs === null ? series.start_date : formatTime(startMs);
  const end_date = endMs === null ? series.end_date : formatTime(endMs);
  const isOutside = start_date !== undefined && end_date !== undefined && start_date > end_date;
  return {
    ...series,
    start_date: isOutside && startMs === null ? undefined : start_date,
    end_date: isOutside && endMs === null ? undefined : end_date,
  };
}
