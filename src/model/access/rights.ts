/** What an access token may allow beside reading: to import data, and to administer the service. */
export const RIGHTS = ['read', 'import', 'administer'] as const;

/** One thing that an access token allows. */
export type Right = (typeof RIGHTS)[number];
