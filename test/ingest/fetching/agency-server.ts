import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** Answers one request; `nth` counts the requests for the path, from 1. */
export type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

/** A server that behaves as those of the agencies do. */
export interface AgencyServer {
  readonly origin: string;
  /** Every request so far. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Answers a path. */
  on(path: string, handler: Handler): void;
  /** Forgets all paths and requests. */
  reset(): void;
}

/** A server on the loopback that runs while the tests of a file do. */
export function agencyServer(): AgencyServer {
  const handlers = new Map<string, Handler>();
  const counts = new Map<string, number>();
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    requests.push({ path, headers: request.headers });
    const handler = handlers.get(path) ?? handlers.get(path.split('?')[0]!);
    if (handler === undefined) return void response.writeHead(404).end('no such file');
    const nth = (counts.get(path) ?? 0) + 1;
    counts.set(path, nth);
    handler(request, response, nth);
  });
  listenDuringTests(server);
  return {
    get origin() {
      return originOf(server);
    },
    requests,
    on: (path, handler) => void handlers.set(path, handler),
    reset() {
      handlers.clear();
      counts.clear();
      requests.length = 0;
    },
  };
}

function listenDuringTests(server: Server): void {
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface ServedFile {
  readonly etag?: string;
  readonly lastModified?: string;
  /** Sends this many bytes, and breaks the connection once they have arrived: an error discards what waits to be read. */
  readonly breakAfter?: { readonly bytes: number; hasArrived(total: number): boolean };
}

/** Serves a file as Apache does: ETag, conditional requests, ranges with If-Range. */
export function serveFile(
  content: string | Uint8Array,
  { etag, lastModified, breakAfter }: ServedFile = {},
): Handler {
  const bytes = Buffer.from(content);
  return ({ headers }, response) => {
    const known = { ...(etag && { etag }), ...(lastModified && { 'last-modified': lastModified }) };
    const isSame =
      headers['if-none-match'] === undefined
        ? lastModified !== undefined && headers['if-modified-since'] === lastModified
        : headers['if-none-match'] === etag;
    if (isSame) return void response.writeHead(304, known).end();
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]);
    const ifRange = headers['if-range'];
    const isRange = start >= 0 && (ifRange === undefined || [etag, lastModified].includes(ifRange as string));
    if (isRange && start >= bytes.length) return void response.writeHead(416).end();
    const body = isRange ? bytes.subarray(start) : bytes;
    const range = isRange ? { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {};
    response.writeHead(isRange ? 206 : 200, { ...known, ...range, 'content-length': body.length });
    if (breakAfter === undefined) return void response.end(body);
    const total = breakAfter.bytes + (isRange ? start : 0);
    const breakOnceArrived = (): void => {
      if (response.closed || breakAfter.hasArrived(total)) response.destroy();
      else setTimeout(breakOnceArrived, 5);
    };
    response.write(body.subarray(0, breakAfter.bytes), breakOnceArrived);
  };
}

/** Answers with a status and a web page. */
export function serveError(status: number, headers: Readonly<Record<string, string>> = {}): Handler {
  return (_request, response) => void response.writeHead(status, headers).end('<html>no</html>');
}

/** A proxy that tunnels while the tests of a file run, and remembers the hosts it was asked for. */
export function tunnelProxy(): { readonly origin: string; readonly tunnels: string[] } {
  const tunnels: string[] = [];
  const proxy = createServer((_request, response) => void response.writeHead(501).end());
  proxy.on('connect', (request, client, head) => {
    tunnels.push(request.url!);
    const [host, port] = request.url!.split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client]) socket.on('error', () => socket.destroy());
  });
  listenDuringTests(proxy);
  return {
    get origin() {
      return originOf(proxy);
    },
    tunnels,
  };
}
