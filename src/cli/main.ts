#!/usr/bin/env node
import { run } from './run.js';
import { EXIT, Interruption } from './terminal/exit-codes.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort(new Interruption(name));
  });
}

// Each write rejects as well. Without a listener, a closed pipe would end the process with a stack trace.
process.stdout.on('error', (error) => stop.abort(error));
process.stderr.on('error', () => {});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
