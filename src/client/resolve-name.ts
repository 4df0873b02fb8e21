import { checkText, oneOf } from '../model/arguments/checks.js';
import { CANCELLABLE } from '../model/arguments/fields.js';
import { type ArgumentsOf, optional, positional, promise } from '../model/arguments/operation.js';
import { type MatchedName, SEARCHABLE_TYPES, type SearchableType } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { isNamedWithin, plainName } from '../model/names/named-parts.js';
import type { Cancellable } from '../model/progress.js';
import type { EntityLists } from './entities.js';
import type { Transport } from './http/transport.js';

/** Finding the entity that a name means. */
export interface NameOperations {
  /**
   * The entity that a name means: one with this name, else one with this synonym or code, else the best hit,
   * with `exact` false. `namesakes` names the other entities that the name means, and the other regions that have it as
   * a synonym ("Georgia"). Returns undefined when nothing matches.
   * @throws ArgumentError when the name is empty
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

/** The arguments of these operations. */
nameOperations.takes = {
  resolveName: promise(
    positional('entity_type', oneOf(SEARCHABLE_TYPES)),
    positional('name', checkText),
    optional(CANCELLABLE),
  ),
} satisfies ArgumentsOf<NameOperations>;

/** A hit of a search by name, and whether the text is its name, a synonym or a code. */
export interface NamedHit {
  readonly id: number;
  readonly name: string;
  readonly exact: boolean;
}

/** A name and the hits among which its entity is chosen. */
interface SearchedName extends Cancellable {
  readonly requested: string;
  readonly hits: readonly NamedHit[];
}

/** Names, as other modules ask for them; not part of the public client. */
export interface NamedSearch extends NameOperations {
  /**
   * The best hits of a name. Where the service does not say which hits are exact, those are whose name is the text up to
   * case, accents and punctuation.
   */
  searchNames(
    entity_type: SearchableType,
    name: string,
    options: Cancellable & { readonly max?: number | undefined },
  ): Promise<NamedHit[]>;

  /** One of the hits as the match of a name: whether the name means it, and which other entities it means. */
  matchOf(entity_type: SearchableType, hit: NamedHit, searched: SearchedName): Promise<MatchedName>;
}

/** Hits among which the entity of a name is chosen. */
export const HITS_PER_NAME = 10;

/** Names, over a transport. */
export function nameOperations(
  transport: Transport,
  { lookupList }: Pick<EntityLists, 'lookupList'>,
): NamedSearch {
  async function searchNames(
    type: SearchableType,
    name: string,
    { max, signal }: Cancellable & { readonly max?: number | undefined },
  ): Promise<NamedHit[]> {
    const call = { path: { type }, query: { q: name }, signal };
    const hits = (await transport.json('search', call)).slice(0, max);
    const unnamed = hits.filter((hit) => hit.name === undefined || hit.exact === undefined);
    const entities = await lookupList(
      type,
      unnamed.map(({ id }) => id),
      { signal },
    );
    return hits.map((hit) => {
      const called = hit.name ?? entities.get(hit.id)?.name ?? String(hit.id);
      const isNamed = called !== String(hit.id);
      return {
        id: hit.id,
        name: called,
        exact: hit.exact ?? (isNamed && plainName(called) === plainName(name)),
      };
    });
  }

  /**
   * Returns names that distinguish the entities that a name means. Regions with this name get their container:
   * "Georgia, Asia".
   */
  async function distinctNames(
    type: SearchableType,
    hits: readonly NamedHit[],
    { requested, signal }: Cancellable & { readonly requested: string },
  ): Promise<string[]> {
    if (type !== 'regions') return hits.map(({ id, name }) => `${name} (id ${id})`);
    const called = hits.filter((hit) => isCalled(hit, requested)).map(({ id }) => id);
    const regions = await lookupList(type, called, { signal });
    const within = [...regions.values()].flatMap(({ belongsTo }) => belongsTo);
    const parents = await lookupList(type, within, { signal });
    return hits.map(({ id, name }) => {
      if (!called.includes(id)) return name;
      const containing = (regions.get(id)?.belongsTo ?? []).flatMap((parent) => parents.get(parent) ?? []);
      const [nearest] = containing.sort((a, b) => (b.level ?? 0) - (a.level ?? 0));
      return nearest === undefined ? `${name} (region ${id})` : `${name}, ${nearest.name}`;
    });
  }

  async function matchOf(
    type: SearchableType,
    hit: NamedHit,
    { requested, hits, signal }: SearchedName,
  ): Promise<MatchedName> {
    const { meant, namesakes } = meaningOf(type, requested, hits);
    if (![...meant, ...namesakes].includes(hit)) return { requested, ...hit, exact: false };
    const others = otherPlaces(hit, [...meant, ...namesakes]);
    if (others.length === 0) return { requested, ...hit };
    const [name, ...names] = await distinctNames(type, [hit, ...others], { requested, signal });
    return { requested, ...hit, name: name!, namesakes: names };
  }

  return {
    searchNames,
    matchOf,
    async resolveName(type, name, { signal } = {}) {
      const hits = await searchNames(type, name, { max: HITS_PER_NAME, signal });
      const best = meaningOf(type, name, hits).meant[0] ?? hits[0];
      return best && matchOf(type, best, { requested: name, hits, signal });
    },
  };
}

/** The hits that a name means, and the other regions that have the name as a synonym or a code. */
interface Meaning {
  readonly meant: readonly NamedHit[];
  readonly namesakes: readonly NamedHit[];
}

/** Returns the meaning of a name: the entities with this name, else those with this synonym or code. */
export function meaningOf(type: SearchableType, requested: string, hits: readonly NamedHit[]): Meaning {
  const exact = hits.filter((hit) => hit.exact);
  const called = exact.filter((hit) => isCalled(hit, requested));
  if (called.length === 0) return { meant: exact, namesakes: [] };
  const others = type === 'regions' ? exact.filter((hit) => !called.includes(hit)) : [];
  return { meant: called, namesakes: others };
}

/** Checks whether the requested name is the entity's own name, and not just a synonym. */
export function isCalled({ name }: Pick<NamedHit, 'name'>, requested: string): boolean {
  return plainName(name) === plainName(requested);
}

/**
 * Omits the hit itself, and regions within it that share its name: the country Mexico is not confused with its state.
 */
export function otherPlaces(hit: NamedHit, hits: readonly NamedHit[]): readonly NamedHit[] {
  return hits.filter((other) => other.id !== hit.id && !isNamedWithin(other.name, hit.name));
}

/** @throws ArgumentError when the match is a guess, or one of several entities of the name */
export function requireExact(
  match: MatchedName,
  {
    argument,
    refusal,
    instead,
  }: {
    /** The argument that holds the name. */
    readonly argument: string;
    /** The refusal, such as `no item is called "…"`. */
    readonly refusal: string;
    /** Another remedy than another name, after "or". */
    readonly instead?: string | undefined;
  },
): void {
  const { requested, exact, name, namesakes } = match;
  if (!exact)
    throw badArgument(
      argument,
      `${refusal}; ${suggestion(match)}${instead === undefined ? '' : ` Or ${instead}`}`,
    );
  if (namesakes === undefined) return;
  const choices = [name, ...namesakes].map((choice) => `"${choice}"`).join(' and ');
  throw badArgument(
    argument,
    `"${requested}" is the name of ${choices}; name one of them${instead === undefined ? '' : `, or ${instead}`}`,
  );
}

/** Suggests the entity of a hit, or says that the service does not name it. */
function suggestion({ id, name }: Pick<NamedHit, 'id' | 'name'>): string {
  return name === String(id)
    ? `did you mean id ${id}, whose name the service does not say?`
    : `did you mean "${name}"?`;
}
