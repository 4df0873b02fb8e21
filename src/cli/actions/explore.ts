import { reasonOf } from '../../client/http/exchange.js';
import { ArgumentError, badArgument, NetworkError } from '../../model/errors.js';
import type { EXPLORE } from '../commands/serving.js';
import { resolveHost } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { type CommandContext, writeLine } from '../terminal/io.js';
import { openInBrowser } from '../terminal/open-browser.js';
import { serveStore } from './serve.js';

type ExploreOptions = InputValues<typeof EXPLORE.takes>;

/** Opens a service's web page, or serves a store and its page until the context's signal is aborted. */
export async function explore(context: CommandContext, options: ExploreOptions): Promise<void> {
  const { store, host, port, open } = options;
  if (store === undefined) return exploreHost(context, options);
  if (host !== undefined)
    throw new ArgumentError('host', '--host opens a service and --store opens a file; use only one of them');
  await serveStore(context, {
    store,
    port: port ?? 0,
    host: '127.0.0.1',
    auth: false,
    open,
    page: true,
    log: 'none',
  });
}

/** Opens the page that the service itself serves. A page on another site could read the service only with `--cors`. */
async function exploreHost(context: CommandContext, options: ExploreOptions): Promise<void> {
  if (options.port !== undefined)
    throw new ArgumentError('port', '--port applies only to --store; omit it with --host');
  const page = `${resolveHost(context, options)}/`;
  await requirePage(page, context.signal);
  await writeLine(context.stdout, page);
  if (options.open) await openInBrowser(context, page);
}

/** Checks that the page exists. @throws NetworkError if the host cannot be reached; ArgumentError if it has no page */
async function requirePage(page: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(page, { headers: { accept: 'text/html' }, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new NetworkError(`explore: ${page} could not be reached: ${reasonOf(error)}`, { cause: error });
  });
  await response.body?.cancel();
  if (response.ok && response.headers.get('content-type')?.startsWith('text/html') === true) return;
  throw badArgument(
    'host',
    `${page} responded with status ${response.status}: this service has no page, because it was started with --no-page or is too old. To open a store, use --store FILE`,
  );
}
