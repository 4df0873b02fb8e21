import { copyStore } from '../../store/copying/copy-store.js';
import { Interruption } from '../terminal/exit-codes.js';
import { type CommandContext, writeJson, writeLine } from '../terminal/io.js';
import { clearProgress, progressOptions } from '../terminal/progress.js';

interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean | undefined;
}

/** Copies a store from a file onto servers, or back. */
export async function copyStores(context: CommandContext, { from, to, json }: CopyRequest): Promise<void> {
  const { series, points } = await copyStore(from, to, progressOptions(context)).catch((error: unknown) => {
    clearProgress(context);
    const goesOn = `interrupted; run it again, and it goes on`;
    throw error instanceof Interruption ? new Interruption(error.by, goesOn) : error;
  });
  clearProgress(context);
  if (json === true) return writeJson(context.stdout, { from, to, series, points });
  const [allSeries, allPoints] = [series, points].map((count) => count.toLocaleString('en-US'));
  await writeLine(
    context.stdout,
    `copied ${from} to ${to}, and compared all of both: ${allSeries} series, ${allPoints} points with their revisions. ` +
      'Users and tokens are not part of it',
  );
}
