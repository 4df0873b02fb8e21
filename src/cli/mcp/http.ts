import { CropframeError, shownValue } from '../../model/errors.js';
import { bearerToken, singleTokenAuthorizer } from '../../service/access/auth.js';
import { checkSite } from '../../service/access/sites.js';
import type { Connection, Service } from '../../service/handler.js';
import type { Sdk } from './server.js';
import { createMcpServer, type ServerParts } from './server.js';

/** Where the server answers. */
export const MCP_PATH = '/mcp';

const MAX_REQUEST_BYTES = 1024 * 1024;

/** Who may ask a server over HTTP. */
export interface HttpAccess {
  /** The token that requests need; without one, the names by which the server is asked are checked. */
  readonly token?: string | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
}

/** The server over HTTP, without sessions: each request has its server. */
export function mcpOverHttp(sdk: Sdk, parts: ServerParts, access: HttpAccess): Service {
  return async (request, connection) => {
    try {
      await checkAccess(request, connection, access);
    } catch (error) {
      if (error instanceof CropframeError) return refused(error, request);
      throw error;
    }
    if (new URL(request.url).pathname !== MCP_PATH)
      return problem(404, `there is nothing here; the server answers at ${MCP_PATH}`);
    if (request.method !== 'POST')
      return problem(405, 'the server has no sessions and sends nothing unasked; use POST');
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: MAX_REQUEST_BYTES,
    });
    const signal = AbortSignal.any([parts.signal, request.signal]);
    const server = createMcpServer(sdk, { ...parts, signal });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request);
    } finally {
      await server.close();
    }
  };
}

async function checkAccess(
  request: Request,
  connection: Connection | undefined,
  { token, allowedHosts }: HttpAccess,
): Promise<void> {
  if (token === undefined) checkSite(request, connection, { allowedHosts });
  else await singleTokenAuthorizer(token)(bearerToken(request));
}

function refused({ code }: CropframeError, { url }: Request): Response {
  const { host } = new URL(url);
  if (code === 'authentication')
    return problem(
      401,
      'the token is missing or wrong; send "authorization: Bearer" with CROPFRAME_MCP_TOKEN',
    );
  if (code === 'misdirected')
    return problem(
      421,
      `the host ${shownValue(host)} is not one of this server; start it with "--allowed-host ${host.slice(0, 60)}" if it is meant to be`,
    );
  return problem(403, 'pages of web sites may not use this server; connect from a program');
}

const HEADERS: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'POST' },
};

function problem(status: number, message: string): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  const headers = HEADERS[status] ?? {};
  return Response.json(body, { status, headers });
}
