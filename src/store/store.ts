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
  /** True for a region that exists only in historical data. */
  readonly historical: boolean;
}

/** A region's shape in one detail. */
export interface StoredShape {
  /** Id of the region. */
  readonly region_id: number;
  /** GeoJSON text of a GeometryCollection of MultiPolygons. */
  readonly geojson: string;
}

/** How something is read. */
export interface ReadOptions {
  /** Aborting it ends the query with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How entities are looked up. */
export interface LookupOptions extends ReadOptions {
  /** Maximum number of entities. */
  readonly limit?: number | undefined;
}

/** The queries of readers. Ids that do not exist are absent from results, never an error. */
export interface StoreReader {
  /** Changes with every committed import, as a key for caches and ETags. */
  version(): Promise<string>;
  /** Entities of a type by ascending id: those of the ids, or all for null. */
  lookup<Type extends EntityType>(
    type: Type,
    ids: readonly number[] | null,
    options?: LookupOptions,
  ): Promise<EntityOf[Type][]>;
  /** The names of entities by id, or of all historical regions, without all else that `lookup` reads. */
  names(type: EntityType, ids: readonly number[] | 'historical'): Promise<StoredName[]>;
  /** For each of `ids` the ids reached from it by containment, ascending and without itself. */
  traverse(
    type: ContainingType,
    direction: ContainmentDirection,
    ids: readonly number[],
    plan: TraversalPlan,
  ): Promise<Map<number, number[]>>;
  /** The series of a plan in batches, by ascending handle. */
  series(plan: SeriesPlan, options?: ReadOptions): AsyncIterable<StoredSeries[]>;
  /** The distinct combinations of the series of a plan. */
  combinations(plan: SeriesPlan, options?: ReadOptions): Promise<EntityCombination[]>;
  /** The series of a selection, counted by their fields. Points are not read. */
  facets(plan: FacetPlan, options?: ReadOptions): Promise<CountedSeries>;
  /** The available and reporting dates of all vintages of some series. */
  vintages(plan: VintagePlan, options?: ReadOptions): Promise<CountedVintages>;
  /** The units of the points of these metrics (and items), and the units convertible into them. */
  allowedUnits(
    metricIds: readonly number[],
    itemIds: readonly number[] | null,
    options?: ReadOptions,
  ): Promise<number[]>;
  /**
   * The points of a plan in lists, by series position, then start, end, reporting and available date. A list holds at
   * most 65,536 points, in one part for each series or more; `available_date` and `metadata` are present as the plan says.
   */
  points(plan: PointPlan, options?: ReadOptions): AsyncIterable<readonly PackedPoints[]>;
  /**
   * The sums of the latest values in the window, in any order. Units are summed separately, null values are ignored, and the
   * selection's partner regions are summed together.
   */
  sums(plan: SumPlan, options?: ReadOptions): Promise<Sum[]>;
  /** The shapes of regions in this detail, or in the other one where it does not exist. */
  shapes(regionIds: readonly number[], detail: ShapeDetail, options?: ReadOptions): Promise<StoredShape[]>;
}

/** The names of a store, by which search and imports find its entities. */
export interface StoreNames {
  /** The facts of every entity of a type that search needs. */
  searchDocuments(type: SearchableType): Promise<SearchDocument[]>;
  /** A checksum of the result of `searchDocuments` without the numbers of points. */
  namesChecksum(type: SearchableType): Promise<string>;
  /** The number of points of each entity of a type that has any, as in `searchDocuments`. */
  pointCounts(type: SearchableType): Promise<ReadonlyMap<number, number>>;
  /** The entities that have an identity, by type and ascending id. */
  identities(): Promise<StoredIdentity[]>;
}

/**
 * An entity to import. `contains` is derived from `belongsTo` of other entities; `belongsTo` may refer to entities of the
 * store and of the same import.
 */
export type NewEntity<Type extends EntityType> = Omit<EntityOf[Type], 'contains'> & {
  /** Other names under which search finds it. */
  readonly aliases?: readonly string[] | undefined;
  /** The text that the id is a hash of, for entities known by name only. */
  readonly identity?: string | undefined;
} & (Type extends 'regions'
    ? {
        /** True when the region exists only in historical data. */
        readonly historical: boolean;
      }
    : unknown);

/** The text that an entity's id is a hash of. */
export interface StoredIdentity {
  /** Type of the entity. */
  readonly type: EntityType;
  /** Id of the entity. */
  readonly id: number;
  /** The text. */
  readonly identity: string;
}

/** A shape to import. */
export interface NewShape extends StoredShape {
  /** The detail of this shape. */
  readonly detail: ShapeDetail;
}

/** Points to import: every row has an available date, and its `series` number is a position in `series`. */
export interface NewPoints {
  /** The series of the points. */
  readonly series: readonly SeriesKey[];
  /** The points. */
  readonly columns: PointColumns & {
    /** When each point became available, UTC milliseconds. */
    readonly available_date: BigInt64Array;
  };
}

/**
 * The meaning of strings of a row. Each id of a series comes from one dimension, or from `NewRows.constants`; of other
 * fields the first dimension that has one decides.
 */
export interface RowAnswer extends Partial<SeriesKey> {
  /** Unit of the value. */
  readonly unit_id?: number | undefined;
  /** First date of the period, UTC milliseconds. */
  readonly startMs?: number | undefined;
  /** Last date of the period, UTC milliseconds. */
  readonly endMs?: number | undefined;
  /** UTC milliseconds; null when the source gives no reporting date. */
  readonly reportingMs?: number | null | undefined;
  /** UTC milliseconds. */
  readonly availableMs?: number | null | undefined;
  /** The value of a cell without a number of `NewRows.numbers`. */
  readonly value?: number | null | undefined;
  /** The numbers of `NewRows.numbers` are divided by it. */
  readonly divisor?: number | undefined;
  /** JSON text. */
  readonly metadata?: string | null | undefined;
  /** The reason why a row with these strings is not imported. */
  readonly rejected?: string | undefined;
  /** The kind of points that are not read on purpose. */
  readonly notRead?: string | undefined;
}

/** A point that was read from a row. */
export type ReadPoint = {
  readonly [Field in keyof Omit<RowAnswer, 'divisor' | 'rejected' | 'notRead'>]-?: Exclude<
    RowAnswer[Field],
    undefined
  >;
};

/** Strings of a row, as SQL over the columns `c0`, `c1`, … of the text and the numbers `v0`, `v1`, … */
export interface RowTexts {
  /** The strings. */
  readonly texts: readonly string[];
  /** The condition of the rows that have them; all rows by default. */
  readonly where?: string | undefined;
}

/**
 * A part of the meaning of rows that depends on some of their strings. The engine lists the distinct strings, `resolve` is
 * called once for each of them in order of appearance, and the engine joins the answers with the rows.
 */
export interface RowDimension {
  /** The name in statements. */
  readonly name: string;
  /** The strings of a row; or those of each column of values, null for the columns that it does not concern. */
  readonly of: RowTexts | readonly (RowTexts | null)[];
  /**
   * Resolves strings. The first dimension that rejects a row, or does not read it, decides; later ones are not asked.
   * @param value position of the column of values; 0 for a dimension of all columns
   */
  resolve(texts: readonly string[], value: number): RowAnswer;
}

/** A number that may mark missing values in a column. */
export interface RowMark {
  /** Position of the column of values. */
  readonly value: number;
  /** The number. */
  readonly number: number;
  /** How often the number occurs in the column. */
  readonly count: number;
  /**
   * How many other values are near: they differ by no more than the share `MARK_NEIGHBOURHOOD` of the number's
   * magnitude.
   */
  readonly near: number;
  /** The minimum of the column except for such numbers; null if there is none. */
  readonly min: number | null;
  /** The maximum of the column except for such numbers; null if there is none. */
  readonly max: number | null;
}
/** The relative distance within which values count as near a number. */
export const MARK_NEIGHBOURHOOD = 0.05;

/** The rows of a delimited text, each of which becomes a point for each of its columns of values. */
export interface NewRows {
  /** The path of the text, which is UTF-8. */
  readonly path: string;
  /** The character between fields. */
  readonly delimiter: string;
  /** Whether fields may be in double quotes. */
  readonly quotes: boolean;
  /** Whether fields in quotes may have line ends: the text is then read by one thread. */
  readonly hasLongRows?: boolean | undefined;
  /** Lines before the first row. */
  readonly skip: number;
  /** Number of columns. */
  readonly columns: number;
  /** The names of the columns, which comments of statements tell. */
  readonly header?: readonly string[] | undefined;
  /** Number of the text, as its reader counts texts. */
  readonly file: number;
  /** The number of each column of values, as SQL over the columns `c0`, `c1`, …; null for cells that are resolved. */
  readonly numbers: readonly string[];
  /** What the strings of rows mean, in the order in which they are resolved. */
  readonly dimensions: readonly RowDimension[];
  /** The constants of all rows. */
  readonly constants: RowAnswer;
  /** Numbers that may mark missing values. They are counted among the numbers of each column. */
  readonly marks?: readonly number[] | undefined;
}

/** The reason why a row of another number of fields is rejected. */
export const OTHER_FIELDS = 'the row has another number of fields';

/** Options of reading the rows of a text. */
export interface PutRowsOptions extends Pick<LongOperation, 'signal'> {
  /** How many of so many rows may be rejected; nobody has the time and memory to resolve millions of wrong texts. */
  readonly mayReject?: ((rows: number) => number) | undefined;
}

/** The account of the rows of a text. Rows are counted from 0, without those that are `broken`. */
export interface ReadRows {
  /** Number of rows, with those that are `broken`. */
  readonly rows: number;
  /** Rows with two fields more than there should be, and `damage` that the whole text may suffer from. */
  readonly broken: readonly {
    /** Another number of fields, or damage of the text. */
    readonly kind: 'fields' | 'damage';
  }[];
  /** Rejected rows by number. */
  readonly rejected: readonly {
    /** Number of the row. */
    readonly row: number;
    /** Why it cannot be used. */
    readonly reason: string;
  }[];
  /** Whether more rows are rejected than may be: those that were found first are listed. */
  readonly isEnded?: boolean | undefined;
  /** Points that are not read, by kind. */
  readonly notRead: ReadonlyMap<string, number>;
  /** The counts of numbers that may mark missing values. */
  readonly marks?: readonly RowMark[] | undefined;
  /** The units of the points that were added: how many have it, from when to when. */
  readonly units: readonly {
    /** The unit. */
    unit_id: number;
    /** Number of points. */
    points: number;
    /** The first date, in UTC milliseconds. */
    startMs: number;
    /** The last date, in UTC milliseconds. */
    endMs: number;
  }[];
  /** Their series. */
  readonly series: readonly SeriesKey[];
  /** The statements that read the text and the points of its rows. */
  readonly statements: readonly string[];
  /** The first points that were added, in the order of rows. */
  sample(limit: number): Promise<readonly ReadPoint[]>;
}

/** The figure of a conflicting point, and where it was read. */
export interface ConflictingFigure {
  /** The value; null when the source reports that it has none. */
  readonly value: number | null;
  /** Abbreviation of its unit, or its id when the unit is unknown. */
  readonly unit: string;
  /** Number of the text; null where it came from none. */
  readonly file: number | null;
  /** Row of the text, counted from 0; null where it came from none. */
  readonly row: number | null;
}

/**
 * A point that contradicts another one of the same import: they have the same series, period, reporting and available
 * date, but not the same value or unit.
 */
export interface ConflictingPoint extends ConflictingFigure {
  /** Name of the metric, or its id when the store does not know it. The same holds for item and region. */
  readonly metric: string;
  /** Name of the item. */
  readonly item: string;
  /** Name of the region. */
  readonly region: string;
  /** First date of the period, UTC milliseconds. */
  readonly startMs: number;
  /** Last date of the period, UTC milliseconds. */
  readonly endMs: number;
  /** A figure that it contradicts. */
  readonly other: ConflictingFigure;
}

/** The points of one import after repeats were settled: `duplicates` and `conflicts` were removed. */
export type SettledPoints = Pick<RowAccount, 'points' | 'nulls' | 'duplicates' | 'conflicts'>;

/** Options of `StoreTransaction.settle`. */
export interface SettleOptions extends LongOperation {
  /** Called with the conflicting points, some at a time, by file and line. */
  readonly onConflicts?: ((points: readonly ConflictingPoint[]) => void | Promise<void>) | undefined;
}

/** The facts of an import other than its entities and points. */
export interface ImportRecords {
  /** The sources of its points. */
  readonly imported?: ImportedSources | undefined;
  /** Its fetch, which replaces an earlier one of the same data set and request. */
  readonly fetched?: StoredFetch | undefined;
  /** A fetch that is forgotten. The points that came of it stay. */
  readonly forgotten?: Pick<StoredFetch, 'dataset' | 'request'> | undefined;
}

/**
 * A single import, all or nothing. An entity with a known id replaces the stored fields and adds to the stored
 * containment. Stored vintages never change. A point that repeats the stored vintage of its period and reporting date
 * adds nothing. One that differs is added as another vintage with its own available date, or with the time of the import
 * if that date is taken. If points of one import contradict each other, none of them is stored.
 */
export interface StoreTransaction {
  /** Adds entities of a type, or updates those with the same id. */
  putEntities<Type extends EntityType>(type: Type, entities: readonly NewEntity<Type>[]): Promise<void>;
  /** Adds shapes, or replaces those of the same region and detail. */
  putShapes(shapes: readonly NewShape[]): Promise<void>;
  /** Adds the regions of the package's file with their shapes, unless the store still has all of them. */
  putRegionFile(path: string): Promise<void>;
  /**
   * Calls `put`, which adds entities and shapes, unless the store still has all of them as an earlier call with the same
   * digest added them. A digest is that of the content.
   */
  putOnce(digest: string, put: () => Promise<void>): Promise<void>;
  /** Adds points. */
  putPoints(points: NewPoints): Promise<void>;
  /** Adds the points of the rows of a text. Nothing is added of a text with damage, or with too many rejected rows. */
  putRows(rows: NewRows, options?: PutRowsOptions): Promise<ReadRows>;
  /** Records the facts of the import itself. */
  record(records: ImportRecords): Promise<void>;
  /**
   * Settles the points of this import that have the same series, period, reporting and available date: of equal ones the
   * last is kept, and of contradictory ones none. No points may be added afterwards; `commit` settles too.
   */
  settle(options?: SettleOptions): Promise<SettledPoints>;
  /** Makes the import visible, and returns its changes. */
  commit(options?: LongOperation): Promise<ImportCounts>;
  /** Discards the import. */
  rollback(): Promise<void>;
}

/** A person who can log in. */
export interface StoredUser {
  /** The user's name. */
  readonly email: string;
  /** scrypt parameters, salt and hash in one string. */
  readonly passwordHash: string;
}

/** An access token as it is stored. */
export interface StoredToken {
  /** SHA-256 of the token in hexadecimal. The token itself is not stored. */
  readonly hash: string;
  /** A name for people. */
  readonly name: string;
  /** The user who logged in for it; null for a token that was created by name. */
  readonly email: string | null;
  /** When it was created, UTC milliseconds. */
  readonly createdMs: number;
  /** When it expires, UTC milliseconds; null when it does not. */
  readonly expiresMs: number | null;
  /** When it was revoked, UTC milliseconds; null when it is valid. */
  readonly revokedMs: number | null;
  /** Its rights; a token without this may only read. */
  readonly rights?: readonly Right[] | undefined;
  /** True for the token of a login, which is removed some time after it has expired. */
  readonly login?: true | undefined;
}

/** Users and tokens. They are stored apart from the data, so imports never touch them. */
export interface AccessStore {
  /** Adds a user, or replaces the one with the same email. */
  putUser(user: StoredUser): Promise<void>;
  /** The user with this email; null when there is none. */
  user(email: string): Promise<StoredUser | null>;
  /** The emails of all users, in alphabetical order. */
  userEmails(): Promise<string[]>;
  /** Removes a user, and revokes the user's tokens. @returns false when there is no such user */
  removeUser(email: string, revokedMs: number): Promise<boolean>;
  /** Adds a token, or replaces the one with the same hash. */
  putToken(token: StoredToken): Promise<void>;
  /** Adds the token of a login, and removes those that have expired and the oldest of a user beyond 100. */
  putLogin(token: StoredToken): Promise<void>;
  /** The token with this hash; null when there is none. */
  tokenByHash(hash: string): Promise<StoredToken | null>;
  /** All tokens, by the time they were created. */
  tokens(): Promise<StoredToken[]>;
  /** Revokes the tokens of a name. @returns how many there were */
  revokeToken(name: string, revokedMs: number): Promise<number>;
}

/** A backup that was written and read back, or checked. */
export interface StoreBackup {
  /** When it was made, UTC milliseconds: it holds all that was committed by then. */
  readonly takenMs: number;
  /** The number of its points, including revised ones. */
  readonly points: number;
}

/** Data that is derived from a store and kept next to it. It may be lost at any time, and is then derived again. */
export interface KeptData {
  /** The bytes that are kept under a name; null when there are none, or they are damaged. */
  read(name: string): Promise<Uint8Array | null>;
  /** Keeps bytes under the name, in place of earlier ones; nothing happens where they cannot be written. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** How busy an engine is. */
export interface StoreLoad {
  /** Queries under way. */
  readonly running: number;
  /** Queries that wait. */
  readonly waiting: number;
}

/** The queries of an administrator. */
export interface StoreAdministration {
  /** Name of the engine. */
  readonly engine: string;
  /** How busy the engine is. */
  load(): StoreLoad;
  /** Bytes that the store takes on disk; 0 in memory. */
  bytes(): Promise<number>;
  /** The sources that have series, by id, and how they were imported. */
  sourceImports(): Promise<SourceImports[]>;
  /** The contradictions of the store, in words; reads every point. */
  findFaults(options?: LongOperation): Promise<string[]>;
  /** The fetches of imports, by data set and request. */
  fetches(): Promise<StoredFetch[]>;
  /**
   * Writes a copy of the store as it is now into a new file, with a checksum by which it can be checked. Readers and imports
   * go on meanwhile. Users and tokens are not part of it.
   * @throws StoreError when the file exists, the disk has no room, or the store is damaged; nothing is left behind then
   */
  backup(to: string, options?: LongOperation): Promise<StoreBackup>;
  /** Closes the store; it cannot be used afterwards. */
  close(): Promise<void>;
}

/** An open store. */
export interface Store extends StoreReader, StoreNames, StoreAdministration {
  /** Data that is derived from the store, such as search indexes. */
  readonly kept: KeptData;
  /** Users and tokens. */
  readonly access: AccessStore;
  /**
   * Begins an import.
   * @throws StoreError when the store is open for reading only, another import is running, or its disk is too full
   */
  begin(options?: {
    /** Length of the texts to import: the disk must have room for the estimate from it. */
    textBytes?: number | undefined;
  }): Promise<StoreTransaction>;
}
