import type { Database } from '../../core/db/database.ts';
import type { Codes } from '../../core/files/inspect/codes/code-line.ts';
import type { NewCodes } from './access-tokens-repository.ts';

/** What becomes of codes besides being added. */
export interface AddOptions {
  /** Whether those that are there already begin anew. */
  renew: boolean;
  /** Whether those that are there and not among them go. */
  prune: boolean;
}

/** What became of the codes of a file. */
export interface AddedCodes {
  accepted: number;
  /** Codes that were there already, or stood further up. */
  duplicates: number;
  /** Lines of the first of them. */
  duplicateLines: number[];
  /** Codes that were there already and whose times are others now. */
  updated: number;
  removed: number;
}

/** Duplicates that are named by their line. */
export const MAX_NAMED_LINES = 100;

/** Adds codes to a structure within the caller's transaction. No list of them is ever held as a whole. */
export type AddCodes = (db: Database, target: NewCodes, codes: Codes, options: AddOptions) => Promise<AddedCodes>;
