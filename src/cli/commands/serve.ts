import { type Command, Option } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { openToAll } from '../../service/access/auth.js';
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
  open?: boolean | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  log: 'none' | 'json';
  requestsPerMinute?: number | undefined;
}

const HELP = `
Requests need an access token ("cropframe token create" makes one), unless --open lets in everybody, which is for
this machine alone. Ctrl-C finishes what is under way and ends; a second Ctrl-C ends at once.

Examples:
  $ cropframe serve --store farm.duckdb --open
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
    .option('--open', 'let in everybody without a token; on this machine alone')
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
  if (options.open === true && !isLoopback(options.host)) {
    throw new ArgumentError(
      'open',
      `--open lets in everybody without a token, so that it works on this machine alone; with --host ${options.host} ` +
        'leave --open out, and make tokens with "cropframe token create"',
    );
  }
  const whenBusy = 'a store that is being imported into cannot be served: wait until that is done';
  await withStore(options.store, { to: 'read', whenBusy }, async (store) => {
    const log = eventLog(context, options);
    const service = createService(store, {
      ...(options.open === true ? { authorize: openToAll } : {}),
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
      open: options.open === true,
    });
    const reason = await interrupted(context.signal);
    log({ time: now(), event: 'stopping', reason });
    await serving.close();
    log({ time: now(), event: 'stopped' });
  });
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
  if (options.open !== true && (await store.access.tokens()).length === 0) {
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
