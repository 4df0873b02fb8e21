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

/** The detail of a region's shape: `simple` for zoom levels below 6, `full` from 6 on. */
export type ShapeDetail = 'simple' | 'full';

/** The name of an entity. */
export interface StoredName {
  /** Id of the entity. */
  readonly id: number;
  /** The name. */
  readonly name: string;
  /** Whether the entity is a region that exists only in historical data. */
  readonly historical: boolean;
}

/** The shape of a region in one detail. */
export interface StoredShape {
  /** Id of the region. */
  readonly region_id: number;
  /** GeoJSON of a GeometryCollection of MultiPolygons. */
  readonly geojson: string;
}

/** Options of reading. */
export interface ReadOptions {
  /** When aborted, the query ends with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for `StoreReader.lookup`. */
export interface LookupOptions extends ReadOptions {
  /** Maximum number of entities. */
  readonly limit?: number | undefined;
}

/** The queries of readers. Ids that do not exist are omitted from results without an error. */
export interface StoreReader {
  /** Returns a string that changes with every committed import, for use in cache keys and ETags. */
  version(): Promise<string>;
  /** Reads entities of a type by ascending id: those with the given ids, or all for null. */
  lookup<Type extends EntityType>(
    type: Type,
    ids: readonly number[] | null,
    options?: LookupOptions,
  ): Promise<EntityOf[Type][]>;
  /** Reads the names of the given entities, or of all historical regions. It reads less than `lookup`. */
  names(type: EntityType, ids: readonly number[] | 'historical'): Promise<StoredName[]>;
  /** Returns the ids reached from each of `ids` by containment, ascending and without the id itself. */
  traverse(
    type: ContainingType,
    direction: ContainmentDirection,
    ids: readonly number[],
    plan: TraversalPlan,
  ): Promise<Map<number, number[]>>;
  /** Reads the series of a plan in batches, by ascending handle. */
  series(plan: SeriesPlan, options?: ReadOptions): AsyncIterable<StoredSeries[]>;
  /** Reads the distinct combinations among the series of a plan. */
  combinations(plan: SeriesPlan, options?: ReadOptions): Promise<EntityCombination[]>;
  /** Counts the series of a selection by their fields, without reading points. */
  facets(plan: FacetPlan, options?: ReadOptions): Promise<CountedSeries>;
  /** Counts the vintages of some series by available date and by reporting date. */
  vintages(plan: VintagePlan, options?: ReadOptions): Promise<CountedVintages>;
  /**
   * Reads the units of the points of the given metrics and items, and the units that can be converted into them.
   * @param itemIds null for all items
   */
  allowedUnits(
    metricIds: readonly number[],
    itemIds: readonly number[] | null,
    options?: ReadOptions,
  ): Promise<number[]>;
  /**
   * Reads the points of a plan in lists. Points are sorted by position of the series, start, end, reporting date and
   * available date. A list holds at most 65,536 points, in one or more parts for each series. The plan determines
   * whether `available_date` and `metadata` are present.
   */
  points(plan: PointPlan, options?: ReadOptions): AsyncIterable<readonly PackedPoints[]>;
  /**
   * Sums the latest values in the window. The sums are in any order. Units are summed separately, null values are
   * ignored, and the selection's partner regions are summed together.
   */
  sums(plan: SumPlan, options?: ReadOptions): Promise<Sum[]>;
  /** Reads the shapes of regions in the requested detail. If a region lacks it, its other shape is returned. */
  shapes(regionIds: readonly number[], detail: ShapeDetail, options?: ReadOptions): Promise<StoredShape[]>;
}

/** The names of a store's entities, for search and imports. */
export interface StoreNames {
  /** Reads the names and facts of a type's entities that search needs. */
  searchDocuments(type: SearchableType): Promise<SearchDocument[]>;
  /** Returns a checksum of the result of `searchDocuments` without the numbers of points. */
  namesChecksum(type: SearchableType): Promise<string>;
  /** Counts the points of each entity of a type, as `searchDocuments` does. Entities without points are omitted. */
  pointCounts(type: SearchableType): Promise<ReadonlyMap<number, number>>;
  /** Reads the entities that have an identity, by type and ascending id. */
  identities(): Promise<StoredIdentity[]>;
}

/**
 * An entity to import. `contains` is omitted, because it is derived from `belongsTo` of other entities. `belongsTo`
 * may refer to entities of the store or of the same import.
 */
export type NewEntity<Type extends EntityType> = Omit<EntityOf[Type], 'contains'> & {
  /** Other names under which search finds the entity. */
  readonly aliases?: readonly string[] | undefined;
  /** The string whose hash is the id, for an entity known only by its name. */
  readonly identity?: string | undefined;
} & (Type extends 'regions'
    ? {
        /** Whether the region exists only in historical data. */
        readonly historical: boolean;
      }
    : unknown);

/** The string whose hash is an entity's id. */
export interface StoredIdentity {
  /** Type of the entity. */
  readonly type: EntityType;
  /** Id of the entity. */
  readonly id: number;
  /** The string whose hash is the id. */
  readonly identity: string;
}

/** A shape to import. */
export interface NewShape extends StoredShape {
  /** The detail of this shape. */
  readonly detail: ShapeDetail;
}

/** Points to import. Every row has an available date, and its `series` number is a position in `series`. */
export interface NewPoints {
  /** The series of the points. */
  readonly series: readonly SeriesKey[];
  /** The columns of the points. */
  readonly columns: PointColumns & {
    /** When each point became available, UTC milliseconds. */
    readonly available_date: BigInt64Array;
  };
}

/**
 * The meaning of a row's strings. Each id of a series comes from a single dimension or from `NewRows.constants`.
 * Other fields come from the first dimension that has them.
 */
export interface RowAnswer extends Partial<SeriesKey> {
  /** Id of the value's unit. */
  readonly unit_id?: number | undefined;
  /** First date of the period, UTC milliseconds. */
  readonly startMs?: number | undefined;
  /** Last date of the period, UTC milliseconds. */
  readonly endMs?: number | undefined;
  /** The reporting date, UTC milliseconds; null when the source gives none. */
  readonly reportingMs?: number | null | undefined;
  /** The available date, UTC milliseconds; null if the strings do not give one. */
  readonly availableMs?: number | null | undefined;
  /** The value of a cell whose number in `NewRows.numbers` is null. */
  readonly value?: number | null | undefined;
  /** The divisor of the numbers in `NewRows.numbers`. */
  readonly divisor?: number | undefined;
  /** Remarks of the source, as JSON. */
  readonly metadata?: string | null | undefined;
  /** The reason why rows with these strings are rejected. */
  readonly rejected?: string | undefined;
  /** The kind of rows with these strings, if they are intentionally not read. */
  readonly notRead?: string | undefined;
}

/** A point that was read from a row. */
export type ReadPoint = {
  readonly [Field in keyof Omit<RowAnswer, 'divisor' | 'rejected' | 'notRead'>]-?: Exclude<
    RowAnswer[Field],
    undefined
  >;
};

/** SQL for some strings of a row. It may use the columns `c0`, `c1`, … of the file, and the numbers `v0`, `v1`, … */
export interface RowTexts {
  /** An SQL expression for each string. */
  readonly texts: readonly string[];
  /** The SQL condition for rows that have these strings; all rows by default. */
  readonly where?: string | undefined;
}

/**
 * A part of the meaning of rows, which depends on some of their strings. The engine lists the distinct strings, calls
 * `resolve` once for each of them in order of appearance, and joins the answers to the rows.
 */
export interface RowDimension {
  /** The dimension's name in SQL statements. */
  readonly name: string;
  /** The strings of a row, or of each column of values; null for a column that the dimension does not concern. */
  readonly of: RowTexts | readonly (RowTexts | null)[];
  /**
   * Resolves strings. Once a dimension rejects a row or does not read it, later dimensions do not see the row.
   * @param value position of the column of values; 0 for a dimension of whole rows
   */
  resolve(texts: readonly string[], value: number): RowAnswer;
}

/** The counts of a number in a column that may mark missing values. */
export interface RowMark {
  /** Position of the column of values. */
  readonly value: number;
  /** The number. */
  readonly number: number;
  /** How often the number occurs in the column. */
  readonly count: number;
  /** How many other values differ from the number by at most the share `MARK_NEIGHBOURHOOD` of its magnitude. */
  readonly near: number;
  /** The minimum of the column without such numbers; null if there are no other values. */
  readonly min: number | null;
  /** The maximum of the column without such numbers; null if there are no other values. */
  readonly max: number | null;
}
/** The relative distance within which values count as near a number. */
export const MARK_NEIGHBOURHOOD = 0.05;

/** The rows of a delimited text file. Each row becomes a point for each column of values. */
export interface NewRows {
  /** The path of the file, which must be UTF-8. */
  readonly path: string;
  /** The character between fields. */
  readonly delimiter: string;
  /** Whether fields may be enclosed in double quotes. */
  readonly quotes: boolean;
  /** Whether quoted fields may contain line ends. The file is then read by a single thread. */
  readonly hasLongRows?: boolean | undefined;
  /** The number of lines before the first row. */
  readonly skip: number;
  /** Number of columns. */
  readonly columns: number;
  /** The names of the columns, for comments in statements. */
  readonly header?: readonly string[] | undefined;
  /** The file's number within the import. */
  readonly file: number;
  /** The number of each column of values, as SQL over `c0`, `c1`, …; null for cells with values from `dimensions`. */
  readonly numbers: readonly string[];
  /** The dimensions of the rows, in the order in which they are resolved. */
  readonly dimensions: readonly RowDimension[];
  /** The fields that all rows share. */
  readonly constants: RowAnswer;
  /** Numbers that may mark missing values. Their occurrences are counted in each column. */
  readonly marks?: readonly number[] | undefined;
}

/** The reason why a row with the wrong number of fields is rejected. */
export const OTHER_FIELDS = 'the row has a different number of fields';

/** Options of `StoreTransaction.putRows`. */
export interface PutRowsOptions extends Pick<LongOperation, 'signal'> {
  /** Returns how many of the given rows may be rejected, since resolving millions of wrong strings would be costly. */
  readonly mayReject?: ((rows: number) => number) | undefined;
}

/** The account of a text file's rows. Rows are numbered from 0, not counting `broken` ones. */
export interface ReadRows {
  /** The number of rows, including `broken` ones. */
  readonly rows: number;
  /** Rows with at least two fields too many, and damage that may affect the whole file. */
  readonly broken: readonly {
    /** Whether the number of fields is wrong, or the file is damaged. */
    readonly kind: 'fields' | 'damage';
  }[];
  /** The rejected rows, by number. */
  readonly rejected: readonly {
    /** Number of the row. */
    readonly row: number;
    /** Why the row cannot be used. */
    readonly reason: string;
  }[];
  /** Whether more rows were rejected than allowed. Only those that were found first are then listed. */
  readonly isEnded?: boolean | undefined;
  /** The number of points that are intentionally not read, by kind. */
  readonly notRead: ReadonlyMap<string, number>;
  /** The counts of numbers that may mark missing values. */
  readonly marks?: readonly RowMark[] | undefined;
  /** The units of the added points. */
  readonly units: readonly {
    /** Id of the unit. */
    unit_id: number;
    /** The number of points with this unit. */
    points: number;
    /** The first start date of these points, UTC milliseconds. */
    startMs: number;
    /** The last end date of these points, UTC milliseconds. */
    endMs: number;
  }[];
  /** The series of the added points. */
  readonly series: readonly SeriesKey[];
  /** The SQL statements that read the file and its points. */
  readonly statements: readonly string[];
  /** Returns the first added points, in the order of rows. */
  sample(limit: number): Promise<readonly ReadPoint[]>;
}

/** The value of a conflicting point, and where it was read. */
export interface ConflictingFigure {
  /** The value; null when the source reports that it has none. */
  readonly value: number | null;
  /** Abbreviation of the unit, or its id if the unit is unknown. */
  readonly unit: string;
  /** Number of the file; null if the point did not come from a file. */
  readonly file: number | null;
  /** Row of the file, counted from 0; null if the point did not come from a file. */
  readonly row: number | null;
}

/**
 * A point that contradicts another one of the same import. Both have the same series, period, reporting date and
 * available date, but a different value or unit.
 */
export interface ConflictingPoint extends ConflictingFigure {
  /** Name of the metric, or its id if the store does not know it. */
  readonly metric: string;
  /** Name of the item, or its id if the store does not know it. */
  readonly item: string;
  /** Name of the region, or its id if the store does not know it. */
  readonly region: string;
  /** First date of the period, UTC milliseconds. */
  readonly startMs: number;
  /** Last date of the period, UTC milliseconds. */
  readonly endMs: number;
  /** A figure that the point contradicts. */
  readonly other: ConflictingFigure;
}

/** The counts of an import's points after settling, and of the removed `duplicates` and `conflicts`. */
export type SettledPoints = Pick<RowAccount, 'points' | 'nulls' | 'duplicates' | 'conflicts'>;

/** Options of `StoreTransaction.settle`. */
export interface SettleOptions extends LongOperation {
  /** Called with batches of the conflicting points, by file and line. */
  readonly onConflicts?: ((points: readonly ConflictingPoint[]) => void | Promise<void>) | undefined;
}

/** Facts about an import itself, rather than its entities and points. */
export interface ImportRecords {
  /** The sources of the import's points. */
  readonly imported?: ImportedSources | undefined;
  /** The download that was imported. It replaces the earlier record of the same data set and request. */
  readonly fetched?: StoredFetch | undefined;
  /** A download whose record is removed. The points that came from it stay. */
  readonly forgotten?: Pick<StoredFetch, 'dataset' | 'request'> | undefined;
}

/**
 * A single import, which is committed as a whole or not at all. An entity with a known id replaces the stored fields
 * and adds to the stored containment. Stored vintages never change. A point that repeats the stored vintage of its
 * period and reporting date adds nothing. A point that differs is added as another vintage with its own available
 * date, or with the time of the import if that date is taken. If points of one import contradict each other, none of
 * them is stored.
 */
export interface StoreTransaction {
  /** Adds entities of a type. Stored ones with the same id are updated. */
  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void>;
  /** Adds shapes. Stored ones of the same region and detail are replaced. */
  putShapes(shapes: readonly NewShape[]): Promise<void>;
  /** Adds the regions in the package's file, with their shapes, unless the store still has all of them. */
  putRegionFile(path: string): Promise<void>;
  /**
   * Calls `put`, which adds entities and shapes. The call is skipped if the store still has everything that was added
   * with the same digest before.
   * @param digest a digest of the content
   */
  putOnce(digest: string, put: () => Promise<void>): Promise<void>;
  /** Adds points. */
  putPoints(points: NewPoints): Promise<void>;
  /** Adds the points of a text file; nothing if the file is damaged, or too many of its rows are rejected. */
  putRows(rows: NewRows, options?: PutRowsOptions): Promise<ReadRows>;
  /** Records facts about the import. */
  record(records: ImportRecords): Promise<void>;
  /**
   * Settles points of this import that have the same series, period, reporting date and available date. Of equal
   * points the last is kept, and of contradictory ones none. No points can be added afterwards. `commit` settles the
   * points if needed.
   */
  settle(options?: SettleOptions): Promise<SettledPoints>;
  /** Makes the import visible to readers, and returns the counts of its changes. */
  commit(options?: LongOperation): Promise<ImportCounts>;
  /** Discards the import. */
  rollback(): Promise<void>;
}

/** A person who can log in. */
export interface StoredUser {
  /** The email address, by which the user logs in. */
  readonly email: string;
  /** scrypt parameters, salt and hash in one string. */
  readonly passwordHash: string;
}

/** An access token as it is stored. */
export interface StoredToken {
  /** SHA-256 of the token in hexadecimal. The token itself is not stored. */
  readonly hash: string;
  /** The token's name, for display. */
  readonly name: string;
  /** The user whose login created the token; null for a token created by name. */
  readonly email: string | null;
  /** When the token was created, UTC milliseconds. */
  readonly createdMs: number;
  /** When the token expires, UTC milliseconds; null when it never does. */
  readonly expiresMs: number | null;
  /** When the token was revoked, UTC milliseconds; null when it is not revoked. */
  readonly revokedMs: number | null;
  /** The token's rights; without this field, it may only read. */
  readonly rights?: readonly Right[] | undefined;
  /** True for the token of a login. It is removed at a later login after it has expired or was revoked. */
  readonly login?: true | undefined;
}

/** The users and tokens of a store. They are stored apart from its data, so imports never change them. */
export interface AccessStore {
  /** Adds a user, or replaces the one with the same email. */
  putUser(user: StoredUser): Promise<void>;
  /** Returns the user with this email, or null if there is none. */
  user(email: string): Promise<StoredUser | null>;
  /** Returns the emails of all users in alphabetical order. */
  userEmails(): Promise<string[]>;
  /** Removes a user, and revokes the user's tokens. @returns false when there is no such user */
  removeUser(email: string, revokedMs: number): Promise<boolean>;
  /** Adds a token, or replaces the one with the same hash. */
  putToken(token: StoredToken): Promise<void>;
  /** Adds the token of a login. Outdated login tokens are removed, and so are the user's oldest beyond 100. */
  putLogin(token: StoredToken): Promise<void>;
  /** Returns the token with this hash, or null if there is none. */
  tokenByHash(hash: string): Promise<StoredToken | null>;
  /** Returns all tokens, by time of creation. */
  tokens(): Promise<StoredToken[]>;
  /** Revokes the tokens with a name. @returns the number of revoked tokens */
  revokeToken(name: string, revokedMs: number): Promise<number>;
}

/** A verified backup. */
export interface StoreBackup {
  /** When the backup was begun, UTC milliseconds. It contains everything that was committed by then. */
  readonly takenMs: number;
  /** The number of points in the backup, including superseded ones. */
  readonly points: number;
}

/** Data that is derived from a store and kept next to it. If it is lost, it is derived again. */
export interface KeptData {
  /** Returns the bytes kept under a name, or null if there are none or they are damaged. */
  read(name: string): Promise<Uint8Array | null>;
  /** Keeps bytes under a name, replacing earlier ones. If they cannot be written, nothing happens. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** The load of an engine. */
export interface StoreLoad {
  /** The number of running queries. */
  readonly running: number;
  /** The number of waiting queries. */
  readonly waiting: number;
}

/** The operations for administrators. */
export interface StoreAdministration {
  /** Name of the engine. */
  readonly engine: string;
  /** Returns the current load of the engine. */
  load(): StoreLoad;
  /** Returns the size of the store on disk in bytes; 0 for a store in memory. */
  bytes(): Promise<number>;
  /** Reads the sources that have series, by id, with their last import. */
  sourceImports(): Promise<SourceImports[]>;
  /** Finds contradictions in the store, and describes each in words. Reads every point. */
  findFaults(options?: LongOperation): Promise<string[]>;
  /** Reads the records of imported downloads, by data set and request. */
  fetches(): Promise<StoredFetch[]>;
  /**
   * Writes a copy of the current store into a new file, with a checksum for later verification. Readers and imports
   * can continue meanwhile. Users and tokens are not included.
   * @throws StoreError when the file exists, the disk has too little space, or the store is damaged; nothing is left
   *   behind then
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
  /**
   * Begins an import.
   * @throws StoreError when the store is open for reading only, another import is running, or the disk has too little
   *   space
   */
  begin(options?: {
    /** Length of the text files to import in bytes, from which the required disk space is estimated. */
    textBytes?: number | undefined;
  }): Promise<StoreTransaction>;
}
