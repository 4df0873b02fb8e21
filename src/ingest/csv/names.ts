import type { SearchDocument } from '../../compute/search/document.js';
import { REGION_LEVELS, type SearchableType } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch-builder.js';
import { foldName } from '../regions/names.js';
import { regionTree } from '../regions/tree.js';
import { ITEMS } from '../vocabulary/items.js';
import { METRICS } from '../vocabulary/metrics.js';

/** The kinds whose names a table gives. */
export type NamedType = Extract<SearchableType, 'metrics' | 'items' | 'regions'>;

interface Candidate {
  readonly id: number;
  readonly name: string;
  readonly level: number | null;
  readonly pointCount: number;
  /** 0 for the name itself, 1 for an alias. */
  readonly rank: number;
}

type NameIndex = Readonly<Record<NamedType, ReadonlyMap<string, readonly Candidate[]>>>;

const ONE: Readonly<Record<NamedType, string>> = { metrics: 'metric', items: 'item', regions: 'region' };
const SHOWN_CANDIDATES = 5;

/**
 * Finds entities by name among the shared vocabulary, the region tree and what the store already knows. A name counts more
 * than an alias; of several equal hits the larger region counts, then the one with more points, and a note says so.
 */
export class NameFinder {
  readonly #found = new Map<string, number>();

  private constructor(
    private readonly byName: NameIndex,
    private readonly batch: BatchBuilder,
  ) {}

  static async create(
    batch: BatchBuilder,
    documents: ((type: SearchableType) => Promise<SearchDocument[]>) | undefined,
  ): Promise<NameFinder> {
    if (documents === undefined) {
      sharedIndex ??= buildIndex(async () => []);
      return new NameFinder(await sharedIndex, batch);
    }
    return new NameFinder(await buildIndex(documents), batch);
  }

  /**
   * The id of what a name means.
   * @param level restricts regions to one of `REGION_LEVELS`
   * @throws RowError when nothing has the name
   */
  id(type: NamedType, name: string, level?: keyof typeof REGION_LEVELS): number {
    const slot = `${type} ${level ?? ''} ${name}`;
    let id = this.#found.get(slot);
    if (id === undefined) {
      id = this.#find(type, name, level);
      this.#found.set(slot, id);
    }
    return id;
  }

  #find(type: NamedType, name: string, level?: keyof typeof REGION_LEVELS): number {
    const wanted = level === undefined ? null : REGION_LEVELS[level];
    const hits = (this.byName[type].get(foldName(name)) ?? []).filter(
      (candidate) => wanted === null || candidate.level === wanted,
    );
    const [best, ...others] = [...hits].sort(compareCandidates);
    if (best === undefined) {
      const what = level === undefined ? ONE[type] : `${ONE[type]} of the level "${level}"`;
      throw new RowError(`there is no ${what} called "${name}"`);
    }
    const rivals = others.filter(({ rank }) => rank === best.rank);
    if (rivals.length > 0) {
      const shown = rivals.slice(0, SHOWN_CANDIDATES).map((rival) => `${rival.name} (${rival.id})`);
      this.batch.note(
        `${ONE[type]} "${name}" was taken as ${best.name} (${best.id}), and could be ${shown.join(', ')}`,
      );
    }
    return best.id;
  }
}

let sharedIndex: Promise<NameIndex> | undefined;

/** Names of the shared vocabulary and the region tree, over which those of the store go. */
async function buildIndex(
  documents: (type: SearchableType) => Promise<SearchDocument[]>,
): Promise<NameIndex> {
  const { regions } = await regionTree();
  const shared = { metrics: METRICS, items: ITEMS, regions };
  const indexes = { metrics: new Map(), items: new Map(), regions: new Map() };
  for (const type of ['metrics', 'items', 'regions'] as const) {
    const known = new Map(shared[type].map((entity) => [entity.id, document(entity)]));
    for (const stored of await documents(type)) known.set(stored.id, stored);
    for (const entry of known.values()) addCandidates(indexes[type], entry);
  }
  return indexes;
}

function document(entity: NewEntity<'metrics' | 'items'> | NewEntity<'regions'>): SearchDocument {
  const { id, name, aliases = [] } = entity;
  const place = 'level' in entity ? entity : { level: null, historical: false };
  return { id, name, aliases, level: place.level, pointCount: 0, historical: place.historical };
}

function addCandidates(
  index: Map<string, Candidate[]>,
  { id, name, aliases, level, pointCount }: SearchDocument,
): void {
  const names = new Map([
    ...aliases.map((alias) => [foldName(alias), 1] as const),
    [foldName(name), 0] as const,
  ]);
  for (const [folded, rank] of names) {
    const candidates = index.get(folded) ?? [];
    candidates.push({ id, name, level, pointCount, rank });
    index.set(folded, candidates);
  }
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || (a.level ?? 0) - (b.level ?? 0) || b.pointCount - a.pointCount || a.id - b.id;
}
