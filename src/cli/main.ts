#!/usr/bin/env node
import { run } from './program.js';
import { Interruption } from './terminal/exit-codes.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) {
      // The system ends the process at once. `process.exit` waits for a file that does not answer, such as a pipe.
      process.removeAllListeners(name);
      process.kill(process.pid, name);
    }
    stop.abort(new Interruption(name));
  });
}

// Each write rejects as well. Without a listener, a closed pipe would end the process with a stack trace.
process.stdout.on('error', (error) => stop.abort(error));
process.stderr.on('error', () => {});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
