import type { TokenItem } from '../../../../contract/calls/access-tokens.ts';

/** A code, and the line on which it stands. */
export interface CodeLine {
  code: string;
  line: number;
  /** Its times, where the file has them. */
  times?: Omit<TokenItem, 'token'>;
  /** Why this is none, where it was looked at more closely than a cell. */
  fault?: string;
}

/** The codes of a file in their order, a part at a time; each call reads it from its beginning. */
export type Codes = () => AsyncIterable<CodeLine[]>;

/** A checked file of codes, on disk until it is disposed of. */
export interface CodeFile {
  parts: Codes;
  /** Whether it has the times of its codes as well. */
  hasTimes: boolean;
  /** Lets it go. */
  discard(): Promise<void>;
}
