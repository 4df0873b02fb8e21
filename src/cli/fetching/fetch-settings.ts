import { VERSION } from '../../contract/wire-names.js';
import type { FetchSettings } from '../../ingest/fetching/fetcher.js';
import { importProgressOptions } from '../importing/import-progress.js';
import type { CommandIo } from '../terminal/io.js';

/** How a command fetches: through the proxy of the environment, from the agencies or from a mirror of their files. */
export function fetchSettings(
  io: Pick<CommandIo, 'env' | 'stderr' | 'signal'>,
  mirror = io.env.CROPFRAME_MIRROR || undefined,
): FetchSettings {
  return { env: io.env, userAgent: `cropframe/${VERSION}`, mirror, ...importProgressOptions(io) };
}
