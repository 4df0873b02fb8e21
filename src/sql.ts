import './frame/display/show-frames.js';

export { type SqlOptions, type SqlQuery, type SqlValue, sql } from './sql/sql.js';
