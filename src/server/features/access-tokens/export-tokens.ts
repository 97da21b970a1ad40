import { Readable } from 'node:stream';
import { csvCell } from '../../../contract/csv-cell.ts';
import type { TOKEN_STATES } from '../../../contract/entities.ts';
import { tokenFragment } from '../../../contract/token-link.ts';
import { tokenStateOf } from '../../../contract/token-state.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { type ListedToken, tokensFor } from './list-tokens.ts';

const HEADING = [
  ...['token', 'link', 'structure', 'state', 'holder_name', 'holder_email', 'group', 'note'],
  ...['valid_from', 'valid_till', 'valid_duration', 'first_used_at', 'last_used_at', 'checked_in_at', 'created_at'],
];

/** Public path of a token's structure. */
export const pathOf = ({ parent_slug, endpoint_slug: slug }: ListedToken): string =>
  parent_slug === null ? `/${slug}` : `/${parent_slug}/${slug}`;

const lineOf = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

function cellsOf(row: ListedToken, origin: string, state: string): string[] {
  const link = origin + pathOf(row) + tokenFragment(row.token);
  return [
    ...[row.token, link, row.endpoint_name, state, row.holder_name ?? '', row.holder_email ?? ''],
    ...[row.group_name ?? '', row.note ?? ''],
    ...[row.valid_from ?? '', row.valid_till ?? '', String(row.valid_duration ?? ''), row.first_used_at ?? ''],
    ...[row.last_used_at ?? '', row.checked_in_at ?? '', row.created_at],
  ];
}

/** Which tokens are exported. */
interface Exported {
  search?: string | undefined;
  endpoint_id?: number | undefined;
  state?: (typeof TOKEN_STATES)[number] | undefined;
  group?: string | undefined;
}

async function* linesOf(context: CallContext, origin: string, { state, ...filter }: Exported): AsyncGenerator<string> {
  yield lineOf(HEADING);
  for await (const rows of tokensFor(context.db, context.organizationId, filter)) {
    const now = new Date(context.clock.now());
    yield rows
      .map((row) => ({ row, is: tokenStateOf(row, now) }))
      .filter(({ row, is }) => {
        if (state === undefined) return true;
        return state === 'expired'
          ? is === 'expired'
          : is !== 'expired' && (row.first_used_at === null) === (state === 'unused');
      })
      .map(({ row, is }) => lineOf(cellsOf(row, origin, is)))
      .join('');
  }
}

/** Access tokens as a table with links and states; the export is logged. */
export async function exportTokens(context: CallContext, wanted: Exported): Promise<Download> {
  await recordEvent(context.db, context, { event: 'exported', subject: 'Access tokens', details: wanted });
  const { origin } = await context.shownSite(context.organizationId);
  return new Download('access-tokens.csv', Readable.from(linesOf(context, origin, wanted)));
}
