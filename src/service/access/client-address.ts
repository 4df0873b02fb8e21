import { isIP } from 'node:net';
import type { Connection } from '../handler.js';

function readLastForwarded(header: string | null): string | null {
  const last = (header ?? '').split(',').at(-1)!.trim();
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(last) ?? [];
  const address = bracketed ?? withPort ?? last;
  return isIP(address) === 0 ? null : unmapAddress(address);
}

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

const UNTRUSTED_PROXY =
  'requests come through a proxy that is not trusted, so all clients appear to have its address and share one limit for wrong passwords; ' +
  'start with --trust-proxy if only the proxy can reach this service';

interface AddressOptions {
  readonly trustProxy?: boolean | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

export type AddressOf = (request: Request, connection: Connection | undefined) => string | null;

/** Returns a function that reads the client's address. It warns once if requests come through an untrusted proxy. */
export function addressReader({ trustProxy = false, onWarning }: AddressOptions): AddressOf {
  let hasWarned = trustProxy;
  return ({ headers }, connection) => {
    if (connection === undefined) return null;
    if (!hasWarned && FORWARDED.some((name) => headers.has(name))) {
      hasWarned = true;
      onWarning?.(UNTRUSTED_PROXY);
    }
    const forwarded = trustProxy ? readLastForwarded(headers.get('x-forwarded-for')) : null;
    return forwarded ?? unmapAddress(connection.address);
  };
}

/** Removes the prefix `::ffff:` that an IPv6 socket adds to an IPv4 address. */
export function unmapAddress(address: string): string {
  const mapped = address.replace(/^::ffff:/i, '');
  return isIP(mapped) === 4 ? mapped : address;
}

/** Returns the group of addresses that one client can use: the /64 network for IPv6, or the IPv4 address itself. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [before, after] = address.split('%')[0]!.split('::');
  const groups = before === '' ? [] : before!.split(':');
  const missing = after === undefined ? 0 : 8 - groups.length - (after === '' ? 0 : after.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(after ?? '').split(':')];
  const network = all.slice(0, 4).map((text) => Number.parseInt(text || '0', 16).toString(16));
  return `${network.join(':')}::/64`;
}
