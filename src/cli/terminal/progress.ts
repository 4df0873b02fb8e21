import { progressBar } from '../../frame/display/progress-bar.js';
import type { LongOperation } from '../../model/progress.js';
import type { CommandIo } from './io.js';

/** The signal and the progress bar of a command; the bar is drawn only on a terminal. */
export function progressOptions({ stderr, signal }: Pick<CommandIo, 'stderr' | 'signal'>): LongOperation {
  if (stderr.isTTY !== true) return { signal };
  return { signal, onProgress: progressBar((text) => stderr.write(text)) };
}

/** Clears an unfinished bar, so that the next message starts on an empty line. */
export function clearProgress({ stderr }: Pick<CommandIo, 'stderr'>): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[2K');
}
