import type { EntityOf, EntityType, SearchableType, SearchDocument } from '../../model/entity.js';
import type { StoredIdentity } from '../../store/store.js';
import type { ImportBatch, ImporterInput } from '../importer.js';

/** What an importer in a thread asks of the store, which the thread cannot open. */
export interface StoreQuestions {
  identities(type: EntityType): Promise<readonly StoredIdentity[]>;
  searchDocuments(type: SearchableType): Promise<readonly SearchDocument[]>;
  pointCounts(type: SearchableType): Promise<ReadonlyMap<number, number>>;
  namesChecksum(type: SearchableType): Promise<string>;
  lookup(type: EntityType, ids: readonly number[]): Promise<readonly EntityOf[EntityType][]>;
  readKept(name: string): Promise<Uint8Array | null>;
  writeKept(name: string, bytes: Uint8Array): Promise<void>;
}

/** An error on its way from one thread to another, which keeps no classes. */
export interface SentError {
  readonly code: string | null;
  readonly message: string;
  readonly stack: string | undefined;
  /** The own fields of the errors of cropframe. */
  readonly fields: {
    readonly dataset?: string;
    readonly file?: string | null;
    readonly row?: number | null;
    readonly argument?: string;
  };
}

/** How the parts of an answer are put together. */
export type AnswerShape = 'list' | 'map' | 'value';

/** What the thread is told. It answers `read`, `next` and `contents`, in order. */
export type ToThread =
  | ({ readonly kind: 'read'; readonly dataset: string } & Pick<
      ImporterInput,
      'files' | 'importedMs' | 'settings'
    >)
  | { readonly kind: 'next' }
  | { readonly kind: 'contents' }
  | {
      readonly kind: 'answer';
      readonly call: number;
      readonly shape: AnswerShape;
      readonly items: readonly unknown[];
      readonly isLast: boolean;
    }
  | { readonly kind: 'refused'; readonly call: number; readonly error: SentError };

/** An answer of the thread. */
export type Reply =
  | { readonly kind: 'batch'; readonly batch: ImportBatch; readonly hasContents: boolean }
  | { readonly kind: 'part'; readonly part: Pick<ImportBatch, 'entities' | 'shapes'> }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: SentError };

/** What the thread says: answers, and between them questions about the store. */
export type FromThread =
  | Reply
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly name: keyof StoreQuestions;
      readonly args: readonly unknown[];
    };
