import type { Area, Policies, Quota, Right } from '../../src/contract/entities.ts';
import { asCliError } from '../as-cli-error.ts';
import type { Connection } from '../connection.ts';
import { CliError, EXIT, wrongError } from '../failure.ts';
import type { Change, Comparison } from './compare.ts';
import { subjectOf } from './describe.ts';
import { KINDS, type Kind, NOUNS } from './format.ts';

/** The area whose rights each kind requires. */
const AREA_OF: Record<Kind, Area> = {
  folders: 'rooms',
  media_folders: 'media',
  media: 'media',
  feeds: 'settings',
  live_streams: 'live_streams',
  templates: 'templates',
  blocks: 'rooms',
  rooms: 'rooms',
  endpoints: 'endpoints',
  settings: 'settings',
  webhooks: 'settings',
  users: 'settings',
  tokens: 'access_tokens',
};

const RIGHT_OF = { create: 'create', update: 'update', remove: 'delete' } as const;

/** The changes that an import makes. */
export const planned = ({ changes }: Comparison, prune: boolean): Change[] =>
  changes.filter(({ action }) => prune || action !== 'remove');

/** Rejects names that several entries have. @throws CliError naming them */
export function refuseClashes({ clashes }: Comparison): void {
  if (clashes.length === 0) return;
  throw wrongError(
    'Nothing was imported: some names are ambiguous.',
    'Rename all but one of each, and export again if they are in the export.',
    clashes.map((reason) => ({ reason })),
  );
}

/** Rejects an import for which rights are missing. @throws CliError naming all of them */
export async function refuseMissingRights({ client }: Connection, changes: readonly Change[]): Promise<void> {
  const { policies } = await client.users.active();
  const missing = new Set<string>();
  for (const { kind, action } of changes) {
    const area = AREA_OF[kind];
    // Files are changed with the right to add them.
    const right: Right = area === 'media' && action === 'update' ? 'create' : RIGHT_OF[action];
    if (!(policies as Policies)[area][right]) missing.add(`to ${right} ${kind.replaceAll('_', ' ')}`);
  }
  if (missing.size === 0) return;
  throw new CliError('forbidden', EXIT.server, {
    message: 'Nothing was imported: rights are missing.',
    suggestion: 'Use the key of a user with these rights.',
    problems: [...missing].map((right) => ({ reason: `You don't have permission ${right}.` })),
  });
}

const QUOTA_OF: Partial<Record<Kind, Quota>> = { rooms: 'spaces', endpoints: 'structures', users: 'users' };

/** Rejects an import that exceeds a quota, as far as it can be known before. @throws CliError naming the quotas */
export async function refuseBeyondQuotas(
  { client }: Connection,
  changes: readonly Change[],
  bytes: number,
): Promise<void> {
  const usage = await client.organizations.usage().catch((error: unknown) => {
    if (asCliError(error)?.code !== 'forbidden') throw error;
    return [];
  });
  const added = new Map<Quota, number>([['storage', bytes]]);
  for (const { kind, action } of changes) {
    const quota = QUOTA_OF[kind];
    const step = { create: 1, update: 0, remove: -1 }[action];
    if (quota) added.set(quota, (added.get(quota) ?? 0) + step);
  }
  const exceeded = usage.flatMap(({ quota, used, limit }) => {
    const more = added.get(quota) ?? 0;
    if (limit === null || more <= 0 || used + more <= limit) return [];
    return [{ reason: `${quota}: ${used} used, ${more} more in the export, limit ${limit}` }];
  });
  if (exceeded.length === 0) return;
  throw new CliError('quota', EXIT.server, {
    message: 'Nothing was imported: the organization would exceed its quota.',
    suggestion: 'Remove something you no longer need, or ask the operator for more.',
    problems: exceeded,
  });
}

/** Entries of each action that a plan names. */
const MAX_NAMED = 200;

const lineOf = ({ action, kind, name, fields }: Change): string => {
  const more = fields.length > 8 ? [...fields.slice(0, 8), 'and more'] : fields;
  return `  ${action.padEnd(6)}  ${NOUNS[kind].padEnd(12)}  ${name}${more.length > 0 ? `: ${more.join(', ')}` : ''}`;
};

/** The plan of an import as text. */
export function planText(comparison: Comparison, prune: boolean): string {
  const { changes, unchanged, isReordered } = comparison;
  const made = planned(comparison, prune);
  const order = KINDS.flatMap((kind) => made.filter((change) => change.kind === kind));
  const left = changes.length - made.length;
  const count = (action: Change['action']) => made.filter((change) => change.action === action).length;
  const counts = (['create', 'update', 'remove'] as const).map((action) => `${action} ${count(action)}`);
  const lines = [
    made.length === 0 && !isReordered
      ? `No changes (${unchanged} entries checked).`
      : `Would ${counts.join(', ')}; unchanged ${unchanged}`,
    ...order.slice(0, MAX_NAMED).map(lineOf),
    ...(order.length > MAX_NAMED ? [`  and ${order.length - MAX_NAMED} more`] : []),
    ...(isReordered ? ['  The structures get the order of the export.'] : []),
    ...(left > 0
      ? [`  ${left} ${left === 1 ? 'entry' : 'entries'} only in the organization; --prune removes them:`]
      : []),
    ...(left > 0
      ? changes
          .filter((change) => !made.includes(change))
          .slice(0, MAX_NAMED)
          .map((change) => `    ${subjectOf(change)}`)
      : []),
    ...(made.some(({ kind, action }) => kind === 'media' && action === 'remove')
      ? ["  Removed files can't be restored."]
      : []),
    '',
  ];
  return lines.join('\n');
}
