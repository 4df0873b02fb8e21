/** Whether a text is the address of a file on the web. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** An address without user and password. */
export function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

/** An address as messages show it: without user, password and query, which may hold a key. */
export function shownAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** A part of an address without its percent signs; as it is when they encode nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
