import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DEFAULT_PORT } from '../../contract/wire-names.js';
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

/** A service that listens on a socket. */
export interface Serving {
  /** The address with scheme and port. */
  readonly url: string;
  /** Refuses new requests, and resolves when the open ones have ended. They are aborted after half a minute. */
  close(): Promise<void>;
}

/**
 * Serves a service over a socket, with compression.
 * @throws ArgumentError for a certificate without its key or the reverse; the system's error when it cannot listen
 */
export async function serve(service: Service, options: ServeOptions = {}): Promise<Serving> {
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
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function readTls({ tlsCert, tlsKey }: ServeOptions): { cert: Buffer; key: Buffer } | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new ArgumentError(
      'tls',
      'tls: a certificate needs its key and a key its certificate; give both files',
    );
  }
  return { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) };
}
