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

// Whoever writes is told as well; without a listener a reader who left would end the process with a stack trace.
process.stdout.on('error', (error) => stop.abort(error));
process.stderr.on('error', () => {});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
