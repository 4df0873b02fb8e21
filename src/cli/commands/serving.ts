import { DEFAULT_PORT } from '../../contract/wire-names.js';
import { integer, oneOf } from '../../model/schema/schemas.js';
import { CONNECTION, STORE } from '../options/flag-groups.js';
import { flag, makeRepeatable, parseSpan, withDefault } from '../options/flags.js';

const port = (meaning: string) => flag('--port <n>', integer({ min: 0, max: 65_535 }), meaning);

export const SERVE = {
  name: 'serve',
  summary: 'serve a store over HTTP',
  description: 'Serve a store over HTTP until interrupted.',
  takes: {
    store: STORE,
    port: withDefault(port('port to listen on; 0 picks a free port'), DEFAULT_PORT),
    host: withDefault(
      flag('--host <address>', 'address to listen on; 0.0.0.0 accepts requests from other machines'),
      '127.0.0.1',
    ),
    auth: flag('--no-auth', 'serve without access tokens; only on loopback addresses'),
    open: flag('--open', "open the service's web page in a browser"),
    page: flag('--no-page', 'do not serve the web page'),
    tlsCert: flag('--tls-cert <file>', 'TLS certificate (PEM), to serve HTTPS'),
    tlsKey: flag('--tls-key <file>', "certificate's private key (PEM)"),
    requestsPerMinute: flag(
      '--requests-per-minute <n>',
      integer({ min: 1 }),
      'maximum number of requests per minute for each token (default: unlimited)',
    ),
    concurrency: withDefault(
      flag(
        '--concurrency <n>',
        integer({ min: 1 }),
        'maximum number of concurrent requests, of which one token may use a quarter; other requests wait',
      ),
      64,
    ),
    metrics: flag(
      '--metrics',
      'serve GET /metrics for Prometheus; requires a token with the right to administer',
    ),
    loginTtlMs: flag(
      '--login-ttl <span>',
      parseSpan,
      'how long a login token is valid, such as 8h or 30d (default: 12h)',
    ),
    trustProxy: flag(
      '--trust-proxy',
      'read client addresses from X-Forwarded-For; use this only if all requests come through a proxy',
    ),
    allowImport: flag(
      '--allow-import',
      'let tokens with the right to import send files to the running service',
    ),
    maxImportBytes: flag(
      '--max-import-bytes <n>',
      integer({ min: 1 }),
      'maximum total size of the files of one import, in bytes (default: 4 GiB)',
    ),
    publicUrl: flag('--public-url <url>', 'URL of the service behind a proxy'),
    allowedHosts: makeRepeatable(
      flag('--allowed-host <host>', 'with --no-auth: an additional host name to accept'),
    ),
    cors: makeRepeatable(flag('--cors <origin>', 'a site whose pages may read the service')),
    embed: makeRepeatable(flag('--embed <origin>', 'a site whose pages may show its figures in frames')),
    stopWithin: flag(
      '--stop-within <seconds>',
      integer({ max: 3600 }),
      'seconds to wait for open requests when stopping (default: 8)',
    ),
    log: withDefault(
      flag(
        '--log <kind>',
        oneOf(['none', 'json']),
        'request log on standard error: one JSON object per line, or none',
      ),
      'json',
    ),
  },
  help: `
To see the web page, open the service's URL in a browser. Every request for data needs an access token, from "cropframe
token create" or from a user's login. With --no-auth, no token is needed, but --host must be a loopback address. Ctrl-C
stops the service once open requests have finished. A second Ctrl-C stops it immediately.

Examples:
  $ cropframe serve --store farm.duckdb --no-auth
  $ cropframe serve --store farm.duckdb --host 0.0.0.0 --port 8443 --tls-cert cert.pem --tls-key key.pem`,
};

export const MCP = {
  name: 'mcp',
  summary: 'make a store or a service available to AI assistants',
  description: 'Make a store or a service available to AI assistants through the Model Context Protocol.',
  takes: CONNECTION,
  help: `
Assistants start the command themselves, and communicate with it over standard input and output. Its tools search names,
find series, get points, compute degree days and crop weights, and draw charts. None of them changes data. The command
needs the package @modelcontextprotocol/sdk.

Examples:
  $ cropframe mcp --store farm.duckdb
  $ cropframe mcp --host https://data.example.org`,
};

export const EXPLORE = {
  name: 'explore',
  summary: 'open a store in a browser',
  description: 'Find, draw and download series in a browser.',
  takes: {
    store: STORE,
    port: port('port to listen on (default: any free port)'),
    open: flag('--no-open', 'only print the URL'),
  },
  help: `
A service that only this machine can reach runs until Ctrl-C, without access tokens. To see the page of another service, open
its URL in a browser.

Example:
  $ cropframe explore --store farm.duckdb`,
};
