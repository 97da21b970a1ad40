import type { TokenItem } from '../../../../../contract/calls/access-tokens.ts';
import type { ImportTable } from '../../../../../contract/entities.ts';

/** A code and its line number. */
export interface CodeLine {
  code: string;
  line: number;
  /** Validity times and holder, if the file contains them. */
  fields?: Omit<TokenItem, 'token'>;
  /** Whether it was normalized. */
  isNormalized?: boolean;
  /** Why it is invalid, phrased to follow the line number, if checks beyond the cell found that. */
  fault?: string;
}

/** The codes of a file in order, in batches; each call reads from the start. */
export type Codes = () => AsyncIterable<CodeLine[]>;

/** A file of codes, on disk until it is discarded. */
export interface CodeFile {
  parts: Codes;
  /** Resolves once every line is checked; rejects with an ApiError that lists the invalid ones. */
  checked: Promise<unknown>;
  /** Whether it also contains validity times or holders. */
  hasFields: boolean;
  /** The first rows of a table and its column mapping; null for JSON. */
  table: ImportTable | null;
  /** Deletes it. */
  discard(): Promise<void>;
}
