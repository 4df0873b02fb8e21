import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
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
import { statusOfError } from '../../contract/problems.js';
import { DEFAULT_PORT, REQUEST_ID } from '../../contract/wire-names.js';
import { ArgumentError, badArgument, CropframeError, RateLimitError } from '../../model/errors.js';
import { fileFailure, isSystemError } from '../../model/file-failure.js';
import { check, checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { FUNCTION, integer, TEXT } from '../../model/schema/schemas.js';
import type { Service } from '../handler.js';
import { compressAnswers, problemAnswer } from './answers.js';

/** The maximum size of a request's headers, including the URL, which can contain long selections. */
const MAX_HEADER_BYTES = 512 * 1024;

const IDLE_TIMEOUT_MS = 120_000;

/** How long a request may take to arrive. Node's default of 5 minutes is too short for 8 MiB over a slow connection. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/**
 * How long an idle connection stays open. This is longer than the usual timeout of clients and proxies, which is at
 * most a minute. If the service closed a connection first, a request in transit would be lost.
 */
const KEEP_ALIVE_MS = 65_000;

/** How long the service may take to stop. Docker kills a process that takes longer than 10 s. */
const STOP_WITHIN_MS = 8000;

const SERVE_KEYS = {
  /** The port to listen on; 8470 by default. 0 selects any free port. */
  port: integer({ max: 65_535 }),
  /** The address to listen on; loopback by default. */
  hostname: TEXT,
  /** The path of the TLS certificate in PEM format. Requires `tlsKey`. */
  tlsCert: TEXT,
  /** The path of the certificate's private key in PEM format. */
  tlsKey: TEXT,
  /** The time from calling `close` until open connections are cut off, in milliseconds; 8 seconds by default. */
  stopWithinMs: integer(),
};
/** The address on which the service listens, and its TLS certificate. */
export interface ServeOptions extends OptionsOf<typeof SERVE_KEYS> {}

/** A service that listens on a socket. */
export interface Serving {
  /** The URL of the service, including the scheme and port. */
  readonly url: string;
  /** Rejects new requests, closes idle connections, and resolves when all open requests have ended or been cut off. */
  close(): Promise<void>;
}

/**
 * Makes a service available on a socket, and compresses its responses.
 * @throws ArgumentError if it cannot listen on the address, or if only one of `tlsCert` and `tlsKey` is set
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
    const refuse = (error: CropframeError) => refusal(service, socket, { method, error });
    const isTaken = connections.take(outgoing);
    const hosts = incoming.headersDistinct.host ?? [];
    const answer = (request: Request) => {
      if (hosts.length > 1) return refuse(malformedError(new Error('it has several Host headers')));
      if (isTaken) return answers(request, { address: remoteAddress, localPort });
      const message = 'the service is stopping; try again later';
      return refuse(new RateLimitError(503, 'service', message, RETRY_AFTER_MS));
    };
    const errorHandler = (error: unknown) => refuse(malformedError(error));
    void (getRequestListener(answer, { errorHandler }) as RequestListener)(incoming, outgoing);
  };
  // Requests without a Host header reach the listener, whose response explains the error.
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
  limitConnections(service, server);
  server.on('clientError', (error, socket: Socket) => {
    // If a client disconnects while its request is being handled, the service itself logs the request.
    if (connections.isAnswering(socket)) socket.destroy();
    else void refuseUnreadable(service, error, socket);
  });
  server.setTimeout(IDLE_TIMEOUT_MS);
  // IPv6 addresses have brackets in URLs, but not in `listen`.
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

/** The number of open files that a service needs besides its connections, for its store, imports and backups. */
const OWN_FILES = 64;

/**
 * Limits connections so that the process can still open other files, such as the store's. Rejected connections are
 * recorded at most once a second. The limit on open files is known only on Linux.
 */
function limitConnections(service: Service, server: Server): void {
  const limits = existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : '';
  const [, files] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (files === undefined) return;
  server.maxConnections = Math.max(1, Number(files) - OWN_FILES);
  const message = `${server.maxConnections} connections are open, as many as the limit of ${files} open files allows (ulimit -n)`;
  const error = new RateLimitError(503, 'service', message, RETRY_AFTER_MS);
  let recordedMs = Number.NEGATIVE_INFINITY;
  server.on('drop', (dropped) => {
    if (performance.now() - recordedMs < 1000) return;
    recordedMs = performance.now();
    refusal(service, dropped ?? {}, { error });
  });
}

const LIMITS = '/proc/self/limits';

const LISTEN_REASONS: Readonly<Record<string, readonly [argument: keyof ServeOptions, reason: string]>> = {
  EADDRINUSE: ['port', 'is in use by another program; choose another port'],
  EACCES: ['port', 'requires more privileges; choose a port above 1023'],
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
    throw badArgument('tls', 'TLS requires both a certificate and its key; specify both files');
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

/** A server's connections, including those in a TLS handshake, and its unfinished responses. */
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

  /** Registers a request until its response has been sent. @returns false if the server is stopping */
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

  isAnswering(socket: Socket): boolean {
    return [...this.#open].some(({ req }) => req.socket === socket);
  }

  /** Stops the server and waits until all connections are closed, cutting off those still open after `withinMs`. */
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

  /** Closes the remaining connections once the last response has been sent. */
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

interface Refused {
  readonly method?: string | undefined;
  readonly error: CropframeError;
  readonly status?: number | undefined;
}

/** Records a request that is rejected before it reaches the service. @returns the response */
function refusal(
  service: Service,
  { remoteAddress: address = '' }: { remoteAddress?: string | undefined },
  { method = '', error, status = statusOfError(error) }: Refused,
): Response {
  const requestId = randomUUID();
  service.refused?.({ requestId, address, method, status, reason: error.message });
  const answer = problemAnswer(error);
  answer.headers.set(REQUEST_ID, requestId);
  return answer;
}

/** Rejects a request that is not valid HTTP. If bytes have already been sent, only closes the socket. */
async function refuseUnreadable(
  service: Service,
  { code }: NodeJS.ErrnoException,
  socket: Socket,
): Promise<void> {
  if (code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const error = unreadable(code);
  // `statusOfError` would return 413, as for anything that is too large.
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : statusOfError(error);
  const answer = refusal(service, socket, { error, status });
  answer.headers.set('connection', 'close');
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${await answer.text()}`);
}

function unreadable(code: string | undefined): CropframeError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new CropframeError('too_large', 'the headers are too long; use POST /v2/data');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new CropframeError('timeout', 'the request did not arrive in time; send it faster');
  return new ArgumentError('request', 'the request is not valid HTTP');
}
