import type { PackedPoints } from '../columns/packed-points.js';
import type { PointColumns } from '../columns/point-columns.js';
import type { Right } from '../model/access.js';
import type {
  ContainingType,
  ContainmentDirection,
  EntityOf,
  EntityType,
  SearchableType,
  SearchDocument,
} from '../model/entity.js';
import type { ImportCounts, RowAccount } from '../model/importing/outcome.js';
import type { LongOperation } from '../model/progress.js';
import type { SeriesKey } from '../model/series.js';
import type { ImportedSources, SourceImports, StoredFetch } from './import-records.js';
import type {
  CountedSeries,
  CountedVintages,
  EntityCombination,
  FacetPlan,
  PointPlan,
  SeriesPlan,
  StoredSeries,
  Sum,
  SumPlan,
  TraversalPlan,
  VintagePlan,
} from './plan.js';

/** The level of detail of a region's shape: `simple` for map zoom levels below 6, `full` for 6 and above. */
export type ShapeDetail = 'simple' | 'full';

/** The name of an entity. */
export interface StoredName {
  /** The entity's id. */
  readonly id: number;
  /** The name. */
  readonly name: string;
  /** Whether the entity is a region that exists only in historical data. */
  readonly historical: boolean;
}

/** A region's shape at one level of detail. */
export interface StoredShape {
  /** The region's id. */
  readonly region_id: number;
  /** The shape as GeoJSON: a GeometryCollection of MultiPolygons. */
  readonly geojson: string;
}

/** Options for reading a store. */
export interface ReadOptions {
  /** Aborting this signal stops the query, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for `StoreReader.lookup`. */
export interface LookupOptions extends ReadOptions {
  /** The maximum number of entities to read. */
  readonly limit?: number | undefined;
}

/** The read operations of a store. Ids that do not exist are silently omitted from results. */
export interface StoreReader {
  /** Returns a string that changes with every committed import, for use in cache keys and ETags. */
  version(): Promise<string>;
  /** Reads the entities with the given ids, or all entities of the type if `ids` is null, sorted by id. */
  lookup<Type extends EntityType>(
    type: Type,
    ids: readonly number[] | null,
    options?: LookupOptions,
  ): Promise<EntityOf[Type][]>;
  /** Reads the names of the given entities, or of all historical regions. Reads less data than `lookup`. */
  names(type: EntityType, ids: readonly number[] | 'historical'): Promise<StoredName[]>;
  /** Returns, for each of `ids`, the ids reached through containment, in ascending order, excluding the id itself. */
  traverse(
    type: ContainingType,
    direction: ContainmentDirection,
    ids: readonly number[],
    plan: TraversalPlan,
  ): Promise<Map<number, number[]>>;
  /** Yields the series that a plan selects, in batches, sorted by handle. */
  series(plan: SeriesPlan, options?: ReadOptions): AsyncIterable<StoredSeries[]>;
  /** Reads the distinct combinations of ids among the series that a plan selects. */
  combinations(plan: SeriesPlan, options?: ReadOptions): Promise<EntityCombination[]>;
  /** Counts the selected series by the values of their fields, without reading points. */
  facets(plan: FacetPlan, options?: ReadOptions): Promise<CountedSeries>;
  /** Counts the vintages of the plan's series by available date and by reporting date. */
  vintages(plan: VintagePlan, options?: ReadOptions): Promise<CountedVintages>;
  /**
   * Reads the ids of the units in which the latest points of the metrics and items are stored, and of all units to
   * which those units can be converted. `itemIds` is null for all items.
   */
  allowedUnits(
    metricIds: readonly number[],
    itemIds: readonly number[] | null,
    options?: ReadOptions,
  ): Promise<number[]>;
  /**
   * Yields the points that a plan selects, in lists of at most 65,536 points. A list has one or more parts per series.
   * Points are sorted by series (in the plan's order), start, end, reporting date and available date.
   */
  points(plan: PointPlan, options?: ReadOptions): AsyncIterable<readonly PackedPoints[]>;
  /**
   * Sums the latest values within the plan's dates. Values in different units are summed separately, values for
   * different partner regions are summed together, and null values are ignored. The sums are in no particular order.
   */
  sums(plan: SumPlan, options?: ReadOptions): Promise<Sum[]>;
  /** Reads region shapes at a level of detail, or at the other level for a region that has no shape at this level. */
  shapes(regionIds: readonly number[], detail: ShapeDetail, options?: ReadOptions): Promise<StoredShape[]>;
}

/** Reads the names of a store's entities, for search and imports. */
export interface StoreNames {
  /** Reads the documents from which the search index for entities of a type is built. */
  searchDocuments(type: SearchableType): Promise<SearchDocument[]>;
  /** Returns a checksum of everything that `searchDocuments` returns, except the point counts. */
  namesChecksum(type: SearchableType): Promise<string>;
  /** Counts the points of each entity of a type, as `searchDocuments` does. Entities without points are omitted. */
  pointCounts(type: SearchableType): Promise<ReadonlyMap<number, number>>;
  /** Reads all entity identities, sorted by type and id. */
  identities(): Promise<StoredIdentity[]>;
}

/** An entity to import. `contains` is derived from `belongsTo`, which may list stored or imported entities. */
export type NewEntity<Type extends EntityType> = Omit<EntityOf[Type], 'contains'> & {
  /** Other names under which the entity can be found. */
  readonly aliases?: readonly string[] | undefined;
  /** The string whose hash is the entity's id, if the entity is known only by its name. */
  readonly identity?: string | undefined;
} & (Type extends 'regions'
    ? {
        /** Whether the region exists only in historical data. */
        readonly historical: boolean;
      }
    : unknown);

/** The string whose hash is an entity's id. */
export interface StoredIdentity {
  /** The entity's type. */
  readonly type: EntityType;
  /** The entity's id. */
  readonly id: number;
  /** The string whose hash is the id. */
  readonly identity: string;
}

/** A shape to import. */
export interface NewShape extends StoredShape {
  /** The shape's level of detail. */
  readonly detail: ShapeDetail;
}

/** Points to import. The values in the column `series` are indexes into the list `series`. */
export interface NewPoints {
  /** The series of the points. */
  readonly series: readonly SeriesKey[];
  /** The columns of the points. */
  readonly columns: PointColumns & {
    /** When each point became available, in UTC milliseconds. */
    readonly available_date: BigInt64Array;
  };
}

/**
 * The point fields that a `RowDimension` derives from a row's strings. Each id of a series must come from exactly one
 * dimension or from `NewRows.constants`. Any other field comes from the first dimension that sets it.
 */
export interface RowAnswer extends Partial<SeriesKey> {
  /** The id of the value's unit. */
  readonly unit_id?: number | undefined;
  /** The period's first date, in UTC milliseconds. */
  readonly startMs?: number | undefined;
  /** The period's last date, in UTC milliseconds. */
  readonly endMs?: number | undefined;
  /** The reporting date, in UTC milliseconds; null if the source does not state one. */
  readonly reportingMs?: number | null | undefined;
  /** The available date, in UTC milliseconds; null if the strings do not contain one. */
  readonly availableMs?: number | null | undefined;
  /** The value to use for a cell if the expression in `NewRows.numbers` is null. */
  readonly value?: number | null | undefined;
  /** The value by which to divide numbers from `NewRows.numbers`. */
  readonly divisor?: number | undefined;
  /** The source's remarks, as JSON. */
  readonly metadata?: string | null | undefined;
  /** The reason why rows with these strings are rejected, if they are. */
  readonly rejected?: string | undefined;
  /** A description of rows with these strings, for example `empty cells`, if they are intentionally skipped. */
  readonly notRead?: string | undefined;
}

/** A point that was read from a row. */
export type ReadPoint = {
  readonly [Field in keyof Omit<RowAnswer, 'divisor' | 'rejected' | 'notRead'>]-?: Exclude<
    RowAnswer[Field],
    undefined
  >;
};

/** SQL expressions for strings in a row, computed from columns (`c0`, `c1`, …) and parsed numbers (`v0`, `v1`, …). */
export interface RowTexts {
  /** The SQL expressions, one for each string that a dimension reads from a row. */
  readonly texts: readonly string[];
  /** The SQL condition for rows that have these strings. By default, all rows have them. */
  readonly where?: string | undefined;
}

/**
 * Derives point fields from some of the strings in each row. The engine lists the distinct combinations of these
 * strings, calls `resolve` for each in order of appearance, and joins the results to the rows.
 */
export interface RowDimension {
  /** The dimension's name in SQL statements. */
  readonly name: string;
  /** SQL for a row's strings, or for each value column's strings; null for value columns without strings. */
  readonly of: RowTexts | readonly (RowTexts | null)[];
  /**
   * Resolves one combination of strings. Rows that an earlier dimension rejects or skips are ignored.
   * @param value position of the value column; 0 if the dimension applies to whole rows
   */
  resolve(texts: readonly string[], value: number): RowAnswer;
}

/** Statistics about a number that may be a missing-value marker in a value column. */
export interface RowMark {
  /** The value column's position. */
  readonly value: number;
  /** The number. */
  readonly number: number;
  /** How often the number occurs in the column. */
  readonly count: number;
  /** The number of other values in the column that differ from `number` by at most 5%. Counting stops at `count`. */
  readonly near: number;
  /** The column's minimum, ignoring all possible missing-value markers; null if there are no other values. */
  readonly min: number | null;
  /** The column's maximum, ignoring all possible missing-value markers; null if there are no other values. */
  readonly max: number | null;
}

/** The rows of a delimited text file. Each row becomes one point per value column. */
export interface NewRows {
  /** The path of the file. The file must be encoded in UTF-8. */
  readonly path: string;
  /** The character between fields. */
  readonly delimiter: string;
  /** Whether fields may be enclosed in double quotes. */
  readonly quotes: boolean;
  /** Whether quoted fields may contain line endings. If so, the file is read by a single thread. */
  readonly hasLongRows?: boolean | undefined;
  /** The number of lines to skip before the first row. */
  readonly skip: number;
  /** The number of columns. */
  readonly columns: number;
  /** The column names, which are written as comments into the SQL statements. */
  readonly header?: readonly string[] | undefined;
  /** The file's number within the import. */
  readonly file: number;
  /** An SQL expression over `c0`, `c1`, … for each value column; null for cells that `dimensions` must resolve. */
  readonly numbers: readonly string[];
  /** The dimensions of the rows, in the order in which they are resolved. */
  readonly dimensions: readonly RowDimension[];
  /** The fields that all rows share. */
  readonly constants: RowAnswer;
  /** Possible missing-value markers. Their occurrences are counted in each value column. */
  readonly marks?: readonly number[] | undefined;
  /** Decides what happens to impossible values. By default, all values are possible. */
  readonly check?: ValueCheck | undefined;
}

/** The range of possible values for a metric in a unit. */
export interface ValueBounds {
  /** The lowest possible value. */
  readonly min: number;
  /** The highest possible value. */
  readonly max: number;
}

/** Decides how to handle values that are impossible for their metric and unit. */
export interface ValueCheck {
  /** Returns the lowest and highest possible values. */
  boundsOf(metric_id: number, unit_id: number): ValueBounds;
  /** Returns the reason for rejecting the row, or null to store the value as null. */
  judge(beyond: BeyondBounds): string | null;
}

/** A value outside the bounds for its metric and unit. */
export interface BeyondBounds {
  /** The value column's position. */
  readonly column: number;
  /** The cell's number before it is divided by `RowAnswer.divisor`, or `RowAnswer.value` if the cell has no number. */
  readonly number: number;
  /** The value, after any division. */
  readonly value: number;
  /** The id of the value's metric. */
  readonly metric_id: number;
  /** The id of the value's unit. */
  readonly unit_id: number;
}

/** Options for `StoreTransaction.putRows`. */
export interface PutRowsOptions extends Pick<LongOperation, 'signal'> {
  /** Returns how many of `rows` rows may be rejected. To save time, reading stops if more rows are rejected. */
  readonly mayReject?: ((rows: number) => number) | undefined;
}

/** The outcome of reading a text file. Row numbers start at 0 and do not count `broken` rows. */
export interface ReadRows {
  /** The number of rows, including `broken` ones; 0 if the file is damaged. */
  readonly rows: number;
  /** The number of rows with two or more extra fields. */
  readonly broken: number;
  /** The rejected rows, ordered by row number. */
  readonly rejected: readonly {
    /** The row's number. */
    readonly row: number;
    /** Why the row cannot be used. */
    readonly reason: string;
  }[];
  /** Whether reading stopped because too many rows were rejected. If so, `rejected` is incomplete. */
  readonly isEnded?: boolean | undefined;
  /** The number of intentionally skipped points, keyed by the description in `RowAnswer.notRead`. */
  readonly notRead: ReadonlyMap<string, number>;
  /** Statistics about possible missing-value markers. */
  readonly marks?: readonly RowMark[] | undefined;
  /** The units of the added points. */
  readonly units: readonly {
    /** The unit's id. */
    unit_id: number;
    /** The number of points with this unit. */
    points: number;
    /** The earliest start date of these points, in UTC milliseconds. */
    startMs: number;
    /** The latest end date of these points, in UTC milliseconds. */
    endMs: number;
  }[];
  /** The series of the added points. */
  readonly series: readonly SeriesKey[];
  /** The SQL statements with which the file and its points were read. */
  readonly statements: readonly string[];
  /** Returns the first `limit` added points, in row order. */
  sample(limit: number): Promise<readonly ReadPoint[]>;
}

/** The value of a conflicting point, and the place from which the value was read. */
export interface ConflictingFigure {
  /** The value; null if the source reports that there is none. */
  readonly value: number | null;
  /** The unit's abbreviation, or its id if the unit is unknown. */
  readonly unit: string;
  /** The file's number; null if the point did not come from a file. */
  readonly file: number | null;
  /** The row in the file, counted from 0; null if the point did not come from a file. */
  readonly row: number | null;
}

/** A point with the same series and dates as another point of the import, but a different value or unit. */
export interface ConflictingPoint extends ConflictingFigure {
  /** The metric's name, or its id if the metric is not in the store. */
  readonly metric: string;
  /** The item's name, or its id if the item is not in the store. */
  readonly item: string;
  /** The region's name, or its id if the region is not in the store. */
  readonly region: string;
  /** The period's first date, in UTC milliseconds. */
  readonly startMs: number;
  /** The period's last date, in UTC milliseconds. */
  readonly endMs: number;
  /** The value of another point that contradicts this point, and the place from which that value was read. */
  readonly other: ConflictingFigure;
}

/** How many points an import keeps, and how many it removes as duplicates or conflicts. */
export type SettledPoints = Pick<RowAccount, 'points' | 'nulls' | 'duplicates' | 'conflicts'>;

/** Options for `StoreTransaction.settle`. */
export interface SettleOptions extends LongOperation {
  /** Called with batches of conflicting points, ordered by file and line. */
  readonly onConflicts?: ((points: readonly ConflictingPoint[]) => void | Promise<void>) | undefined;
}

/** Records about an import itself, rather than its entities and points. */
export interface ImportRecords {
  /** The sources of the import's points. */
  readonly imported?: ImportedSources | undefined;
  /** The download that was imported. Its record replaces any earlier record for the same data set and request. */
  readonly fetched?: StoredFetch | undefined;
  /** A download whose record is removed. The points that were imported from it are kept. */
  readonly forgotten?: Pick<StoredFetch, 'dataset' | 'request'> | undefined;
}

/**
 * A single import, which is committed as a whole or not at all. If an entity's id is already stored, the stored fields
 * are replaced, and the entity's containment relations are added to the stored ones. Stored vintages never change. A
 * point that equals the stored vintage for its period and reporting date adds nothing. A point that differs is added
 * as another vintage with its own available date, or with the import time if a stored vintage already has that date.
 * If points of one import contradict each other, none of these points is stored.
 */
export interface StoreTransaction {
  /** Adds entities of a type. Stored entities with the same ids are updated. */
  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void>;
  /** Adds shapes. Stored shapes of the same region and level of detail are replaced. */
  putShapes(shapes: readonly NewShape[]): Promise<void>;
  /** Adds the regions in the package's file, with their shapes, unless the store already has all of them. */
  putRegionFile(path: string): Promise<void>;
  /** Calls `put`, which adds the batch with this digest, unless the store still has the batch's entities and shapes. */
  putOnce(digest: string, put: () => Promise<void>): Promise<void>;
  /** Adds points. */
  putPoints(points: NewPoints): Promise<void>;
  /** Adds the points of a text file. Adds nothing if the file is damaged or too many of its rows are rejected. */
  putRows(rows: NewRows, options?: PutRowsOptions): Promise<ReadRows>;
  /** Stores records about the import. */
  record(records: ImportRecords): Promise<void>;
  /**
   * Removes duplicates and conflicts: of points with the same series, period, reporting date and available date, keeps
   * the last one, or none if they contradict each other. No points can be added afterwards. `commit` calls this method
   * if the caller has not.
   */
  settle(options?: SettleOptions): Promise<SettledPoints>;
  /** Makes the import visible to readers, and returns the counts of its changes. */
  commit(options?: LongOperation): Promise<ImportCounts>;
  /** Discards the import. */
  rollback(): Promise<void>;
}

/** A person who can log in. */
export interface StoredUser {
  /** The email address with which the user logs in. */
  readonly email: string;
  /** scrypt parameters, salt and hash in one string. */
  readonly passwordHash: string;
}

/** A stored access token. */
export interface StoredToken {
  /** The token's SHA-256 hash in hexadecimal. The token itself is not stored. */
  readonly hash: string;
  /** The token's name, for display. */
  readonly name: string;
  /** The email address of the token's owner; null if none was specified. */
  readonly email: string | null;
  /** When the token was created, in UTC milliseconds. */
  readonly createdMs: number;
  /** When the token expires, in UTC milliseconds; null if it never does. */
  readonly expiresMs: number | null;
  /** When the token was revoked, in UTC milliseconds; null if it was not revoked. */
  readonly revokedMs: number | null;
  /** The token's rights. If omitted, the token grants only read access. */
  readonly rights?: readonly Right[] | undefined;
  /** True if a login created the token. Once the token has expired or been revoked, the next login removes it. */
  readonly login?: true | undefined;
}

/** The users and tokens of a store. They are stored separately from its data, so imports never change them. */
export interface AccessStore {
  /** Adds a user, or replaces the user with the same email. */
  putUser(user: StoredUser): Promise<void>;
  /** Returns the user with this email, or null if there is none. */
  user(email: string): Promise<StoredUser | null>;
  /** Returns the emails of all users in alphabetical order. */
  userEmails(): Promise<string[]>;
  /** Removes a user, and revokes the user's tokens. @returns false if there is no such user */
  removeUser(email: string, revokedMs: number): Promise<boolean>;
  /** Adds a token, or replaces the token with the same hash. */
  putToken(token: StoredToken): Promise<void>;
  /** Adds a login token. Removes expired and revoked login tokens, and the user's oldest if there are more than 100. */
  putLogin(token: StoredToken): Promise<void>;
  /** Returns the token with this hash, or null if there is none. */
  tokenByHash(hash: string): Promise<StoredToken | null>;
  /** Returns all tokens, sorted by creation time. */
  tokens(): Promise<StoredToken[]>;
  /** Revokes all tokens with the given name. @returns the number of revoked tokens */
  revokeToken(name: string, revokedMs: number): Promise<number>;
}

/** A verified backup. */
export interface StoreBackup {
  /** When the backup began, in UTC milliseconds. The backup contains everything that was committed by then. */
  readonly takenMs: number;
  /** The number of points in the backup, including superseded ones. */
  readonly points: number;
}

/** Data that is derived from a store and saved next to it. If it is lost, it is derived again. */
export interface KeptData {
  /** Returns the bytes saved under a name, or null if there are none or they are damaged. */
  read(name: string): Promise<Uint8Array | null>;
  /** Saves bytes under a name, replacing any earlier bytes. Does not throw if the bytes cannot be written. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** Operations for administrators. */
export interface StoreAdministration {
  /** The engine's name. */
  readonly engine: string;
  /** Reads the last import of each source that has series, sorted by source id. */
  sourceImports(): Promise<SourceImports[]>;
  /** Finds inconsistencies in the store, and describes each in a sentence. Reads every point. */
  findFaults(options?: LongOperation): Promise<string[]>;
  /** Reads the records of imported downloads, sorted by data set and request. */
  fetches(): Promise<StoredFetch[]>;
  /**
   * Writes a copy of the store to a new file, and reads it back to check it. Reads and imports can continue meanwhile.
   * @throws StoreError if the file already exists, the disk is full, or the store is damaged; nothing is left behind
   */
  backup(to: string, options?: LongOperation): Promise<StoreBackup>;
  /** Closes the store, which cannot be used afterwards. */
  close(): Promise<void>;
}

/** An open store. */
export interface Store extends StoreReader, StoreNames, StoreAdministration {
  /** Data derived from the store, such as search indexes. */
  readonly kept: KeptData;
  /** Users and tokens. */
  readonly access: AccessStore;
  /** Begins an import. @throws StoreError if the store is open for reading only, or another import is running */
  begin(): Promise<StoreTransaction>;
}
