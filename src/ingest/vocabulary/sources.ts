import type { NewEntity } from '../../store/store.js';
import sources from './sources.json' with { type: 'json' };

/** The sources of the data sets that the package can import. Their ids never change. */
export const SOURCES = sources satisfies Readonly<Record<string, NewEntity<'sources'>>>;
