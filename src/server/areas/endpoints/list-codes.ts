import { Readable } from 'node:stream';
import type { TokenItem } from '../../../contract/calls/access-tokens.ts';
import { csvCell } from '../../../contract/csv-cell.ts';
import { Download } from '../../base/answers/download.ts';
import type { Database } from '../../base/db/database.ts';
import { type CodeRow, codesOf } from '../../store/access-tokens/access-tokens-repository.ts';

async function* linesOf(db: Database, endpointId: number): AsyncGenerator<string> {
  for await (const codes of codesOf(db, endpointId)) yield codes.map(({ token }) => `${csvCell(token)}\r\n`).join('');
}

const itemOf = ({ token, valid_from, valid_till, valid_duration, first_used_at }: CodeRow): TokenItem => ({
  token,
  valid_from,
  valid_till,
  valid_duration,
  first_used_at,
});

/** A list of JSON, a code on each line. */
async function* documentOf(db: Database, endpointId: number): AsyncGenerator<string> {
  let before = '[\n';
  for await (const codes of codesOf(db, endpointId)) {
    yield before + codes.map((code) => JSON.stringify(itemOf(code))).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** The codes of a structure to download, as an import takes them: CSV of one column without a heading, or JSON with times. */
export const listCodes = (
  db: Database,
  { id, slug }: { id: number; slug: string },
  format: 'csv' | 'json',
): Download =>
  format === 'csv'
    ? new Download(`codes-${slug}.csv`, Readable.from(linesOf(db, id)))
    : new Download(`codes-${slug}.json`, Readable.from(documentOf(db, id)), 'application/json; charset=utf-8');
