import {
  ANCESTOR,
  AREA_WEIGHTING,
  BACK_UP,
  CANCELLABLE,
  COMPUTE_GDD,
  DESCENDANT,
  FACETS,
  FIND,
  GET_DF,
  IMPORT_FILES,
  LONG_OPERATION,
  PLACES,
  POINT_REQUEST,
  REFRESH,
  REGION,
  REGION_GROWING,
  ROLL_UP,
  SEARCH,
  SEARCH_ALL,
  SELECTION,
  TOP,
  VINTAGES,
  WEIGHTED,
  WEIGHTED_AVERAGE,
  WEIGHTS,
  WRITE_DF,
  ZOOM,
} from './client-option-keys.js';
import { checkTable } from './frame/table/check-table.js';
import {
  type Check,
  checkId,
  checkIdOrIds,
  checkText,
  iterableOf,
  listOf,
  needed,
  oneOf,
  runCheck,
} from './model/arguments/checks.js';
import {
  checkOptions,
  checkRequiredOptions,
  type KnownKeys,
  optionsOf,
} from './model/arguments/option-keys.js';
import { CONTAINING_TYPES, ENTITY_TYPES, SEARCHABLE_TYPES } from './model/entity.js';

/** An argument of an operation: a value with its check, or an object of options with its known keys. */
export type Argument =
  | { readonly name: string; readonly check: Check; readonly keys?: undefined }
  | { readonly keys: KnownKeys; readonly isRequired: boolean };

/** The arguments of an operation, by position. */
interface OperationArguments {
  readonly returns: 'promise' | 'sequence' | 'value';
  readonly takes: readonly Argument[];
}

const promise = (...takes: Argument[]): OperationArguments => ({ returns: 'promise', takes });
const sequence = (...takes: Argument[]): OperationArguments => ({ returns: 'sequence', takes });
const value = (...takes: Argument[]): OperationArguments => ({ returns: 'value', takes });
const optional = (keys: KnownKeys): Argument => ({ keys, isRequired: false });
const required = (keys: KnownKeys): Argument => ({ keys, isRequired: true });
const given = (name: string, check: Check): Argument => ({ name, check: needed(check) });

const SIGNAL = optional(CANCELLABLE);
const CONTAINING_TYPE = given('entity_type', oneOf(CONTAINING_TYPES));
const SEARCHABLE_TYPE = given('entity_type', oneOf(SEARCHABLE_TYPES));
const ENTITY_ID = given('entity_id', checkId);
const REGION_ID = given('region_id', checkId);
const CROP = [given('crop_name', checkText), given('metric_name', checkText)] as const;

/** Every operation of a client, with what each argument accepts; a client does not compile when one is missing. */
export const CLIENT_ARGUMENTS = {
  lookup: promise(given('entity_type', oneOf(ENTITY_TYPES)), given('entity_ids', checkIdOrIds), SIGNAL),
  getAvailable: promise(CONTAINING_TYPE, SIGNAL),
  search: promise(SEARCHABLE_TYPE, given('search_terms', checkText), SIGNAL),
  searchAll: promise(given('search_terms', checkText), optional(SEARCH_ALL)),
  searchForEntity: promise(SEARCHABLE_TYPE, given('keywords', checkText), SIGNAL),
  searchAndLookup: sequence(SEARCHABLE_TYPE, given('search_terms', checkText), optional(SEARCH)),
  listAvailable: promise(optional(SELECTION), SIGNAL),
  listUnits: promise(SIGNAL),
  getAllowedUnits: promise(given('metric_id', checkId), { name: 'item_id', check: checkId }, SIGNAL),
  lookupUnitAbbreviation: promise(given('unit_id', checkId), SIGNAL),
  lookupBelongs: sequence(CONTAINING_TYPE, ENTITY_ID, SIGNAL),
  getAncestor: promise(CONTAINING_TYPE, ENTITY_ID, optional(ANCESTOR)),
  getDescendant: promise(CONTAINING_TYPE, ENTITY_ID, optional(DESCENDANT)),
  getDescendantRegions: promise(REGION_ID, optional(DESCENDANT)),
  getProvinces: promise(given('country_name', checkText), SIGNAL),
  catalogue: promise(optional(SELECTION), optional(LONG_OPERATION)),
  facets: promise(optional(SELECTION), optional(FACETS)),
  vintages: promise(required(SELECTION), optional(VINTAGES)),
  getDataSeries: promise(optional(SELECTION), SIGNAL),
  getAvailableTimefrequency: promise(optional(SELECTION), SIGNAL),
  rankSeriesBySource: sequence(given('selections_list', iterableOf(optionsOf(SELECTION))), SIGNAL),
  findDataSeries: sequence(required(FIND)),
  getDataPoints: promise(required(POINT_REQUEST)),
  getDataPointsTable: promise(required(POINT_REQUEST)),
  getGeojson: promise(REGION_ID, optional(ZOOM)),
  getShapes: promise(given('region_ids', listOf(checkId)), optional(ZOOM)),
  getGeoCentre: promise(REGION_ID, SIGNAL),
  getAreaWeightedSeries: promise(required(AREA_WEIGHTING)),
  reverseGeocodePoints: promise(given('points', PLACES), SIGNAL),
  importFiles: promise(required(IMPORT_FILES)),
  backUp: promise(required(BACK_UP)),
  getTop: promise(given('entity_type', oneOf(['items', 'regions'])), required(TOP)),
  addSingleDataSeries: value(required(SELECTION)),
  addDataSeries: promise(required(FIND)),
  getDataSeriesList: value(),
  clearDataSeriesList: value(),
  getDf: promise(optional(GET_DF)),
  refreshDf: promise(given('table', checkTable), optional(REFRESH)),
  writeDf: promise(given('path', checkText), optional(WRITE_DF)),
  computeWeights: promise(...CROP, given('regions', listOf(REGION))),
  explainWeights: promise(...CROP, required(WEIGHTS)),
  computeCropWeightedSeries: promise(required(WEIGHTED)),
  computeCropWeightedAverage: promise(required(WEIGHTED_AVERAGE)),
  computeGdd: promise(required(COMPUTE_GDD)),
  rollUp: promise(given('table', checkTable), required(ROLL_UP)),
  growingDegreeDays: promise(required(REGION_GROWING)),
} as const satisfies Readonly<Record<string, OperationArguments>>;

/** An operation of any arguments. */
type Operation = (...given: unknown[]) => unknown;

function checkedOperation(name: string, operation: Operation, known: OperationArguments): Operation {
  const { returns, takes } = known;
  const check = (given: readonly unknown[]): void => {
    for (const [at, argument] of takes.entries()) {
      if (argument.keys === undefined) runCheck(argument.check, given[at], argument.name);
      else (argument.isRequired ? checkRequiredOptions : checkOptions)(given[at], argument.keys, name);
    }
  };
  switch (returns) {
    case 'promise':
      return async (...given) => {
        check(given);
        return operation(...given);
      };
    case 'sequence':
      return async function* (...given) {
        check(given);
        yield* operation(...given) as AsyncGenerator<unknown>;
      };
    case 'value':
      return (...given) => {
        check(given);
        return operation(...given);
      };
  }
}

/** The client, whose operations check their arguments before they begin. */
export function checkedClient<Client extends Readonly<Record<keyof typeof CLIENT_ARGUMENTS, unknown>>>(
  client: Client & Readonly<Record<Exclude<keyof Client, keyof typeof CLIENT_ARGUMENTS | 'api_host'>, never>>,
): Client {
  const operations = Object.entries(CLIENT_ARGUMENTS).map(([name, known]) => [
    name,
    checkedOperation(name, client[name as keyof typeof CLIENT_ARGUMENTS] as Operation, known),
  ]);
  return { ...client, ...Object.fromEntries(operations) };
}
