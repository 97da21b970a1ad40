import { Readable } from 'node:stream';
import type { TokenItem } from '../../../contract/calls/access-tokens.ts';
import { csvCell } from '../../../contract/csv-cell.ts';
import type { Database } from '../../core/db/database.ts';
import { Download } from '../../core/http/download.ts';
import { type CodeRow, codesOf, heldColumns } from '../access-tokens/queries.ts';

async function* linesOf(db: Database, endpointId: number): AsyncGenerator<string> {
  const used = await heldColumns(db, endpointId);
  const hasHolders = used.includes('holder_name') || used.includes('holder_email');
  const others = used.filter((column) => !column.startsWith('holder_'));
  const columns = ['token', ...(hasHolders ? (['holder_name', 'holder_email'] as const) : []), ...others] as const;
  if (columns.length > 1) yield `${columns.join(',').replace('group_name', 'group')}\r\n`;
  for await (const codes of codesOf(db, endpointId))
    yield codes.map((code) => `${columns.map((column) => csvCell(code[column] ?? '')).join(',')}\r\n`).join('');
}

const itemOf = ({
  token,
  valid_from,
  valid_till,
  valid_duration,
  first_used_at,
  last_used_at,
  holder_name,
  holder_email,
  group_name,
  note,
}: CodeRow): TokenItem => ({
  token,
  valid_from,
  valid_till,
  valid_duration,
  first_used_at,
  ...(holder_name !== null && { holder_name }),
  ...(holder_email !== null && { holder_email }),
  ...(group_name !== null && { group: group_name }),
  ...(note !== null && { note }),
  ...(last_used_at !== null && { last_used_at }),
});

/** The codes as a JSON list, one per line. */
async function* documentOf(db: Database, endpointId: number): AsyncGenerator<string> {
  let before = '[\n';
  for await (const codes of codesOf(db, endpointId)) {
    yield before + codes.map((code) => JSON.stringify(itemOf(code))).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** The codes of a structure for download, in import format: JSON with times, or CSV. Without holders, CSV is a bare list. */
export const listCodes = (
  db: Database,
  { id, slug }: { id: number; slug: string },
  format: 'csv' | 'json',
): Download =>
  format === 'csv'
    ? new Download(`codes-${slug}.csv`, Readable.from(linesOf(db, id)))
    : new Download(`codes-${slug}.json`, Readable.from(documentOf(db, id)), 'application/json; charset=utf-8');
