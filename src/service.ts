export type { Authorizer } from './service/access/auth.js';
export type { Service } from './service/handler.js';
export type { Log, LogEntry } from './service/http/access-log.js';
export { type ServeOptions, type Serving, serve } from './service/http/serve.js';
export { createService, type ServiceOptions } from './service/service.js';
