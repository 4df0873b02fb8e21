import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';

/** Points that the merge of a range of series has added, as queries. Points have `POINT_COLUMNS`. */
export interface MergedPoints {
  /** The new latest vintage of each period. */
  readonly latest: string;
  /** New vintages that are not the latest; null for none. */
  readonly history: string | null;
  /** Series, start and end of the periods whose latest vintage was stored before and no longer is the latest. */
  readonly outdated: string | null;
}

/**
 * The store that an import is for. When it is not the database in which the import runs, that one is a workspace: it has a
 * part of the store's content, and nothing of it is kept.
 */
export interface Home {
  /** Where it is, for messages. */
  readonly location?: string | undefined;
  /** Loads the shapes of regions before they are compared with others. */
  loadShapes?(connection: DuckDBConnection, regionIds: readonly number[]): Promise<void>;
  /** Loads the part of the store that the settled points are merged with: their series, and the points of these. */
  load?(connection: DuckDBConnection, operation: LongOperation): Promise<void>;
  /** Takes the points of a range. */
  take?(connection: DuckDBConnection, points: MergedPoints): Promise<void>;
  /**
   * Commits the import in the store.
   * @param tables those that it may have changed, without those of points
   */
  commit?(connection: DuckDBConnection, tables: ReadonlySet<string>): Promise<void>;
  /** Gives up uncommitted data, and removes the workspace. */
  end?(): Promise<void>;
}

/** The database in which the import runs. */
export const HERE: Home = {};
