/** The rights that an access token can grant: reading data, importing data, and administering the service. */
export const RIGHTS = ['read', 'import', 'administer'] as const;

/** A right that an access token can grant. */
export type Right = (typeof RIGHTS)[number];

/** Checks whether a host name or IP address refers to this machine. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}
