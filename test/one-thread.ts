import { createRequire } from 'node:module';
import type { DuckDBInstance } from '@duckdb/node-api';

type Engine = typeof DuckDBInstance & { hasOneThread?: true };
const { DuckDBInstance: engine } = createRequire(import.meta.url)('@duckdb/node-api') as {
  DuckDBInstance: Engine;
};

/**
 * Several workers share the cores, and threads of an engine that wait for one another take a third more of their time. The
 * command, and every test of the night, has an engine with all threads.
 */
if (engine.hasOneThread === undefined) {
  engine.hasOneThread = true;
  const { create } = engine;
  engine.create = (path, options) => create.call(engine, path, { threads: '1', ...options });
}
