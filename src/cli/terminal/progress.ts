import { progressBar } from '../../frame/display/progress-bar.js';
import type { LongOperation } from '../../model/progress.js';
import type { CommandIo } from './io.js';

/** Cancelling and progress of a command: the bar is drawn only on a terminal. */
export function watched({ stderr, signal }: Pick<CommandIo, 'stderr' | 'signal'>): LongOperation {
  if (stderr.isTTY !== true) return { signal };
  return { signal, onProgress: progressBar((text) => stderr.write(text)) };
}

/** Ends a bar that was broken off, so that the next message begins on a line of its own. */
export function clearProgress({ stderr }: Pick<CommandIo, 'stderr'>): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[2K');
}
