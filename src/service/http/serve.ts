import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { problemBody } from '../../contract/problems.js';
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
  const refused: RecordRefusal = (refusal) => service.refused?.(refusal);
  const connections = new Connections();
  const listener: RequestListener = (incoming, outgoing) => {
    const { remoteAddress = '', localPort = 0 } = incoming.socket;
    const refuse = (problem: CropframeError, reason: string) => {
      const answer = problemAnswer(problem);
      const [requestId, method] = [randomUUID(), incoming.method ?? ''];
      answer.headers.set(REQUEST_ID, requestId);
      refused({ requestId, address: remoteAddress, method, status: answer.status, reason });
      return answer;
    };
    const isTaken = connections.take(incoming, outgoing);
    const hosts = incoming.headersDistinct.host ?? [];
    const answer = (request: Request) =>
      hosts.length > 1
        ? refuse(malformedError(new Error('it has several Host headers')), MALFORMED)
        : isTaken
          ? answers(request, { address: remoteAddress, localPort })
          : refuse(stoppingError(), STOPPING);
    const errorHandler = (error: unknown) => refuse(malformedError(error), MALFORMED);
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
  limitConnections(server, refused);
  server.on('clientError', (error, socket) => {
    // The service itself logs a request whose client leaves in the middle of it.
    const isKnown = connections.hasOpen(socket as Socket);
    refuseUnreadable(error, socket, isKnown ? () => {} : refused);
  });
  server.setTimeout(IDLE_TIMEOUT_MS);
  // URLs write IPv6 addresses in brackets, sockets do not.
  await listen(server, port, hostname.replace(/^\[(.*)\]$/, '$1'));
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}:${address.port}`,
    close: () => connections.stop(server, stopWithinMs),
  };
}

/** Files that a service needs besides its connections: of its store, of imports and backups. */
const OWN_FILES = 64;

/**
 * Closes connections beyond the files that the process may open, as the system would, and says so: once a second at most.
 * Linux tells how many those are.
 */
function limitConnections(server: Server, refused: RecordRefusal): void {
  const [, files] = /^Max open files\s+(\d+)/m.exec(textOf('/proc/self/limits')) ?? [];
  if (files === undefined) return;
  server.maxConnections = Math.max(1, Number(files) - OWN_FILES);
  let loggedMs = Number.NEGATIVE_INFINITY;
  server.on('drop', (dropped) => {
    if (performance.now() - loggedMs < 1000) return;
    loggedMs = performance.now();
    const reason = `${server.maxConnections} connections are open, as many as the limit of ${files} open files allows (ulimit -n)`;
    refused({
      requestId: randomUUID(),
      address: dropped?.remoteAddress ?? '',
      method: '',
      status: 503,
      reason,
    });
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

type RecordRefusal = NonNullable<Service['refused']>;

function listen(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { port, hostname })));
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
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

/** A request that has not arrived whole is cut when nothing more of it arrives for this long after a stop. */
const MAX_SILENCE_MS = 1000;

/** A connection, and its answers that are not sent whole. */
interface Connected {
  readonly socket: Socket;
  readonly open: Map<ServerResponse, IncomingMessage>;
}

/**
 * The connections of a server by their other ends, TLS handshakes included. Once the server stops, those without a
 * whole request are closed at once; the others when their request has been answered.
 */
class Connections {
  readonly #connected = new Map<string, Connected>();
  #isStopping = false;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const end = otherEnd(socket);
      this.#connected.set(end, { socket, open: new Map() });
      socket.once('close', () => this.#connected.delete(end));
    });
  }

  /** @returns false for a request that arrives after the stop */
  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (this.#isStopping) {
      outgoing.shouldKeepAlive = false;
      return false;
    }
    const open = this.#connected.get(otherEnd(incoming.socket))?.open.set(outgoing, incoming);
    outgoing.once('close', () => {
      open?.delete(outgoing);
      if (this.#isStopping && open?.size === 0) incoming.socket.destroySoon();
    });
    return true;
  }

  /** Checks whether a request over this connection has reached the service and awaits its response. */
  hasOpen(socket: Socket): boolean {
    return (this.#connected.get(otherEnd(socket))?.open.size ?? 0) > 0;
  }

  /** Ends when the server has no connection any more; after `withinMs`, it cuts the open ones. */
  async stop(server: Server, withinMs: number): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    for (const { socket, open } of this.#connected.values()) {
      const last = [...open.keys()].at(-1);
      if (last === undefined) socket.destroy();
      else last.shouldKeepAlive = false;
    }
    const heard = new Map<Socket, number>();
    const watching = setInterval(() => {
      for (const { socket, open } of this.#connected.values()) {
        const isWaiting = [...open.values()].some(({ complete }) => !complete);
        if (isWaiting && heard.get(socket) === socket.bytesRead) socket.destroy();
        else heard.set(socket, socket.bytesRead);
      }
    }, MAX_SILENCE_MS);
    const cut = setTimeout(() => {
      for (const { socket } of this.#connected.values()) socket.destroy();
    }, withinMs);
    await closed.finally(() => {
      clearInterval(watching);
      clearTimeout(cut);
    });
  }
}

/**
 * Returns the address and port of a socket's peer, which identify a connection. A request over TLS has another socket
 * object than its connection.
 */
function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The entry of the log for requests without a Host, or with one that does not form a URL. */
const MALFORMED = 'its Host header and its path do not form a URL';

const STOPPING = 'the service is stopping';

function malformedError(error: unknown): ArgumentError {
  const wrong = error instanceof Error ? error.message : String(error);
  const message = `the request cannot be read (${wrong}); its Host header and its path must form a URL`;
  return new ArgumentError('request', message);
}

const RETRY_AFTER_MS = 5_000;

/** Makes the error for requests on connections that are still open while the service stops. */
function stoppingError(): RateLimitError {
  return new RateLimitError(503, 'service', `${STOPPING}; try again later`, RETRY_AFTER_MS);
}

/** Answers bytes that are not HTTP on their socket, and closes it. Nothing is written after or into an earlier answer. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, refused: RecordRefusal): void {
  if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, problem] = unreadable(error.code);
  const body = JSON.stringify(problemBody(problem));
  const requestId = randomUUID();
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID}: ${requestId}`,
    'connection: close',
  ];
  const address = (socket as Socket).remoteAddress ?? '';
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  refused({ requestId, address, method: '', status, reason: problem.message });
}

function unreadable(code: string | undefined): [status: number, problem: CropframeError] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, new CropframeError('too_large', 'the headers are too long; use POST /v2/data')];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, new CropframeError('timeout', 'the request did not arrive in time; send it faster')];
  return [400, new ArgumentError('request', 'the request is not valid HTTP')];
}
