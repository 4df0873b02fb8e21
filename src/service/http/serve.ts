import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DEFAULT_PORT } from '../../contract/wire-names.js';
import { checkFunction, checkText, needed, whole } from '../../model/arguments/checks.js';
import { fileFailure } from '../../model/arguments/file-failure.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { ArgumentError } from '../../model/errors.js';
import type { Service } from '../handler.js';
import { compressAnswers } from './compression.js';

/** The address is part of the header and can hold long selections. */
const MAX_HEADER_BYTES = 512 * 1024;

/** Requests still open this long after `close` are aborted. */
const SHUTDOWN_GRACE_MS = 30_000;

/** A connection without traffic for this long is closed. */
const IDLE_TIMEOUT_MS = 120_000;

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
}

const SERVE_KEYS: OptionKeys<ServeOptions> = {
  port: whole({ max: 65_535 }),
  hostname: checkText,
  tlsCert: checkText,
  tlsKey: checkText,
};

/** A service that listens on a socket. */
export interface Serving {
  /** The address with scheme and port. */
  readonly url: string;
  /** Refuses new requests, and resolves when the open ones have ended. They are aborted after half a minute. */
  close(): Promise<void>;
}

/**
 * Serves a service over a socket, with compression.
 * @throws ArgumentError for a certificate without its key or the reverse; or when it cannot listen
 */
export async function serve(service: Service, options: ServeOptions = {}): Promise<Serving> {
  needed(checkFunction)(service, 'service');
  checkOptions(options, SERVE_KEYS, 'serve');
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  const tls = readTls(options);
  const listener = getRequestListener(compressAnswers(service));
  const server =
    tls === null
      ? createHttpServer({ maxHeaderSize: MAX_HEADER_BYTES }, listener)
      : createHttpsServer({ ...tls, maxHeaderSize: MAX_HEADER_BYTES }, listener);
  server.setTimeout(IDLE_TIMEOUT_MS);
  await listen(server, port, hostname);
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
      }),
  };
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
