import './frame/formats/load-in-node.js';

// Exports the same API as the entry point for browsers, but with the Node client.
export * from './browser.js';
export { type Client, createClient } from './create-client.js';
