import { Readable } from 'node:stream';
import { csvCell } from '../../contract/csv-cell.ts';
import { Download } from '../api/download.ts';
import type { Database } from '../db/database.ts';
import { codesOf } from './access-tokens-repository.ts';

async function* linesOf(db: Database, endpointId: number): AsyncGenerator<string> {
  for await (const codes of codesOf(db, endpointId)) yield codes.map((code) => `${csvCell(code)}\r\n`).join('');
}

/** The codes of a structure as a CSV to download: one column without a heading, as an import takes it. */
export const codesFile = (db: Database, { id, slug }: { id: number; slug: string }): Download =>
  new Download(`codes-${slug}.csv`, Readable.from(linesOf(db, id)));
