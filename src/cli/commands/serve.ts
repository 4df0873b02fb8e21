import { type Command, Option } from 'commander';
import { DEFAULT_PORT } from '../../contract/wire-names.js';
import type { ServeOptions } from '../actions/serve.js';
import { storeOption } from '../options/connection.js';
import { parseSpan, wholeNumberParser } from '../options/option-values.js';
import { repeated } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
The URL of the service shows its page in a browser. Each request for data needs an access token, which "cropframe token
create" creates, or the login of a user. With --no-auth no token is needed, and --host
must be a loopback address. Ctrl-C finishes open requests and stops; a second Ctrl-C stops at once.

Examples:
  $ cropframe serve --store farm.duckdb --no-auth
  $ cropframe serve --store farm.duckdb --host 0.0.0.0 --port 8443 --tls-cert cert.pem --tls-key key.pem`;

/** `cropframe serve`: the service over HTTP. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .summary('serve a store over HTTP')
    .description('Serve a store over HTTP until interrupted.')
    .addOption(storeOption())
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 picks a free port')
        .argParser(wholeNumberParser(0, 65_535))
        .default(DEFAULT_PORT),
    )
    .option(
      '--host <address>',
      'address to listen on; 0.0.0.0 accepts requests from other machines',
      '127.0.0.1',
    )
    .option('--no-auth', 'serve without access tokens; loopback addresses only')
    .option('--open', 'open the page of the service in a browser')
    .option('--no-page', 'answer requests of programs only')
    .option('--tls-cert <file>', 'TLS certificate (PEM), to serve HTTPS')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .addOption(
      new Option(
        '--requests-per-minute <n>',
        'maximum requests per minute for each token (default: unlimited)',
      ).argParser(wholeNumberParser(1)),
    )
    .addOption(
      new Option(
        '--concurrency <n>',
        'requests under way at once; one token has a quarter of them at most, and more wait',
      )
        .argParser(wholeNumberParser(1))
        .default(64),
    )
    .option('--metrics', 'answer GET /metrics, for Prometheus; needs a token with the right to administer')
    .addOption(
      new Option(
        '--login-ttl <span>',
        'how long the token of a login is valid, such as 8h or 30d (default: 12h)',
      ).argParser(parseSpan),
    )
    .option(
      '--trust-proxy',
      'take the address of clients from X-Forwarded-For; only where a proxy alone reaches the service',
    )
    .option('--allow-import', 'let tokens with the right to import send files, while serving')
    .addOption(
      new Option(
        '--max-import-bytes <n>',
        'bytes that the files of one import may have (default: 4 GiB)',
      ).argParser(wholeNumberParser(1)),
    )
    .option('--public-url <url>', 'URL under which a proxy makes the service known')
    .addOption(
      repeated(
        new Option('--allowed-host <host>', 'with --no-auth: another host name that requests may be for'),
      ),
    )
    .addOption(repeated(new Option('--cors <origin>', 'a site whose pages may read the service')))
    .addOption(
      new Option(
        '--stop-within <seconds>',
        'how long a stop waits for requests in progress (default: 8)',
      ).argParser(wholeNumberParser(0, 3600)),
    )
    .addOption(
      new Option('--log <kind>', 'request log on standard error: one JSON object per line, or none')
        .choices(['none', 'json'])
        .default('json'),
    )
    .addHelpText('after', HELP)
    .action(async (options: ServeOptions) => {
      const { serveStore } = await import('../actions/serve.js');
      await serveStore(context, options);
    });
}
