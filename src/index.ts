import './frame/formats/load-in-node.js';

// Exports the same as for browsers, but with Node's client.
export * from './browser.js';
export { type Client, createClient } from './create-client.js';
