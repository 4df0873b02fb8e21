import type { Handlers } from './handlers.js';

export const checkHealth: Handlers['health'] = async (_input, { store }) => ({
  status: 'ok',
  engine: store.capabilities.engine,
  store_version: await store.version(),
});
