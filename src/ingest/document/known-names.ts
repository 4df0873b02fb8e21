import { REGION_LEVELS, type SearchableType, type SearchDocument } from '../../model/entity.js';
import { getOrCompute } from '../../model/grouping.js';
import { buildNameIndex, type NameIndex } from '../../search/indexing/name-index.js';
import { loadSearchIndex } from '../../search/load-index.js';
import type { Hit } from '../../search/match.js';
import { SearchIndex } from '../../search/search-index.js';
import { findNamed, TextSearch } from '../../search/text-search.js';
import type { NewEntity } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { ImporterInput } from '../importer.js';
import { loadRegionTree, type RegionTree } from '../regions/tree.js';
import { ITEMS, METRICS } from '../vocabulary/entities.js';

export type NamedType = Extract<SearchableType, 'metrics' | 'items' | 'regions'>;

export type NamedKind = NamedType | 'units';

export type StoredNames = Omit<NonNullable<ImporterInput['store']>, 'identities' | 'lookup'> | undefined;
type SharedEntity = NewEntity<'metrics' | 'items'> | NewEntity<'regions'>;

export type KnownNames = Awaited<ReturnType<typeof loadKnownNames>>;

/** Loads the names of vocabulary entities, regions (if `hasRegions`) and stored entities, which take precedence. */
export async function loadKnownNames(stored?: StoredNames, hasRegions = true) {
  const { regions, byId } = await loadRegionTree();
  const ofType = {
    metrics: await indexOf('metrics', METRICS, stored),
    items: await indexOf('items', ITEMS, stored),
    regions: hasRegions ? await indexOf('regions', regions, stored) : NO_NAMES,
  };
  return {
    /** Returns the name of a region's parent in the region tree, if there is one. */
    parentName: (type: SearchableType, id: number): string | undefined =>
      type === 'regions' ? byId.get(byId.get(id)?.belongsTo[0] ?? Number.NaN)?.name : undefined,
    hasRegion: (id: number): boolean => byId.has(id) || ofType.regions.has(id),
    /** Finds a current country or territory by any of its ISO 3166 codes: "GP", "GLP" or "FR-971" for Guadeloupe. */
    countryByCode: (code: string): number | undefined =>
      regions.find(
        ({ level, historical, aliases = [] }) =>
          level === REGION_LEVELS.country && !historical && aliases.includes(code),
      )?.id,
    /** Finds entities with exactly this name or alias. These matches take precedence over those of a search. */
    named: (type: NamedType, text: string): Hit[] => findNamed(ofType[type], text),
    /** Finds entities by name, best match first. If `corrects` is true, the name in `text` may be misspelt. */
    search(type: NamedType, text: string, corrects = true): Hit[] {
      const search = new TextSearch([ofType[type]], text);
      const contextOf = ({ document: { id } }: Hit) =>
        [id, type === 'regions' ? ancestors(id, byId) : []] as const;
      const inContext = search
        .findNamedWithin()
        .flatMap((named) => search.findInContext(named, new Map(named.hits.map(contextOf))));
      return search.bestFirst(inContext, corrects);
    },
  };
}

const NO_NAMES = new SearchIndex(await buildNameIndex('regions', []), new Map());

/** Search indexes for the names that all stores share, keyed by entity type. Each is built only once per process. */
const sharedIndexes = new Map<NamedType, Promise<NameIndex>>();

async function indexOf(type: NamedType, shared: readonly SharedEntity[], stored: StoredNames) {
  // A store lacks most of the shared metrics and items, so its index of them would never be used.
  if (stored !== undefined && type === 'regions') {
    const index = await loadSearchIndex(type, stored, () => turns.next());
    if (shared.every(({ id }) => index.has(id))) return index;
  }
  const build = (documents: readonly SearchDocument[]) => buildNameIndex(type, documents, () => turns.next());
  const known = shared.map(toDocument);
  const own = (await stored?.searchDocuments(type)) ?? [];
  const names =
    own.length === 0
      ? getOrCompute(sharedIndexes, type, () => build(known))
      : build([...new Map([...known, ...own].map((document) => [document.id, document])).values()]);
  return new SearchIndex(await names, (await stored?.pointCounts(type)) ?? new Map());
}

function toDocument(entity: SharedEntity): SearchDocument {
  const { id, name, aliases = [] } = entity;
  const place = 'level' in entity ? entity : { level: null, historical: false };
  return { id, name, aliases, level: place.level, pointCount: 0, historical: place.historical === true };
}

function ancestors(id: number, regions: RegionTree['byId']): number[] {
  const direct = regions.get(id)?.belongsTo ?? [];
  return [...direct, ...direct.flatMap((parent) => ancestors(parent, regions))];
}
