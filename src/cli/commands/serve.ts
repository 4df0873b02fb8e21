import { type Command, Option } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { allowAnyone } from '../../service/access/auth.js';
import { DEFAULT_PORT, type Serving, serve } from '../../service/http/serve.js';
import { createService } from '../../service/service.js';
import type { Store } from '../../store/store.js';
import { isLoopback } from '../options/loopback.js';
import { wholeNumber } from '../options/option-values.js';
import { storeOption, withStore } from '../options/store-file.js';
import { type CommandContext, remark, warn, writeLine } from '../terminal/io.js';

interface ServeOptions {
  store: string;
  port: number;
  host: string;
  /** False after `--no-auth`. */
  auth: boolean;
  open?: boolean | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  log: 'none' | 'json';
  requestsPerMinute?: number | undefined;
}

const HELP = `
Every request needs an access token; "cropframe token create" creates one. --no-auth serves without tokens, and
listens only on a loopback address. Ctrl-C finishes open requests and stops; a second Ctrl-C stops at once.

Examples:
  $ cropframe serve --store farm.duckdb --no-auth
  $ cropframe serve --store farm.duckdb --host 0.0.0.0 --port 8443 --tls-cert cert.pem --tls-key key.pem`;

/** `cropframe serve`: the service over a socket. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .summary('serve a store over HTTP')
    .description('Serve a store over HTTP until it is told to stop.')
    .addOption(storeOption())
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 takes a free one')
        .argParser(wholeNumber(0, 65_535))
        .default(DEFAULT_PORT),
    )
    .option(
      '--host <address>',
      'address to listen on; 0.0.0.0 takes requests from other machines',
      '127.0.0.1',
    )
    .option('--no-auth', 'serve without access tokens; loopback addresses only')
    .addOption(new Option('--open').hideHelp())
    .option('--tls-cert <file>', 'certificate in PEM, to serve https')
    .option('--tls-key <file>', 'its key in PEM')
    .addOption(
      new Option('--requests-per-minute <n>', 'most requests of each token (default: no limit)').argParser(
        wholeNumber(1),
      ),
    )
    .addOption(
      new Option('--log <kind>', 'a line of JSON on stderr for every request, or none')
        .choices(['none', 'json'])
        .default('json'),
    )
    .addHelpText('after', HELP)
    .action((options: ServeOptions) => runServe(context, options));
}

async function runServe(context: CommandContext, options: ServeOptions): Promise<void> {
  checkAccess(options);
  const whenBusy = 'a store that is being imported into cannot be served: wait until that is done';
  await withStore(options.store, { to: 'read', whenBusy }, async (store) => {
    const log = eventLog(context, options);
    const service = createService(store, {
      ...(!options.auth ? { authorize: allowAnyone } : {}),
      ...(options.requestsPerMinute === undefined ? {} : { requestsPerMinute: options.requestsPerMinute }),
      ...(options.log === 'json' ? { log: (entry) => log({ ...entry }) } : {}),
    });
    const { host: hostname, port, tlsCert, tlsKey } = options;
    const serving = await serve(service, { hostname, port, tlsCert, tlsKey });
    await tellStart(context, { store, serving, options });
    log({
      time: now(),
      event: 'listening',
      url: serving.url,
      store: options.store,
      open: !options.auth,
    });
    const reason = await interrupted(context.signal);
    log({ time: now(), event: 'stopping', reason });
    await serving.close();
    log({ time: now(), event: 'stopped' });
  });
}

function checkAccess({ auth, open, host }: ServeOptions): void {
  if (open === true) {
    throw new ArgumentError(
      'open',
      '--open has no page to open yet; use --no-auth to serve this machine without access tokens',
    );
  }
  if (!auth && !isLoopback(host)) {
    throw new ArgumentError(
      'auth',
      `--no-auth works only on a loopback address; with --host ${host}, omit it and create tokens with "cropframe token create"`,
    );
  }
}

/** One JSON object a line on stderr, or nothing. */
function eventLog(
  { stderr }: CommandContext,
  { log }: ServeOptions,
): (entry: Readonly<Record<string, unknown>>) => void {
  return log === 'none' ? () => {} : (entry) => stderr.write(`${JSON.stringify(entry)}\n`);
}

async function tellStart(
  context: CommandContext,
  { store, serving, options }: { store: Store; serving: Serving; options: ServeOptions },
): Promise<void> {
  await writeLine(context.stdout, `listening on ${serving.url}`);
  if (options.auth && (await store.access.tokens()).length === 0) {
    await warn(
      context,
      `there is no access token yet, so that nobody is let in: "cropframe token create --name NAME --store ${options.store}" makes one`,
    );
  }
  if (options.tlsCert === undefined && !isLoopback(options.host)) {
    await warn(
      context,
      'tokens travel unencrypted: give --tls-cert and --tls-key, or stand behind a proxy that does',
    );
  }
  await remark(context, 'Ctrl-C stops it');
}

function interrupted(signal: AbortSignal): Promise<string> {
  const reasonOf = (): string => String((signal.reason as { by?: string | undefined }).by ?? 'stop');
  if (signal.aborted) return Promise.resolve(reasonOf());
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(reasonOf()), { once: true }),
  );
}

function now(): string {
  return new Date().toISOString();
}
