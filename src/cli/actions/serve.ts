import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { drawChart } from '../../draw-chart.js';
import { visibleJson } from '../../frame/display/escape-text.js';
import { isLoopback } from '../../model/access.js';
import { ArgumentError, badArgument } from '../../model/errors.js';
import { type Serving, serve } from '../../service/http/serve.js';
import { isPageBuilt } from '../../service/page/page.js';
import { createService } from '../../service/service.js';
import type { Store } from '../../store/store.js';
import type { EXPLORE, SERVE } from '../commands/serving.js';
import { isOnServers, withStore } from '../connection/store-file.js';
import type { InputValues } from '../options/flags.js';
import { type CommandContext, note, remark, waitForAbort, warn, writeLine } from '../terminal/io.js';

type ServeOptions = Omit<InputValues<typeof SERVE.takes>, 'concurrency'> & { readonly concurrency?: number };

/** Serves a store to this machine only, and opens its web page in a browser unless `--no-open` is given. */
export function explore(context: CommandContext, options: InputValues<typeof EXPLORE.takes>): Promise<void> {
  const { store, port = 0, open } = options;
  return serveStore(context, { store, port, open, host: '127.0.0.1', auth: false, page: true, log: 'none' });
}

export async function serveStore(context: CommandContext, options: ServeOptions): Promise<void> {
  checkAccess(options);
  const page = await checkPage(context, options);
  const { store: file, auth, open, allowImport, maxImportBytes, ...others } = options;
  const { host: hostname, port, tlsCert, tlsKey, stopWithin, ...settings } = others;
  const whenBusy = 'wait until the import into this store has finished';
  await withStore(file, { to: allowImport === true ? 'write' : 'read', whenBusy }, async (store) => {
    const importHost = allowImport === true ? await import('../../ingest/import-host.js') : undefined;
    const imports = await importHost?.hostImports({ maxBytes: maxImportBytes });
    const writeEntry = (entry: object) =>
      void context.stderr.write(`${visibleJson(JSON.stringify(entry))}\n`);
    const log = options.log === 'json' ? writeEntry : undefined;
    const logEvent = (event: string, fields = {}) =>
      log?.({ time: new Date().toISOString(), event, ...fields });
    const service = createService(store, {
      ...settings,
      authorize: auth ? undefined : 'anyone',
      imports,
      drawChart,
      page,
      storeName: storeNameOf(options),
      backupFolder: isOnServers(file) ? undefined : dirname(await realpath(file)),
      log,
      onWarning: (message) => (log ? logEvent('warning', { message }) : void warn(context, message)),
    });
    const stopWithinMs = stopWithin === undefined ? undefined : stopWithin * 1000;
    const serving = await serve(service, { hostname, port, tlsCert, tlsKey, stopWithinMs });
    await announceService(context, { store, serving, options });
    if (open === true) await openInBrowser(context, `${serving.url}/`);
    logEvent('listening', { url: serving.url, store: file, open: !auth });
    await waitForAbort(context.signal);
    const { by: reason = 'stop' } = context.signal.reason as { by?: string | undefined };
    logEvent('stopping', { reason });
    await serving.close().finally(() => imports?.close());
    logEvent('stopped');
  });
}

/** Returns the store name for the page's import commands. Hides its folder or address if other machines may connect. */
function storeNameOf({ store, auth, publicUrl, allowedHosts }: ServeOptions): string | undefined {
  if (!auth && publicUrl === undefined && allowedHosts === undefined) return store;
  return isOnServers(store) ? undefined : basename(store);
}

const NOT_BUILT = 'the page is not built (run "npm run build")';

/** Returns whether to serve the web page. @throws ArgumentError if `--open` is given but the page is not served */
async function checkPage(context: CommandContext, { page, open }: ServeOptions): Promise<boolean> {
  if (open === true && !page) throw badArgument('open', 'cannot be combined with --no-page');
  if (!page || isPageBuilt()) return page;
  if (open === true) throw badArgument('open', NOT_BUILT);
  await remark(context, `${NOT_BUILT}; it is not served`);
  return false;
}

function checkAccess({ auth, host, allowedHosts }: ServeOptions): void {
  if (auth && allowedHosts !== undefined)
    throw badArgument('allowedHosts', 'needs --no-auth; with tokens, a request may be for any host name');
  if (!auth && !isLoopback(host))
    throw new ArgumentError(
      'auth',
      `--no-auth works only on a loopback address; with --host ${host}, omit --no-auth, and create tokens with "cropframe token create"`,
    );
}

async function announceService(
  context: CommandContext,
  { store, serving, options }: { store: Store; serving: Serving; options: ServeOptions },
): Promise<void> {
  await writeLine(context.stdout, `listening on ${serving.url}`);
  if (options.auth && (await store.access.tokens()).length === 0)
    await warn(
      context,
      `there are no access tokens, so the service rejects every request; create one with "cropframe token create --name NAME --store ${options.store}"`,
    );
  if (options.tlsCert === undefined && !isLoopback(options.host))
    await warn(context, 'tokens are sent unencrypted; set --tls-cert and --tls-key, or use a proxy with TLS');
  await remark(context, 'press Ctrl-C to stop');
}

async function openInBrowser(context: CommandContext, url: string): Promise<void> {
  const command = browserCommand(url, { platform: process.platform, env: context.env });
  const isStarted = await new Promise<boolean>((resolve) => {
    if (command === null) return resolve(false);
    const [program, ...args] = command;
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
    child.unref();
  });
  if (!isStarted) await note(context, 'no browser could be started; open the URL yourself');
}

/** Returns the command that opens a URL, or null without a display, because a text browser might start there. */
export function browserCommand(
  url: string,
  { platform, env }: { platform: string; env: Readonly<Record<string, string | undefined>> },
): readonly [string, ...string[]] | null {
  if (env.BROWSER !== undefined && env.BROWSER !== '') return [env.BROWSER, url];
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  const hasScreen = (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? '') !== '';
  return hasScreen ? ['xdg-open', url] : null;
}
