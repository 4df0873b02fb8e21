/** Texts that each notebook must show when it is executed, in this order. */
export const EXPECTED: Readonly<Record<string, readonly string[]>> = {};
