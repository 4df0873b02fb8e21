/** The rights that an access token can grant: to read, to import data, and to administer the service. */
export const RIGHTS = ['read', 'import', 'administer'] as const;

/** A right that an access token can grant. */
export type Right = (typeof RIGHTS)[number];

/** Checks whether a host name or address refers to this machine. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}
