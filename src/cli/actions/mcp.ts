import { resolve } from 'node:path';
import { isLoopback } from '../../model/access.js';
import {
  ArgumentError,
  badArgument,
  CropframeError,
  type ErrorCode,
  shownValue,
} from '../../model/errors.js';
import { runUnderSignals } from '../../model/linked-abort.js';
import { bearerToken, singleTokenAuthorizer } from '../../service/access/auth.js';
import { checkSite } from '../../service/access/sites.js';
import type { Service } from '../../service/handler.js';
import { serve } from '../../service/http/serve.js';
import type { MCP } from '../commands/serving.js';
import { resolveHost, withClients } from '../connection/with-client.js';
import { createMcpServer, loadSdk, type Sdk, type ServerParts } from '../mcp/server.js';
import type { InputValues } from '../options/flags.js';
import { type CommandContext, note, waitForAbort, warn } from '../terminal/io.js';

type McpOptions = InputValues<typeof MCP.takes>;

const DEFAULT_PORT = 8471;
const DEFAULT_LISTEN = '127.0.0.1';

const MIN_TOKEN_LENGTH = 20;

/** Serves the MCP tools until the context's signal is aborted or, without `--http`, until standard input ends. */
export async function serveMcp(context: CommandContext, options: McpOptions): Promise<void> {
  const token = checkToken(context, options);
  const sdk = await loadSdk();
  const { store, host, http } = options;
  // The command lines in results must work from any folder.
  const connection =
    store === undefined ? { host: resolveHost(context, { host }) } : { store: resolve(store) };
  await withClients(context, options, async (newClient) => {
    const parts = { newClient, connection, signal: context.signal };
    if (http !== true) return serveOverStdio(context, sdk, parts);
    const { port = DEFAULT_PORT, listen = DEFAULT_LISTEN, allowedHosts } = options;
    const service = createMcpService(sdk, parts, { token, allowedHosts });
    const serving = await serve(service, { port, hostname: listen });
    await note(context, `listening on ${serving.url}${MCP_PATH}; press Ctrl-C to stop`);
    if (!isLoopback(listen)) await warn(context, 'the token is sent unencrypted; use a proxy with TLS');
    await waitForAbort(context.signal);
    await serving.close();
  });
}

/** Returns the token that HTTP requests must send, or `undefined` if they need none. */
function checkToken({ env }: CommandContext, options: McpOptions): string | undefined {
  const { http, listen = DEFAULT_LISTEN } = options;
  const token = env.CROPFRAME_MCP_TOKEN || undefined;
  if (http !== true) {
    const given = (['port', 'listen', 'allowedHosts'] as const).find((name) => options[name] !== undefined);
    if (given === undefined) return undefined;
    throw badArgument(given, 'needs --http; without it, the server uses standard input and output');
  }
  if (token === undefined && !isLoopback(listen))
    throw new ArgumentError(
      'listen',
      `--listen ${listen} accepts requests from other machines, which need a token: set CROPFRAME_MCP_TOKEN to a long random string, which clients send as "authorization: Bearer"`,
    );
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new ArgumentError(
      'CROPFRAME_MCP_TOKEN',
      `CROPFRAME_MCP_TOKEN has fewer than ${MIN_TOKEN_LENGTH} characters; set it to a long random string`,
    );
  return token;
}

/** Serves the tools over standard input and output. Only protocol messages are written to standard output. */
async function serveOverStdio(
  { stdin, stdout, stderr, signal }: CommandContext,
  sdk: Sdk,
  parts: ServerParts,
): Promise<void> {
  const server = createMcpServer(sdk, parts);
  server.onerror = (error) => void warn({ stderr }, error.message);
  const ended = new Promise<void>((done) => {
    stdin.once('end', done).once('close', done);
  });
  await server.connect(new sdk.StdioServerTransport(stdin, stdout));
  await Promise.race([ended, waitForAbort(signal)]);
  await server.close();
  stdin.destroy();
}

const MCP_PATH = '/mcp';

const MAX_REQUEST_BYTES = 1024 * 1024;

/** Returns an HTTP service without sessions: each request gets its own MCP server. */
function createMcpService(
  sdk: Sdk,
  parts: ServerParts,
  { token, allowedHosts }: Pick<McpOptions, 'allowedHosts'> & { readonly token: string | undefined },
): Service {
  return async (request, connection) => {
    try {
      // If there is no token, the request's host name is checked instead.
      if (token === undefined) checkSite(request, connection, { allowedHosts });
      else await singleTokenAuthorizer(token)(bearerToken(request));
    } catch (error) {
      const refusal = error instanceof CropframeError && refusals(new URL(request.url))[error.code];
      if (!refusal) throw error;
      return createProblem(...refusal);
    }
    if (new URL(request.url).pathname !== MCP_PATH)
      return createProblem(404, `there is nothing at this path; the server is at ${MCP_PATH}`);
    if (request.method !== 'POST')
      return createProblem(405, 'the server has no sessions and sends no events; use POST', {
        allow: 'POST',
      });
    return runUnderSignals([parts.signal, request.signal], async ({ signal }) => {
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: true,
        maxRequestBodySize: MAX_REQUEST_BYTES,
      });
      const server = createMcpServer(sdk, { ...parts, signal });
      await server.connect(transport);
      return transport.handleRequest(request).finally(() => server.close());
    });
  };
}

/** Returns the status and message for each error with which a request may be refused. */
function refusals({ host }: URL): Partial<Record<ErrorCode, Parameters<typeof createProblem>>> {
  return {
    authentication: [
      401,
      'the token is missing or wrong; send "authorization: Bearer" with CROPFRAME_MCP_TOKEN',
      { 'www-authenticate': 'Bearer' },
    ],
    misdirected: [
      421,
      `the server accepts no requests for the host ${shownValue(host)}; to accept them, start it with "--allowed-host ${host.slice(0, 60)}"`,
    ],
    forbidden: [403, 'pages of web sites may not use this server; connect from a program'],
  };
}

function createProblem(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  return Response.json(body, { status, headers });
}
