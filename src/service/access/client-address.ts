import { isIP } from 'node:net';
import type { Connection } from '../handler.js';

/**
 * Returns the IP address of a client, or null for a call within the process.
 * @param trustProxy whether to use the last entry of X-Forwarded-For, which the proxy in front of the service adds
 */
export function clientAddress(
  request: Request,
  connection: Connection | undefined,
  trustProxy: boolean,
): string | null {
  if (connection === undefined) return null;
  const forwarded = trustProxy ? readLastForwarded(request.headers.get('x-forwarded-for')) : null;
  return forwarded ?? unmapAddress(connection.address);
}

function readLastForwarded(header: string | null): string | null {
  const last = (header ?? '').split(',').at(-1)!.trim();
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(last) ?? [];
  const address = bracketed ?? withPort ?? last;
  return isIP(address) === 0 ? null : unmapAddress(address);
}

/** Headers in which proxies pass on the address of the client. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

const UNTRUSTED_PROXY =
  'requests come through a proxy that is not trusted: all clients seem to have its address, and share one limit of wrong passwords; ' +
  'start with --trust-proxy if only the proxy can reach this service';

/** Returns a function that reads the address of a request's client. It warns once about a proxy that is not trusted. */
export function addressReader({
  trustProxy,
  onWarning,
}: {
  trustProxy: boolean;
  onWarning: ((message: string) => void) | undefined;
}): (request: Request, connection: Connection | undefined) => string | null {
  let hasWarned = trustProxy;
  return (request, connection) => {
    if (!hasWarned && connection !== undefined && FORWARDED.some((name) => request.headers.has(name))) {
      hasWarned = true;
      onWarning?.(UNTRUSTED_PROXY);
    }
    return clientAddress(request, connection, trustProxy);
  };
}

/** Removes the prefix `::ffff:`, with which an IPv6 socket reports an IPv4 address. */
export function unmapAddress(address: string): string {
  const mapped = address.replace(/^::ffff:/i, '');
  return isIP(mapped) === 4 ? mapped : address;
}

/** Returns the group of addresses that one client can use: an IPv6 network of 64 bits, or a single IPv4 address. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [before, after] = address.split('%')[0]!.split('::');
  const groups = before === '' ? [] : before!.split(':');
  const missing = after === undefined ? 0 : 8 - groups.length - (after === '' ? 0 : after.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(after ?? '').split(':')];
  const network = all.slice(0, 4).map((text) => Number.parseInt(text || '0', 16).toString(16));
  return `${network.join(':')}::/64`;
}
