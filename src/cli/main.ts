#!/usr/bin/env node
import { EXIT, Interruption, isBrokenPipe } from './exit-codes.js';
import { run } from './run.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort(new Interruption(name));
  });
}

// The writer is told as well; without a listener a reader who left would end the process with a stack trace.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error) => {
    if (!isBrokenPipe(error)) throw error;
    stop.abort(error);
  });
}

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
