import './frame/formats/load-in-node.js';

// All that browsers have; Node's client replaces theirs.
export * from './browser.js';
export { type Client, createClient } from './create-client.js';
