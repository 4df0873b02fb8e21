import './frame/formats/load-in-node.js';

// All that browsers have; what Node has of its own or otherwise is listed below, and replaces the browsers'.
export * from './browser.js';
export { type Client, createClient } from './create-client.js';
export { toDanfo } from './frame/formats/danfo-node.js';
export { type WriteFrameOptions, writeFrame } from './frame/formats/write-frame.js';
