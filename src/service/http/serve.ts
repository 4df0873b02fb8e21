import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { problemBody, statusOfError } from '../../contract/problems.js';
import { DEFAULT_PORT, REQUEST_ID } from '../../contract/wire-names.js';
import { ArgumentError, badArgument, CropframeError, RateLimitError } from '../../model/errors.js';
import { fileFailure, isSystemError } from '../../model/file-failure.js';
import { check, checkOptions, type OptionKeys } from '../../model/schema/check.js';
import { FUNCTION, integer, TEXT } from '../../model/schema/schemas.js';
import type { Service } from '../handler.js';
import { compressAnswers, problemAnswer } from './answers.js';

/** The address is part of the header and can hold long selections. */
const MAX_HEADER_BYTES = 512 * 1024;

/** A connection without traffic for this long is closed. */
const IDLE_TIMEOUT_MS = 120_000;

/** A request must arrive within this time. Node's five minutes are too short for 8 MiB over a slow line. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/**
 * A connection without a request is kept for longer than clients and proxies keep theirs, which is a minute at most usually:
 * where the service closes first, a request that is on its way is lost.
 */
const KEEP_ALIVE_MS = 65_000;

/** Docker kills a process that takes 10 s to stop. */
const STOP_WITHIN_MS = 8000;

/** Where the service listens, and its certificate. */
export interface ServeOptions {
  /** Default 8470; 0 selects any free port. */
  readonly port?: number | undefined;
  /** The address to listen on; loopback by default. */
  readonly hostname?: string | undefined;
  /** The file of the certificate in PEM; needs `tlsKey`. */
  readonly tlsCert?: string | undefined;
  /** The file of the certificate's key in PEM. */
  readonly tlsKey?: string | undefined;
  /** After `close`, requests that are still open are cut after this time, in milliseconds; 8 seconds by default. */
  readonly stopWithinMs?: number | undefined;
}

const SERVE_KEYS: OptionKeys<ServeOptions> = {
  port: integer({ max: 65_535 }),
  hostname: TEXT,
  tlsCert: TEXT,
  tlsKey: TEXT,
  stopWithinMs: integer(),
};

/** A service that listens on a socket. */
export interface Serving {
  /** The address with scheme and port. */
  readonly url: string;
  /** Refuses new requests, closes idle connections, and resolves when the open requests have ended or been cut. */
  close(): Promise<void>;
}

/**
 * Serves a service over a socket, with compression.
 * @throws ArgumentError for a certificate without its key or the reverse; or when it cannot listen
 */
export async function serve(service: Service, options: ServeOptions = {}): Promise<Serving> {
  check(FUNCTION, service, 'service');
  checkOptions(options, SERVE_KEYS, 'serve');
  const { port = DEFAULT_PORT, hostname = '127.0.0.1', stopWithinMs = STOP_WITHIN_MS } = options;
  const tls = readTls(options);
  const answers = compressAnswers(service);
  const connections = new Connections();
  const listener: RequestListener = (incoming, outgoing) => {
    const { socket, method } = incoming;
    const { remoteAddress = '', localPort = 0 } = socket;
    const refuse = (error: CropframeError) => {
      const answer = problemAnswer(error);
      answer.headers.set(
        REQUEST_ID,
        recordRefusal(service, socket, { method, error, status: answer.status }),
      );
      return answer;
    };
    const isTaken = connections.take(outgoing);
    const answer = (request: Request) =>
      isTaken ? answers(request, { address: remoteAddress, localPort }) : refuse(stoppingError());
    const errorHandler = (error: unknown) => refuse(malformedError(error));
    void (getRequestListener(answer, { errorHandler }) as RequestListener)(incoming, outgoing);
  };
  // Requests without a Host reach the listener, whose answer names the fault.
  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  };
  const server =
    tls === null
      ? createHttpServer(settings, listener)
      : createHttpsServer({ ...tls, ...settings }, listener);
  connections.watch(server);
  server.on('clientError', (error, socket: Socket) => {
    // The service itself logs a request whose client leaves in the middle of it.
    if (connections.isAnswering(socket)) socket.destroy();
    else refuseUnreadable(service, error, socket);
  });
  server.setTimeout(IDLE_TIMEOUT_MS);
  // URLs write IPv6 addresses in brackets, sockets do not.
  server.listen(port, hostname.replace(/^\[(.*)\]$/, '$1'));
  await once(server, 'listening').catch((error: Error) => {
    throw listenFailure(error, { port, hostname });
  });
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}:${address.port}`,
    close: () => connections.stop(server, stopWithinMs),
  };
}

/** The fault of an address, by the code of the system's error, and the remedy. */
const LISTEN_REASONS: Readonly<Record<string, readonly [argument: keyof ServeOptions, reason: string]>> = {
  EADDRINUSE: ['port', 'is in use by another program; choose another port'],
  EACCES: ['port', 'needs more rights; choose a port above 1023'],
  EADDRNOTAVAIL: ['hostname', 'is not an address of this machine; choose another'],
  ENOTFOUND: ['hostname', 'is not an address of this machine; choose another'],
};

function listenFailure(error: Error, { port, hostname }: { port: number; hostname: string }): Error {
  const [argument, reason] = LISTEN_REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? [
    'hostname',
    `cannot be listened on: ${error.message}`,
  ];
  return badArgument(argument, `${hostname}:${port} ${reason}`, { cause: error });
}

function readTls({ tlsCert, tlsKey }: ServeOptions): { cert: Buffer; key: Buffer } | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw badArgument('tls', 'a certificate needs its key and a key its certificate; give both files');
  const cert = readPem(tlsCert, 'tlsCert');
  return { cert, key: readPem(tlsKey, 'tlsKey', cert) };
}

function readPem(path: string, argument: 'tlsCert' | 'tlsKey', cert?: Buffer): Buffer {
  try {
    const pem = readFileSync(path);
    createSecureContext(cert === undefined ? { cert: pem } : { cert, key: pem });
    return pem;
  } catch (error) {
    if (isSystemError(error)) throw fileFailure(error, { path, argument, to: 'read' });
    const wanted = cert === undefined ? 'a certificate (PEM)' : "the certificate's key (PEM, no passphrase)";
    throw badArgument(argument, `${path} is not ${wanted}`, { cause: error });
  }
}

/** The connections of a server, TLS handshakes included, and its answers that are not sent whole. */
class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #open = new Set<ServerResponse>();
  #isStopping = false;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** @returns false for a request that arrives after the stop */
  take(outgoing: ServerResponse): boolean {
    outgoing.shouldKeepAlive &&= !this.#isStopping;
    if (this.#isStopping) return false;
    this.#open.add(outgoing);
    outgoing.once('close', () => {
      this.#open.delete(outgoing);
      this.#closeIfDone();
    });
    return true;
  }

  /** Checks whether a request over this connection has reached the service and is not answered whole. */
  isAnswering(socket: Socket): boolean {
    return [...this.#open].some(({ req }) => req.socket === socket);
  }

  /** Ends when the server has no connection any more; after `withinMs`, it cuts the open ones. */
  async stop(server: Server, withinMs: number): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    for (const outgoing of this.#open) outgoing.shouldKeepAlive = false;
    this.#closeIfDone();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, withinMs);
    await closed.finally(() => clearTimeout(cut));
  }

  /** After the stop and the last answer, closes connections that have sent only part of a request, or nothing. */
  #closeIfDone(): void {
    if (this.#isStopping && this.#open.size === 0) for (const socket of this.#sockets) socket.destroySoon();
  }
}

function malformedError(error: unknown): ArgumentError {
  const wrong = error instanceof Error ? error.message : String(error);
  const message = `the request cannot be read (${wrong}); its Host header and its path must form a URL`;
  return new ArgumentError('request', message);
}

const RETRY_AFTER_MS = 5_000;

/** Makes the error for requests on connections that are still open while the service stops. */
function stoppingError(): RateLimitError {
  return new RateLimitError(503, 'service', 'the service is stopping; try again later', RETRY_AFTER_MS);
}

/** Records a request that the service does not see. @returns its id */
function recordRefusal(
  service: Service,
  { remoteAddress: address = '' }: Socket,
  { method = '', error, status }: { method?: string | undefined; error: CropframeError; status: number },
): string {
  const requestId = randomUUID();
  service.refused?.({ requestId, address, method, status, reason: error.message });
  return requestId;
}

/** Answers bytes that are not HTTP on their socket, and closes it. Nothing is written after or into an earlier answer. */
function refuseUnreadable(service: Service, { code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const error = unreadable(code);
  // A problem has 413 for everything that is too large.
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : statusOfError(error);
  const body = JSON.stringify(problemBody(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID}: ${recordRefusal(service, socket, { error, status })}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function unreadable(code: string | undefined): CropframeError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new CropframeError('too_large', 'the headers are too long; use POST /v2/data');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new CropframeError('timeout', 'the request did not arrive in time; send it faster');
  return new ArgumentError('request', 'the request is not valid HTTP');
}
