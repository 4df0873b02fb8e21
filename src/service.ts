export type { NullableDates, PackedPoints } from './columns/packed-points.js';
export type { PointColumns } from './columns/point-columns.js';
export type { DateGrid, SeriesDates } from './columns/series-dates.js';
export type { ChartQuery } from './contract/requests/chart.js';
export { drawChart } from './draw-chart.js';
export type { BatchBuilder, NamedType } from './ingest/batch/batch-builder.js';
export { defineDataset } from './ingest/document/define-dataset.js';
export type { Groups, Row } from './ingest/document/fields.js';
export type { Hook, HookAnswer, HookContext, HookTable, Reader } from './ingest/document/hook.js';
export type { FetchableFiles, Finding, PlannedFile } from './ingest/fetching/requests.js';
export { importDataset } from './ingest/import-dataset.js';
export { type HostedImports, hostImports, type ImportHostOptions } from './ingest/import-host.js';
export type {
  ImportBatch,
  ImportedRow,
  ImportedText,
  Importer,
  ImporterInput,
  ImportOptions,
  ImportReport,
  RejectedRow,
} from './ingest/importer.js';
export type { TextRecord } from './ingest/reading/delimited.js';
export type { DeclaredSettings, Setting } from './ingest/settings.js';
export type { Right } from './model/access.js';
export type { ContainmentDirection, SearchDocument } from './model/entity.js';
export type {
  DatasetAsked,
  DatasetDocument,
  ImportAsked,
  ImporterSettings,
  ImportJob,
  ImportWatch,
  RejectedLine,
} from './model/importing/job.js';
export type {
  CountedUnit,
  ImportCounts,
  ImportOutcome,
  KindCount,
  RowAccount,
} from './model/importing/outcome.js';
export type { Progress } from './model/progress.js';
export type { SelectionLists } from './model/selection.js';
export type { Authorizer, Holder } from './service/access/auth.js';
export type { SiteOptions } from './service/access/sites.js';
export type { DrawChart } from './service/cache/per-version.js';
export type { Connection, Refusal, Service } from './service/handler.js';
export { type ServeOptions, type Serving, serve } from './service/http/serve.js';
export type { Log, LogEntry } from './service/log/access-log.js';
export { createService, type ServiceOptions } from './service/service.js';
export type { ImportHost } from './service/upkeep/imports.js';
export { openAccess } from './store/access.js';
export type { FetchedFile, ImportedSources, SourceImports, StoredFetch } from './store/import-records.js';
export { type OpenStoreOptions, openStore } from './store/open.js';
export type {
  CommonPoints,
  CountedSeries,
  CountedVintages,
  EntityCombination,
  FacetPlan,
  FieldCounts,
  PointHistory,
  PointPlan,
  SeriesPlan,
  StoredSeries,
  Sum,
  SumPlan,
  TraversalPlan,
  VintageDate,
  VintageDates,
  VintagePlan,
} from './store/plan.js';
export type {
  AccessStore,
  BeyondBounds,
  ConflictingFigure,
  ConflictingPoint,
  ImportRecords,
  KeptData,
  LookupOptions,
  NewEntity,
  NewPoints,
  NewRows,
  NewShape,
  PutRowsOptions,
  ReadOptions,
  ReadPoint,
  ReadRows,
  RowAnswer,
  RowDimension,
  RowMark,
  RowTexts,
  SettledPoints,
  SettleOptions,
  ShapeDetail,
  Store,
  StoreAdministration,
  StoreBackup,
  StoredIdentity,
  StoredName,
  StoredShape,
  StoredToken,
  StoredUser,
  StoreNames,
  StoreReader,
  StoreTransaction,
  ValueBounds,
  ValueCheck,
} from './store/store.js';
