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
import { getRequestListener } from '@hono/node-server';
import { problemBody } from '../../contract/problems.js';
import { DEFAULT_PORT, REQUEST_ID } from '../../contract/wire-names.js';
import { checkFunction, checkText, needed, whole } from '../../model/arguments/checks.js';
import { fileFailure } from '../../model/arguments/file-failure.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { ArgumentError, CropframeError, HttpError } from '../../model/errors.js';
import type { Service } from '../handler.js';
import { problemAnswer } from './answers.js';
import { compressAnswers } from './compression.js';

/** The address is part of the header and can hold long selections. */
const MAX_HEADER_BYTES = 512 * 1024;

/** A connection without traffic for this long is closed. */
const IDLE_TIMEOUT_MS = 120_000;

/**
 * A connection without a request is kept for longer than clients and proxies keep theirs, which is a minute at most usually:
 * where the service closes first, a request that is on its way is lost.
 */
const KEEP_ALIVE_MS = 65_000;

/** Docker kills what takes 10 s to stop. */
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
  port: whole({ max: 65_535 }),
  hostname: checkText,
  tlsCert: checkText,
  tlsKey: checkText,
  stopWithinMs: whole(),
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
  needed(checkFunction)(service, 'service');
  checkOptions(options, SERVE_KEYS, 'serve');
  const { port = DEFAULT_PORT, hostname = '127.0.0.1', stopWithinMs = STOP_WITHIN_MS } = options;
  const tls = readTls(options);
  const connections = new Connections();
  const refused: RecordRefusal = (refusal) => service.refused?.(refusal);
  const listener = connections.counted(
    listenerOf(compressAnswers(service), refused),
    listenerOf(refuseWork, refused, STOPPING),
  );
  // Requests without a Host reach the listener, whose answer says what is wrong.
  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server =
    tls === null
      ? createHttpServer(settings, listener)
      : createHttpsServer({ ...tls, ...settings }, listener);
  connections.watch(server);
  server.on('clientError', (error, socket) => {
    // The service itself logs a request whose client leaves in the middle of it.
    const isKnown = connections.hasOpen(socket as Socket);
    refuseUnreadable(error, socket, isKnown ? () => {} : refused);
  });
  server.setTimeout(IDLE_TIMEOUT_MS);
  await listen(server, port, withoutBrackets(hostname));
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}:${address.port}`,
    close: () => connections.stop(server, stopWithinMs),
  };
}

/**
 * @param reason why every request is refused; else those are that never reach the service
 */
function listenerOf(service: Service, refused: RecordRefusal, reason?: string): RequestListener {
  const reached = new WeakSet<IncomingMessage>();
  const answer = (request: Request, { incoming }: { incoming: unknown }) => {
    reached.add(incoming as IncomingMessage);
    const { remoteAddress, localPort } = (incoming as IncomingMessage).socket;
    return service(request, { address: remoteAddress ?? '', localPort: localPort ?? 0 });
  };
  const listener = getRequestListener(answer, { errorHandler: refuseMalformed }) as RequestListener;
  return (incoming, outgoing) => {
    const address = incoming.socket.remoteAddress ?? '';
    const requestId = watchRequestId(outgoing);
    outgoing.once('finish', () => {
      if (reason === undefined && reached.has(incoming)) return;
      refused({
        requestId: requestId(),
        address,
        method: incoming.method ?? '',
        status: outgoing.statusCode,
        reason: reason ?? MALFORMED,
      });
    });
    listener(incoming, outgoing);
  };
}

/** Headers that are given with the head of an answer cannot be read from it afterwards. */
function watchRequestId(outgoing: ServerResponse): () => string {
  let requestId = '';
  const writeHead = outgoing.writeHead.bind(outgoing) as (...args: unknown[]) => ServerResponse;
  outgoing.writeHead = (...args: unknown[]) => {
    const headers = args.at(-1) as Record<string, string> | undefined;
    requestId = String(headers?.[REQUEST_ID] ?? '');
    return writeHead(...args);
  };
  return () => requestId;
}

type RecordRefusal = NonNullable<Service['refused']>;

/** URLs write IPv6 addresses in brackets, sockets do not. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function listen(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { port, hostname })));
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** What went wrong with an address, by the code of the system's error, and the remedy. */
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
  return new ArgumentError(argument, `${argument}: ${hostname}:${port} ${reason}`, { cause: error });
}

function readTls({ tlsCert, tlsKey }: ServeOptions): { cert: Buffer; key: Buffer } | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new ArgumentError(
      'tls',
      'tls: a certificate needs its key and a key its certificate; give both files',
    );
  }
  return { cert: readPem(tlsCert, 'tlsCert'), key: readPem(tlsKey, 'tlsKey') };
}

function readPem(path: string, argument: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileFailure(error, { path, argument, to: 'read' });
  }
}

/** A request that has not arrived whole is cut when nothing more of it arrives for this long after a stop. */
const MAX_SILENCE_MS = 1000;

/**
 * The connections of a server, with the requests that each has open. Once the server stops, connections without one are
 * closed at once, whatever they have sent of a request; the others when their request has been answered.
 */
class Connections {
  /** Every connection by its other end, TLS handshakes included. */
  readonly #sockets = new Map<string, Socket>();
  readonly #open = new Map<string, Set<IncomingMessage>>();
  #isStopping = false;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const end = otherEnd(socket);
      this.#sockets.set(end, socket);
      socket.once('close', () => {
        this.#sockets.delete(end);
        this.#open.delete(end);
      });
    });
  }

  /** The listener, for requests that arrive before the stop. Those after it get `refuse`. */
  counted(listener: RequestListener, refuse: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      if (this.#isStopping) {
        outgoing.shouldKeepAlive = false;
        refuse(incoming, outgoing);
        return;
      }
      this.#count(incoming, outgoing);
      listener(incoming, outgoing);
    };
  }

  /** Ends when the server has no connection any more; after `withinMs`, what is still open is cut. */
  async stop(server: Server, withinMs: number): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    for (const [end, socket] of this.#sockets) if (this.#openOf(end).size === 0) socket.destroy();
    const watching = this.#cutSilent();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets.values()) socket.destroy();
    }, withinMs);
    await closed.finally(() => {
      clearInterval(watching);
      clearTimeout(cut);
    });
  }

  #cutSilent(): NodeJS.Timeout {
    const heard = new Map<Socket, number>();
    return setInterval(() => {
      for (const [end, socket] of this.#sockets) {
        const isWaiting = [...this.#openOf(end)].some((incoming) => !incoming.complete);
        if (isWaiting && heard.get(socket) === socket.bytesRead) socket.destroy();
        else heard.set(socket, socket.bytesRead);
      }
    }, MAX_SILENCE_MS);
  }

  /** Whether a request over this connection has reached the service and is not answered. */
  hasOpen(socket: Socket): boolean {
    return this.#openOf(otherEnd(socket)).size > 0;
  }

  #openOf(end: string): Set<IncomingMessage> {
    return this.#open.get(end) ?? new Set();
  }

  #count(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const end = otherEnd(socket);
    const open = this.#openOf(end).add(incoming);
    this.#open.set(end, open);
    const writeHead = outgoing.writeHead.bind(outgoing) as (...args: unknown[]) => ServerResponse;
    outgoing.writeHead = (...args: unknown[]) => {
      if (this.#isStopping && open.size === 1) outgoing.shouldKeepAlive = false;
      return writeHead(...args);
    };
    outgoing.once('close', () => {
      open.delete(incoming);
      if (this.#isStopping && open.size === 0) socket.destroySoon();
    });
  }
}

/** The socket of a request over TLS is another object than that of its connection; their other end is the same. */
function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** What the log says of requests without a Host, or with one that does not form a URL. */
const MALFORMED = 'its Host header and its path do not form a URL';

const STOPPING = 'the service is stopping';

/** The answer to a request without a Host, or with one that does not form a URL. */
function refuseMalformed(error: unknown): Response {
  const wrong = error instanceof Error ? error.message : String(error);
  const message = `the request cannot be read (${wrong}); its Host header and its path must form a URL`;
  return withNewId(problemAnswer(new ArgumentError('request', message)));
}

/** The answer to requests on connections that are still open while the service stops. */
const refuseWork: Service = async () => {
  const stopping = new HttpError(503, 'service', `${STOPPING}; try again later`, 'store');
  const answer = problemAnswer(stopping);
  answer.headers.set('retry-after', '5');
  return withNewId(answer);
};

function withNewId(answer: Response): Response {
  answer.headers.set(REQUEST_ID, randomUUID());
  return answer;
}

/** Answers what is not HTTP on its socket, and closes that. Nothing is written after or into an earlier answer. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  refused: NonNullable<Service['refused']>,
): void {
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
