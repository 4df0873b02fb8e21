import { constants, createWriteStream, openSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileFailure } from '../../model/arguments/file-failure.js';

/**
 * Runs a step with the files of an import, each pipe first copied to a temporary file: an import reads its files more than
 * once, and a pipe can be read only once, as in `<(zcat rows.gz)`.
 */
export async function withPipedFiles<Result>(
  files: readonly string[],
  signal: AbortSignal,
  step: (files: readonly string[]) => Promise<Result>,
): Promise<Result> {
  let folder: string | null = null;
  try {
    const whole: string[] = [];
    for (const file of files) {
      if (!(await isPipe(file))) {
        whole.push(file);
        continue;
      }
      folder ??= await mkdtemp(join(tmpdir(), 'cropframe-import-'));
      const copy = join(await mkdtemp(join(folder, 'pipe-')), basename(file));
      await copyPipe(file, copy, signal);
      whole.push(copy);
    }
    return await step(whole);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

async function isPipe(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found?.isFIFO() === true;
}

/** Copies what comes out of a pipe. Opening it as other files are opened would wait for a writer, deaf to signals. */
async function copyPipe(file: string, copy: string, signal: AbortSignal): Promise<void> {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const source = new Socket({ fd, readable: true, writable: false });
    await pipeline(source, createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw fileFailure(error, { path: file, argument: 'files', to: 'read' });
  }
}
