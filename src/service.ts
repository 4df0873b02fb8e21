export type { ChartQuery } from './contract/requests/chart.js';
export { drawChart } from './draw-chart.js';
export type { Right } from './model/access.js';
export type {
  DatasetAsked,
  DatasetDocument,
  ImportAsked,
  ImporterSettings,
  ImportJob,
  ImportWatch,
  RejectedLine,
} from './model/importing/job.js';
export type { Progress } from './model/progress.js';
export type { Authorizer, Holder } from './service/access/auth.js';
export type { SiteOptions } from './service/access/sites.js';
export type { DrawChart } from './service/cache/per-version.js';
export type { Connection, Refusal, Service } from './service/handler.js';
export { type ServeOptions, type Serving, serve } from './service/http/serve.js';
export type { Log, LogEntry } from './service/log/access-log.js';
export type { ServiceOptions } from './service/service.js';
export { createService } from './service/service.js';
export type { ImportHost } from './service/upkeep/imports.js';
