import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DEFAULT_PORT } from '../../contract/address.js';
import { ArgumentError } from '../../model/errors.js';
import type { Service } from '../handlers.js';
import { compressedService } from './compression.js';

/** Long selections stand in the address. */
const MAX_HEADER_BYTES = 512 * 1024;

/** What is still under way so long after the service was told to stop is broken off. */
const GRACE_MS = 30_000;

/** A connection on which nothing moves for so long is closed, whatever it was about. */
const SILENCE_MS = 120_000;

/** Where the service listens, and its certificate. */
export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port?: number | undefined;
  /** The address to listen on; loopback by default. */
  readonly hostname?: string | undefined;
  /** Files with the certificate and its key, in PEM; both or neither. */
  readonly tlsCert?: string | undefined;
  /** File of the certificate's key. */
  readonly tlsKey?: string | undefined;
}

/** A service that listens on a socket. */
export interface Serving {
  /** Where it listens, with scheme and port. */
  readonly url: string;
  /** Takes no new requests, finishes those under way within half a minute, and closes. */
  close(): Promise<void>;
}

/** Serves a service over a socket. @throws ArgumentError for half a TLS pair; the system's error when it cannot listen */
export async function serve(service: Service, options: ServeOptions = {}): Promise<Serving> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  const tls = readTls(options);
  const listener = getRequestListener(compressedService(service));
  const server =
    tls === null
      ? createHttpServer({ maxHeaderSize: MAX_HEADER_BYTES }, listener)
      : createHttpsServer({ ...tls, maxHeaderSize: MAX_HEADER_BYTES }, listener);
  server.setTimeout(SILENCE_MS);
  await listening(server, port, hostname);
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      }),
  };
}

function listening(server: Server, port: number, hostname: string): Promise<void> {
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
      'tls: a certificate needs its key, and a key its certificate; give both files',
    );
  }
  return { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) };
}
