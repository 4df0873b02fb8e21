import { type MatchedName, SEARCHABLE_TYPES, type SearchableType } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { quotedList, toMatchedName } from '../model/names/meaning.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import { type ArgumentsOf, mandatory, optional, positional, promise } from '../model/schema/operation.js';
import { oneOf, TEXT } from '../model/schema/schemas.js';
import { selectionLists } from '../model/selection.js';
import { NAMED_WORDS, SOURCE_WORD } from '../model/series.js';
import { formatTime, parsePeriod } from '../model/time.js';
import { type BaseResolver, baseResolution } from './discovery/json-base.js';
import { RESOLVE, type Resolution, type ResolveOptions } from './discovery/resolution.js';
import { isUnserved } from './http/answer.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';

/** Finds the entities that names refer to. */
export interface NameOperations {
  /**
   * Resolves names to entities, and finds the best series for these entities, in one request. A name refers to the
   * entities with exactly this name, or else to those that have it as a synonym or code. Any other hit is either a
   * guess (`exact` is false) or a substitute for the entity in `instead_of`. `namesakes` lists the other entities that
   * the name may refer to. If `text` is set, the service finds the names in plain text, guesses at misspelt names, and
   * lists unmatched words as `unread`.
   * @throws ArgumentError if a name is empty or a date cannot be parsed; NotFoundError if `text` is set but the service
   *   cannot parse plain text
   * @example
   * ```ts
   * const { names, series } = await client.resolve({ metric: 'yield', item: 'maize', region: 'Georgia' });
   * console.log(names.map(({ requested, hits }) => [requested, hits[0]?.name, hits[0]?.namesakes]));
   * ```
   */
  resolve(options: ResolveOptions): Promise<Resolution>;

  /**
   * Resolves a name to the entity with this name, or else with this synonym or code, or else to the best search hit,
   * for which `exact` is false. `namesakes` lists the other entities that the name may refer to, including regions that
   * have it as a synonym ("Georgia"). Returns `undefined` if nothing matches.
   * @throws ArgumentError if the name is empty
   * @example
   * ```ts
   * const match = await client.resolveName('items', 'maize'); // { requested: 'maize', name: 'Corn', exact: true, … }
   * ```
   */
  resolveName(
    entity_type: SearchableType,
    name: string,
    options?: Cancellable,
  ): Promise<MatchedName | undefined>;
}

nameOperations.takes = {
  resolve: promise(mandatory(RESOLVE)),
  resolveName: promise(
    positional('entity_type', oneOf(SEARCHABLE_TYPES)),
    positional('name', TEXT),
    optional(CANCELLABLE),
  ),
} satisfies ArgumentsOf<NameOperations>;

export interface NameResolver {
  /** Resolves names in one request. Returns null if the service has only the basic JSON API. */
  askResolution(options: ResolveOptions): Promise<Resolution | null>;
}

export function nameOperations(transport: Transport, base: BaseResolver): NameOperations & NameResolver {
  async function askResolution(options: ResolveOptions): Promise<Resolution | null> {
    try {
      const call = { query: resolveQuery(options), signal: options.signal };
      return (await transport.json('resolve', call)).data;
    } catch (error) {
      if (isUnserved(error) && options.text === undefined) return null;
      throw error;
    }
  }
  const resolve = async (options: ResolveOptions) =>
    (await askResolution(options)) ?? (await baseResolution(base, options));
  return {
    askResolution,
    resolve,
    async resolveName(type, name, { signal } = {}) {
      const { word } = [...NAMED_WORDS, SOURCE_WORD].find((one) => one.type === type)!;
      const { names } = await resolve({ [word]: name, limit: 0, signal });
      const [best] = names[0]!.hits;
      return best && toMatchedName(name, best);
    },
  };
}

/** Converts options to a query. @throws ArgumentError if a date is invalid, or if the start is after the end */
function resolveQuery({ selection = {}, ...options }: ResolveOptions): Readonly<Record<string, unknown>> {
  const { startMs, endMs } = parsePeriod(options);
  const { text, metric, item, region, partner_region, source, limit, offset, ids, within } = options;
  return {
    ...{ text, metric, item, region, partnerRegion: partner_region, source },
    ...toQuery(selection),
    partnerRegionId: selectionLists(selection).partner_region_id,
    startDate: startMs === null ? undefined : formatTime(startMs),
    endDate: endMs === null ? undefined : formatTime(endMs),
    ...{ hits: options.hits_per_name, limit, offset, ids, within },
  };
}

interface Refusal {
  readonly argument: string;
  readonly refusal: string;
  /** A second remedy, to be added to the message after "or". */
  readonly instead?: string | undefined;
}

/** Requires a unique exact match. @throws ArgumentError if the match is a guess or several entities have the name */
export function requireExact(match: MatchedName, { argument, refusal, instead: or = '' }: Refusal): void {
  const { requested, exact, name, namesakes } = match;
  if (!exact)
    throw badArgument(argument, refusal, {
      remedy: `${suggestEntity(match)}${or === '' ? '' : ` Or ${or}`}`,
    });
  if (namesakes === undefined) return;
  throw badArgument(argument, `"${requested}" is the name of ${quotedList([name, ...namesakes])}`, {
    remedy: `specify one of them${or === '' ? '' : `, or ${or}`}`,
  });
}

function suggestEntity({ id, name }: Pick<MatchedName, 'id' | 'name'>): string {
  return name === String(id) ? `did you mean the entity with id ${id}?` : `did you mean "${name}"?`;
}
