export type { NullableDates, PackedPoints } from './columns/packed-points.js';
export type { PointColumns } from './columns/point-columns.js';
export type { DateGrid, SeriesDates } from './columns/series-dates.js';
export type { Right } from './model/access.js';
export type { ContainmentDirection, SearchDocument } from './model/entity.js';
export type { ImportCounts } from './model/importing/outcome.js';
export type { SelectionLists } from './model/selection.js';
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
  RowKey,
  RowLimit,
  RowMark,
  RowText,
  RowValue,
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
  StoreLoad,
  StoreNames,
  StoreReader,
  StoreTransaction,
} from './store/store.js';
