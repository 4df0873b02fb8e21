/** The hash of "right" by a scrypt that is quick to compute. */
export const QUICK_HASH = 'scrypt$16$1$1$c2FsdA==$bxDzWAMi3QdaSJMNby3GhoHRrHynt4CgqCaEMJ7dp18=';
