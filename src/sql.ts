import './frame/formats/load-in-node.js';

export type { SqlQuery, SqlValue } from './sql/ask.js';
export { type SqlOptions, sql } from './sql/sql.js';
export type { AskStore } from './sql/store-sql.js';
