/** The port on which a service listens by default, and which a client asks by default. */
export const DEFAULT_PORT = 8470;
