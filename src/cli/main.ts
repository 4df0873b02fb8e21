#!/usr/bin/env node

// The imports below are dynamic: static imports would fail on old versions of Node.js before this message is shown.
const OLDEST = [20, 15] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `error: cropframe needs Node.js ${OLDEST.join('.')} or newer, and this is ${process.versions.node}\n`,
  );
  process.exit(1);
}
const { run } = await import('./program.js');
const { Interruption } = await import('./terminal/exit-codes.js');
const { outputFailure } = await import('./terminal/io.js');

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (stop.signal.aborted) {
      // The signal's default action ends the process at once. `process.exit` would wait for an unresponsive pipe.
      process.removeAllListeners(name);
      process.kill(process.pid, name);
    }
    stop.abort(new Interruption(name));
  });

// A failed write also rejects, but without this listener, a closed pipe would end the process and print a stack trace.
process.stdout.on('error', (error) => stop.abort(outputFailure(error)));
process.stderr.on('error', () => {});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });

export {};
