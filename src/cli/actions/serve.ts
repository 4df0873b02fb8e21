import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { drawChart } from '../../draw-chart.js';
import { visibleJson } from '../../frame/display/escape-text.js';
import type { HostedImports } from '../../ingest/import-host.js';
import { isLoopback } from '../../model/access.js';
import { ArgumentError, badArgument } from '../../model/errors.js';
import { type Serving, serve } from '../../service/http/serve.js';
import { isPageBuilt } from '../../service/page/page.js';
import { createService } from '../../service/service.js';
import type { Store } from '../../store/store.js';
import type { SERVE } from '../commands/serving.js';
import { isOnServers, withStore } from '../connection/store-file.js';
import type { InputValues } from '../options/flags.js';
import { type CommandContext, remark, waitForAbort, warn, writeLine } from '../terminal/io.js';
import { openInBrowser } from '../terminal/open-browser.js';

type ServeOptions = Omit<InputValues<typeof SERVE.takes>, 'concurrency'> & { readonly concurrency?: number };

/** Serves a store until the context's signal is aborted. */
export async function serveStore(context: CommandContext, options: ServeOptions): Promise<void> {
  checkAccess(options);
  const page = await checkPage(context, options);
  const whenBusy = 'wait until the import into this store has finished';
  const to = options.allowImport === true ? 'write' : 'read';
  await withStore(options.store, { to, whenBusy }, async (store) => {
    const imports = options.allowImport === true ? await allowImports(options) : undefined;
    const log = eventLog(context, options);
    const service = createService(store, {
      authorize: options.auth ? undefined : 'anyone',
      loginTtlMs: options.loginTtlMs,
      trustProxy: options.trustProxy,
      imports,
      publicUrl: options.publicUrl,
      allowedHosts: options.allowedHosts,
      cors: options.cors,
      embed: options.embed,
      requestsPerMinute: options.requestsPerMinute,
      concurrency: options.concurrency,
      drawChart,
      metrics: options.metrics,
      page,
      backupFolder: isOnServers(options.store) ? undefined : dirname(await realpath(options.store)),
      log: options.log === 'json' ? (entry) => log({ ...entry }) : undefined,
      onWarning: (message) =>
        options.log === 'json'
          ? log({ time: formatNow(), event: 'warning', message })
          : void warn(context, message),
    });
    const { host: hostname, port, tlsCert, tlsKey, stopWithin } = options;
    const stopWithinMs = stopWithin === undefined ? undefined : stopWithin * 1000;
    const serving = await serve(service, { hostname, port, tlsCert, tlsKey, stopWithinMs });
    await announceService(context, { store, serving, options });
    if (options.open === true) await openInBrowser(context, `${serving.url}/`);
    log({
      time: formatNow(),
      event: 'listening',
      url: serving.url,
      store: options.store,
      open: !options.auth,
    });
    await waitForAbort(context.signal);
    const { by: reason = 'stop' } = context.signal.reason as { by?: string | undefined };
    log({ time: formatNow(), event: 'stopping', reason });
    try {
      await serving.close();
    } finally {
      await imports?.close();
    }
    log({ time: formatNow(), event: 'stopped' });
  });
}

/** Returns the service's import operations. The importers are loaded only if imports are allowed. */
async function allowImports({ maxImportBytes }: ServeOptions): Promise<HostedImports> {
  const { hostImports } = await import('../../ingest/import-host.js');
  return hostImports({ maxBytes: maxImportBytes });
}

const NOT_BUILT = 'the page is not built (run "npm run build")';

/** Returns whether to serve the web page. @throws ArgumentError if `--open` is given and the page is not served */
async function checkPage(context: CommandContext, { page, open }: ServeOptions): Promise<boolean> {
  if (open === true && !page)
    throw new ArgumentError('open', '--open opens the page, which --no-page omits; use only one of them');
  if (!page || isPageBuilt()) return page;
  if (open === true) throw badArgument('open', `${NOT_BUILT}`);
  await remark(context, `${NOT_BUILT}; it is not served`);
  return false;
}

function checkAccess({ auth, host, allowedHosts }: ServeOptions): void {
  if (auth && allowedHosts !== undefined)
    throw badArgument('allowedHosts', 'needs --no-auth; with tokens, a request may be for any host name');
  if (!auth && !isLoopback(host)) {
    throw new ArgumentError(
      'auth',
      `--no-auth works only on a loopback address; with --host ${host}, omit --no-auth, and create tokens with "cropframe token create"`,
    );
  }
}

/** Returns a function that writes events to standard error as JSON lines, or does nothing if the log is `none`. */
function eventLog(
  { stderr }: CommandContext,
  { log }: ServeOptions,
): (entry: Readonly<Record<string, unknown>>) => void {
  return log === 'none' ? () => {} : (entry) => stderr.write(`${visibleJson(JSON.stringify(entry))}\n`);
}

async function announceService(
  context: CommandContext,
  { store, serving, options }: { store: Store; serving: Serving; options: ServeOptions },
): Promise<void> {
  await writeLine(context.stdout, `listening on ${serving.url}`);
  if (options.auth && (await store.access.tokens()).length === 0) {
    await warn(
      context,
      `there are no access tokens, so the service rejects every request; create one with "cropframe token create --name NAME --store ${options.store}"`,
    );
  }
  if (options.tlsCert === undefined && !isLoopback(options.host)) {
    await warn(context, 'tokens are sent unencrypted; set --tls-cert and --tls-key, or use a proxy with TLS');
  }
  await remark(context, 'press Ctrl-C to stop');
}

function formatNow(): string {
  return new Date().toISOString();
}
