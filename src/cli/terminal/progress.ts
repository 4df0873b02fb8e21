import { visibleLine } from '../../frame/display/escape-text.js';
import { progressBar, progressLine } from '../../frame/display/progress-bar.js';
import type { LongOperation, Progress } from '../../model/progress.js';
import type { CommandIo, Output } from './io.js';

/** The signal and the progress bar of a command; the bar is drawn only on a terminal. */
export function progressOptions({ stderr, signal }: Pick<CommandIo, 'stderr' | 'signal'>): LongOperation {
  if (stderr.isTTY !== true) return { signal };
  return { signal, onProgress: drawnProgress(stderr) };
}

/** Draws progress in place. Labels can hold names of files. */
export function drawnProgress(
  stderr: Output,
  lineOf: (progress: Progress) => string = progressLine,
): (progress: Progress) => void {
  return progressBar(
    (text) => stderr.write(text),
    (progress) => visibleLine(lineOf(progress)),
  );
}

/** Clears an unfinished bar, so that the next message starts on an empty line. */
export function clearProgress({ stderr }: Pick<CommandIo, 'stderr'>): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[2K');
}
