import type { SearchableType, SearchDocument } from '../../model/entity.js';
import { editDistance } from '../../model/names/edit-distance.js';
import { fold } from '../../search/fold.js';
import { findSearchIndex, keepNameIndex } from '../../search/load-index.js';
import type { Hit } from '../../search/match.js';
import { SearchIndex } from '../../search/search-index.js';
import { findNamed, TextSearch } from '../../search/text-search.js';
import { WholeNames } from '../../search/whole-names.js';
import type { NewEntity } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { ImporterInput } from '../importer.js';
import { loadRegionTree } from '../regions/tree.js';
import { ITEMS } from '../vocabulary/items.js';
import { METRICS } from '../vocabulary/metrics.js';

/** The types of entities that a table names. */
export type NamedType = Extract<SearchableType, 'metrics' | 'items' | 'regions'>;

/** What a store says of the names that it has; undefined without a store. */
export type StoredNames = Omit<NonNullable<ImporterInput['store']>, 'identities' | 'lookup'> | undefined;
type SharedEntity = NewEntity<'metrics' | 'items'> | NewEntity<'regions'>;

/** The entities that a table can name, with the same search as the service's. */
export interface KnownNames {
  /** Entities that match the text, best first; without `corrects`, none whose name is misspelt. */
  search(type: NamedType, text: string, corrects?: boolean): Hit[];
  /** Those of them that have the text as a name or an alias, which come before all others. */
  named(type: NamedType, text: string): Hit[];
  /** The name of the region that contains a region; undefined for the world and outside the region tree. */
  parentName(type: NamedType, id: number): string | undefined;
  /** Lets the store keep the indexes that had to be built for a search. */
  keepIndexes(): Promise<void>;
}

/**
 * The entities of the shared vocabulary and the region tree, replaced by those of a store with the same id.
 * @param stored the entities of the store; absent without a store
 */
export async function loadKnownNames(stored?: StoredNames): Promise<KnownNames> {
  const shared = { metrics: METRICS, items: ITEMS, regions: (await loadRegionTree()).regions };
  const ofType = {
    metrics: await namesOf('metrics', shared.metrics, stored),
    items: await namesOf('items', shared.items, stored),
    regions: await namesOf('regions', shared.regions, stored),
  };
  const parents = new Map(shared.regions.map(({ id, belongsTo }) => [id, belongsTo]));
  const names = new Map(shared.regions.map(({ id, name }) => [id, name]));
  return {
    parentName: (type, id) =>
      type === 'regions' ? names.get(parents.get(id)?.[0] ?? Number.NaN) : undefined,
    named: (type, text) => findNamed(ofType[type], text),
    search: (type, text, corrects = true) =>
      searchInContext(ofType[type].index(), text, {
        parents: type === 'regions' ? parents : new Map(),
        corrects,
      }),
    keepIndexes: async () => {
      for (const { keep } of Object.values(ofType)) await keep?.();
    },
  };
}

/** The names of one type. */
interface TypeNames extends Pick<SearchIndex, 'findNamed'> {
  /** Built when it is first asked for, unless the store keeps it: most tables have names as they are written. */
  index(): SearchIndex;
  readonly keep?: (() => Promise<void>) | undefined;
}

async function namesOf(
  type: NamedType,
  shared: readonly SharedEntity[],
  stored: StoredNames,
): Promise<TypeNames> {
  const checksum = (await stored?.namesChecksum(type)) ?? 'none';
  if (stored !== undefined) {
    const index = await findSearchIndex(type, stored, checksum);
    if (index !== null && shared.every(({ id }) => index.has(id)))
      return { findNamed: (folded) => index.findNamed(folded), index: () => index };
  }
  let names = lastNames.get(type);
  if (names?.checksum !== checksum) {
    const read = await readNames(type, shared, (await stored?.searchDocuments(type)) ?? []);
    names = { checksum, ...read };
    lastNames.set(type, names);
  }
  return countedNames(type, names, stored);
}

/** The names of a type, which many imports of a process share. */
interface UncountedNames {
  readonly documents: readonly SearchDocument[];
  readonly wholes: WholeNames;
  /** Whether all of them are in the store. */
  readonly isWhole: boolean;
  index?: SearchIndex;
}

/** The names of the last import of this process: indexing those of all regions takes longer than importing a short table. */
const lastNames = new Map<NamedType, UncountedNames & { readonly checksum: string }>();

async function readNames(
  type: NamedType,
  shared: readonly SharedEntity[],
  stored: readonly SearchDocument[],
): Promise<UncountedNames> {
  const known = new Map(shared.map((entity) => [entity.id, toDocument(entity)]));
  for (const document of stored) known.set(document.id, document);
  const documents = [...known.values()];
  const wholes = await WholeNames.build(type, documents, () => turns.next());
  return { documents, wholes, isWhole: known.size === stored.length };
}

async function countedNames(
  type: NamedType,
  names: UncountedNames & { readonly checksum: string },
  stored: StoredNames,
): Promise<TypeNames> {
  const counts = (await stored?.pointCounts(type)) ?? new Map<number, number>();
  let index: SearchIndex | undefined;
  return {
    findNamed: (folded) =>
      names.wholes.findNamed(folded).map((hit) => {
        const pointCount = counts.get(hit.document.id) ?? 0;
        return { ...hit, document: { ...hit.document, pointCount } };
      }),
    index: () => {
      names.index ??= SearchIndex.build(type, names.documents);
      index ??= names.index.countedBy(counts, { isRestricted: false });
      return index;
    },
    keep: async () => {
      // The store keeps no index without entities.
      if (index !== undefined && stored !== undefined && names.isWhole)
        await keepNameIndex(index.names, stored, names.checksum);
    },
  };
}

function toDocument(entity: SharedEntity): SearchDocument {
  const { id, name, aliases = [] } = entity;
  const place = 'level' in entity ? entity : { level: null, historical: false };
  return { id, name, aliases, level: place.level, pointCount: 0, historical: place.historical === true };
}

type Parents = ReadonlyMap<number, readonly number[]>;

function searchInContext(
  index: SearchIndex,
  text: string,
  { parents, corrects }: { parents: Parents; corrects: boolean },
): Hit[] {
  const search = new TextSearch([index], text);
  const inContext = search.findNamedWithin().flatMap((named) => {
    const contexts = named.hits.map(
      ({ document }) => [document.id, ancestors(document.id, parents)] as const,
    );
    return search.findInContext(named, new Map(contexts));
  });
  return search.bestFirst(inContext, corrects);
}

function ancestors(id: number, parents: Parents): number[] {
  const direct = parents.get(id) ?? [];
  return [...direct, ...direct.flatMap((parent) => ancestors(parent, parents))];
}

/** The other name of an entity that a text is near, where it is nearer than the name: "milk" is near Sorghum by "milo". */
export function nearAlias({ name, aliases }: SearchDocument, text: string): string | undefined {
  const distanceTo = (other: string) => editDistance(fold(text), fold(other), MAX_NEAR);
  const own = distanceTo(name);
  return aliases.find((alias) => distanceTo(alias) < Math.min(own, MAX_NEAR + 1));
}

/** The maximum number of edits by which a name is near another. */
const MAX_NEAR = 2;
