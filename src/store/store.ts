import type { PointColumns } from '../columns/point-columns.js';
import type {
  ContainingType,
  ContainmentDirection,
  EntityOf,
  EntityType,
  SearchableType,
  SearchDocument,
} from '../model/entity.js';
import type { LongOperation } from '../model/progress.js';
import type { SeriesKey } from '../model/series.js';
import type { IdChange } from './id-change.js';
import type {
  EntityCombination,
  PointPlan,
  SeriesPlan,
  StoredSeries,
  TopPlan,
  TopRow,
  TraversalPlan,
} from './plan.js';

/** What an engine can and cannot do; callers and the conformance suite read it. */
export interface StoreCapabilities {
  readonly engine: string;
  /** The data may span several machines. */
  readonly distributed: boolean;
  /** A write transaction that is broken off, even by a crash, leaves nothing behind. */
  readonly atomicImports: boolean;
}

/** An id that has changed: requests for the old one are redirected to the new one. */
export interface IdRedirect {
  readonly field: keyof SeriesKey;
  readonly oldId: number;
  readonly newId: number;
  /** Restricts the redirect to the series of one source; null applies it to all. */
  readonly sourceId: number | null;
}

/** Two details of a region's shape: `simple` for zoom below 6, `full` from there on. */
export type ShapeDetail = 'simple' | 'full';

/** A region's shape at one detail. */
export interface StoredShape {
  readonly region_id: number;
  /** GeoJSON text of a GeometryCollection of MultiPolygons. */
  readonly geojson: string;
}

/** Everything that is read from a store. Ids that do not exist are absent from answers, never an error. */
export interface StoreReader {
  readonly capabilities: StoreCapabilities;
  /** Changes with every committed import; what caches and ETags are keyed by. */
  version(): Promise<string>;
  lookup<Type extends EntityType>(type: Type, ids: readonly number[]): Promise<EntityOf[Type][]>;
  /** Entities of a type by id, at most `limit`. */
  list<Type extends EntityType>(type: Type, limit: number): Promise<EntityOf[Type][]>;
  searchDocuments(type: SearchableType): Promise<SearchDocument[]>;
  /** Ids reached from each of `ids` by walking containment, without the start itself, ascending. */
  traverse(
    type: ContainingType,
    direction: ContainmentDirection,
    ids: readonly number[],
    plan: TraversalPlan,
  ): Promise<Map<number, number[]>>;
  /** Series of a selection in batches, by ascending handle. */
  series(plan: SeriesPlan, options?: { signal?: AbortSignal | undefined }): AsyncIterable<StoredSeries[]>;
  combinations(plan: SeriesPlan): Promise<EntityCombination[]>;
  /** Units that points of these metrics (and items) carry, and those convertible into them. */
  allowedUnits(metricIds: readonly number[], itemIds: readonly number[] | null): Promise<number[]>;
  /** Points in batches, by series position, then start, end, reporting and available date. */
  points(plan: PointPlan, options?: { signal?: AbortSignal | undefined }): AsyncIterable<PointColumns>;
  top(plan: TopPlan): Promise<TopRow[]>;
  /** The identities of a type's entities that have one, by id. */
  identities(type: EntityType): Promise<StoredIdentity[]>;
  shapes(regionIds: readonly number[], detail: ShapeDetail): Promise<StoredShape[]>;
  idRedirects(): Promise<IdRedirect[]>;
}

/**
 * An entity as an importer gives it: `contains` follows from the others' `belongsTo`, which may only name entities
 * that are in the store, or come with the same import.
 */
export type NewEntity<Type extends EntityType> = Omit<EntityOf[Type], 'contains'> & {
  readonly aliases?: readonly string[] | undefined;
  /** What the id was made from, where it is the hash of a name: the same identity has one id on every machine. */
  readonly identity?: string | undefined;
  /** Units only: what is measured (mass, area, mass per area …). Units of one dimension convert into one another. */
  readonly dimension?: string | undefined;
};

/** A name that an id was made from. */
export interface StoredIdentity {
  readonly id: number;
  readonly identity: string;
}

/** A shape as an importer gives it. */
export interface NewShape extends StoredShape {
  readonly detail: ShapeDetail;
}

/** Points with their vintages: available dates are always known, and every `series` number indexes `series`. */
export interface NewPoints {
  readonly series: readonly SeriesKey[];
  readonly columns: PointColumns & { readonly available_date: BigInt64Array };
}

/** What an import changed. */
export interface ImportCounts {
  /** Vintages that were not there before. */
  readonly added: number;
  /** Of these, vintages of a period that already had one. */
  readonly revised: number;
  /** Vintages that the store already held. */
  readonly unchanged: number;
  readonly series: number;
  readonly entities: number;
}

/**
 * One import, all or nothing. Putting an entity whose id exists replaces its fields and adds to its containment.
 * A vintage is what one reporting date said of one period; a put that says the same again changes nothing, one that
 * says something else is kept beside it under its own available date.
 */
export interface StoreTransaction {
  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void>;
  putShapes(shapes: readonly NewShape[]): Promise<void>;
  putIdRedirects(redirects: readonly IdRedirect[]): Promise<void>;
  /**
   * Gives entities new ids, and updates all that refers to them in the store and in this import so far. An old id that was
   * in the store before this import becomes a redirect.
   * @throws StoreError when a new id is taken
   */
  changeIds(changes: readonly IdChange[]): Promise<void>;
  putPoints(points: NewPoints): Promise<void>;
  commit(options?: LongOperation): Promise<ImportCounts>;
  rollback(): Promise<void>;
}

/** A person who may ask for tokens. */
export interface StoredUser {
  readonly email: string;
  /** scrypt parameters, salt and hash in one text. */
  readonly passwordHash: string;
}

/** An access token as it is kept. */
export interface StoredToken {
  /** SHA-256 of the token, hexadecimal; the token itself is stored nowhere. */
  readonly hash: string;
  readonly name: string;
  readonly email: string | null;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
}

/** Who may ask. Kept apart from the data so that an import never touches it. */
export interface AccessStore {
  putUser(user: StoredUser): Promise<void>;
  user(email: string): Promise<StoredUser | null>;
  putToken(token: StoredToken): Promise<void>;
  tokenByHash(hash: string): Promise<StoredToken | null>;
  tokens(): Promise<StoredToken[]>;
  /** @returns how many tokens of this name were revoked */
  revokeToken(name: string, revokedMs: number): Promise<number>;
}

/** A store: read, written by imports, and closed. */
export interface Store extends StoreReader {
  readonly access: AccessStore;
  /** @throws StoreError when the store was opened for reading only, or another import is under way */
  begin(): Promise<StoreTransaction>;
  close(): Promise<void>;
}
