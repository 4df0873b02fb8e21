import type { EndpointName } from '../endpoints.js';

/** Answers that differ each time, or need a service that imports or backs up. */
export const WRITTEN_ANSWERS: { readonly [Name in EndpointName]?: unknown } = {
  health: { status: 'ok', engine: 'duckdb', store_version: '2b0f6a1e-6f0a-4a51-9d5b-0d8a3a1d7c11-3' },
  metrics: '# TYPE cropframe_requests_running gauge\ncropframe_requests_running 1\n',
  accessToken: { data: { accessToken: 'cf_…' } },
  importBegin: { data: { importId: '9f1c' } },
  importPart: { data: { received: 52_480 } },
  importRun:
    '{"progress":{"label":"corn.csv","done":52480,"total":52480,"unit":"bytes","rows":412}}\n' +
    '{"report":{"dataset":"nass","counts":"rows","rows":412,"points":410,"nulls":2,"duplicates":0,"conflicts":0,' +
    '"rejectedRows":0,"rejectedBy":[],"notReadRows":0,"notRead":[],"added":412,"revised":0,"unchanged":0,"series":12,' +
    '"entities":4,"notes":[]}}\n',
  importCancel: { data: { cancelled: true } },
  backupBegin:
    '{"progress":{"label":"copying the store","done":3,"total":12,"unit":"tables"}}\n' +
    '{"backup":{"backupId":"4d7a","bytes":27017216,"taken":"2026-11-22T09:30:00.000Z","points":8908}}\n',
  backupDiscard: { data: { discarded: true } },
};
