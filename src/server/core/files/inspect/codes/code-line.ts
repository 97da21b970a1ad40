import type { TokenItem } from '../../../../../contract/calls/access-tokens.ts';
import type { ImportTable } from '../../../../../contract/entities.ts';

/** A code, and the line on which it stands. */
export interface CodeLine {
  code: string;
  line: number;
  /** Its times and its holder, where the file has them. */
  fields?: Omit<TokenItem, 'token'>;
  /** Whether it stood otherwise in the file. */
  isNormalized?: boolean;
  /** Why this is none, as it follows the number of the line, where it was looked at more closely than a cell. */
  fault?: string;
}

/** The codes of a file in their order, a part at a time; each call reads it from its beginning. */
export type Codes = () => AsyncIterable<CodeLine[]>;

/** A checked file of codes, on disk until it is disposed of. */
export interface CodeFile {
  parts: Codes;
  /** Whether it has times or holders of its codes as well. */
  hasFields: boolean;
  /** The first rows of a table and how it is read; null for JSON. */
  table: ImportTable | null;
  /** Lets it go. */
  discard(): Promise<void>;
}
