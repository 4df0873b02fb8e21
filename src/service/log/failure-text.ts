/** The stack of an error, and of what caused it. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${failureText(error.cause)}`;
}
