import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built command: compiling it for every process takes longer than running it. */
export const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The command as a separate process, with its output so far. */
export interface CommandProcess {
  readonly child: ChildProcessWithoutNullStreams;
  said(): { stdout: string; stderr: string };
  /** Waits until standard output or standard error matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for the exit. @returns the exit code; null after a signal */
  ended(): Promise<number | null>;
}

/** Starts the command as a process. The test that starts it must end it. */
export function startCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CommandProcess {
  return startProcess(process.execPath, [COMMAND, ...argv], env);
}

/** Starts any program as `startCommand` starts the command. */
export function startProcess(
  program: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CommandProcess {
  const child = spawn(program, argv, { env: { ...process.env, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  let isClosed = false;
  const closed = once(child, 'close').finally(() => {
    isClosed = true;
  });
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(stdout) ?? pattern.exec(stderr);
      if (match !== null) return match;
      // What it wrote last may arrive after its exit.
      if (isClosed) throw new Error(`ended before ${pattern}: ${stdout}${stderr}`);
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed]);
    }
  };
  return {
    child,
    said: () => ({ stdout, stderr }),
    until,
    ended: async () => (await closed)[0] as number | null,
  };
}
