import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { DuckDBInstance } from '@duckdb/node-api';

// Node optimizes early what a test runs for a second: that takes longer than it saves. Later versions have other limits.
if (Number.parseInt(process.versions.node, 10) < 24) setFlagsFromString('--interrupt-budget=1000000');

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
