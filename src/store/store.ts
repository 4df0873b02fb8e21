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

/** What an engine can do. */
export interface StoreCapabilities {
  readonly engine: string;
  /** The data may be spread over several machines. */
  readonly distributed: boolean;
  /** An import that does not commit leaves nothing behind, even after a crash. */
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

/** The detail of a region's shape: `simple` for zoom levels below 6, `full` from 6 on. */
export type ShapeDetail = 'simple' | 'full';

/** A region's shape in one detail. */
export interface StoredShape {
  readonly region_id: number;
  /** GeoJSON text of a GeometryCollection of MultiPolygons. */
  readonly geojson: string;
}

/** The reading side of a store. Ids that do not exist are absent from results, never an error. */
export interface StoreReader {
  readonly capabilities: StoreCapabilities;
  /** Changes with every committed import, as a key for caches and ETags. */
  version(): Promise<string>;
  lookup<Type extends EntityType>(type: Type, ids: readonly number[]): Promise<EntityOf[Type][]>;
  /** Entities of a type by ascending id, at most `limit`. */
  list<Type extends EntityType>(type: Type, limit: number): Promise<EntityOf[Type][]>;
  searchDocuments(type: SearchableType): Promise<SearchDocument[]>;
  /** For each of `ids` the ids reached from it by containment, ascending and without itself. */
  traverse(
    type: ContainingType,
    direction: ContainmentDirection,
    ids: readonly number[],
    plan: TraversalPlan,
  ): Promise<Map<number, number[]>>;
  /** The series of a plan in batches, by ascending handle. */
  series(plan: SeriesPlan, options?: { signal?: AbortSignal | undefined }): AsyncIterable<StoredSeries[]>;
  combinations(plan: SeriesPlan): Promise<EntityCombination[]>;
  /** The units of the points of these metrics (and items), and the units convertible into them. */
  allowedUnits(metricIds: readonly number[], itemIds: readonly number[] | null): Promise<number[]>;
  /** The points of a plan in batches, by series position, then start, end, reporting and available date. */
  points(plan: PointPlan, options?: { signal?: AbortSignal | undefined }): AsyncIterable<PointColumns>;
  top(plan: TopPlan): Promise<TopRow[]>;
  /** The identities of a type's entities, by ascending id; entities without one are left out. */
  identities(type: EntityType): Promise<StoredIdentity[]>;
  shapes(regionIds: readonly number[], detail: ShapeDetail): Promise<StoredShape[]>;
  idRedirects(): Promise<IdRedirect[]>;
}

/**
 * An entity to import. `contains` is derived from `belongsTo` of other entities; `belongsTo` may refer to entities of the
 * store and of the same import.
 */
export type NewEntity<Type extends EntityType> = Omit<EntityOf[Type], 'contains'> & {
  readonly aliases?: readonly string[] | undefined;
  /** The text that the id is a hash of, for entities known by name only. */
  readonly identity?: string | undefined;
  /** Units only: what is measured, such as mass or area. Units of one dimension are convertible into one another. */
  readonly dimension?: string | undefined;
};

/** The text that an entity's id is a hash of. */
export interface StoredIdentity {
  readonly id: number;
  readonly identity: string;
}

/** A shape to import. */
export interface NewShape extends StoredShape {
  readonly detail: ShapeDetail;
}

/** Points to import: every row has an available date, and its `series` number is a position in `series`. */
export interface NewPoints {
  readonly series: readonly SeriesKey[];
  readonly columns: PointColumns & { readonly available_date: BigInt64Array };
}

/** What an import has changed. */
export interface ImportCounts {
  /** New vintages. */
  readonly added: number;
  /** New vintages of periods that already had one. */
  readonly revised: number;
  /** Vintages that were already in the store. */
  readonly unchanged: number;
  readonly series: number;
  readonly entities: number;
}

/**
 * One import, all or nothing. An entity whose id exists replaces the stored fields and adds to the stored containment.
 * A point that repeats the stored vintage of its period and reporting date changes nothing; one that differs is added as
 * another vintage with its own available date.
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

/** A person who can log in. */
export interface StoredUser {
  readonly email: string;
  /** scrypt parameters, salt and hash in one string. */
  readonly passwordHash: string;
}

/** An access token as it is stored. */
export interface StoredToken {
  /** SHA-256 of the token in hexadecimal. The token itself is not stored. */
  readonly hash: string;
  readonly name: string;
  readonly email: string | null;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
}

/** Users and tokens. They are stored apart from the data, so imports never touch them. */
export interface AccessStore {
  putUser(user: StoredUser): Promise<void>;
  user(email: string): Promise<StoredUser | null>;
  putToken(token: StoredToken): Promise<void>;
  tokenByHash(hash: string): Promise<StoredToken | null>;
  tokens(): Promise<StoredToken[]>;
  /** @returns how many tokens of this name were revoked */
  revokeToken(name: string, revokedMs: number): Promise<number>;
}

/** An open store. */
export interface Store extends StoreReader {
  readonly access: AccessStore;
  /** Begins an import. @throws StoreError when the store is open for reading only, or another import is running */
  begin(): Promise<StoreTransaction>;
  close(): Promise<void>;
}
