import { type Command, Option } from 'commander';
import type { Kind } from './format.ts';

/** Kinds that can be left out: nothing else refers to them. */
const OPTIONAL = ['settings', 'webhooks', 'users'] as const satisfies Kind[];

/** Options that choose the contents of an export. */
export interface Contents {
  tokens: boolean;
  /** Only of exports. */
  originals?: boolean;
  skip?: (typeof OPTIONAL)[number][];
}

/** Adds these options to a command. */
export function addContentOptions(command: Command): void {
  command.option('--tokens', 'include access tokens with their holders; a token is enough to enter', false);
  command.addOption(new Option('--skip <kinds...>', 'leave out some kinds').choices(OPTIONAL));
}

/** The chosen kinds. */
export async function kindsOf({ tokens, skip = [] }: Contents): Promise<ReadonlySet<Kind>> {
  const { KINDS } = await import('./format.ts');
  return new Set(KINDS.filter((kind) => (kind !== 'tokens' || tokens) && !skip.some((each) => each === kind)));
}

/** The kinds in both sets. */
export const inBoth = (one: ReadonlySet<Kind>, other: ReadonlySet<Kind>): ReadonlySet<Kind> =>
  new Set([...one].filter((kind) => other.has(kind)));
