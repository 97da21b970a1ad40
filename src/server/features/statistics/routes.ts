import { Readable } from 'node:stream';
import { csvCell } from '../../../contract/csv-cell.ts';
import type { StatisticsRow } from '../../../contract/entities.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import type { Database } from '../../core/db/database.ts';
import { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { dismissProblems, listProblems } from './problems.ts';
import { posesOf } from './queries.ts';
import { readRange, readStatistics } from './read-statistics.ts';
import { countVisit, listGroups } from './service.ts';

/** Maximum number of lines in an export. */
const MAX_LINES = 10_000;

const HEADING = ['id', 'to_id', 'name', 'detail', 'room_id', 'count', 'visitors', 'seconds'] as const;

const lineOf = (cells: readonly (string | number | null)[]): string =>
  `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`;

const csvOf = (rows: readonly StatisticsRow[]): string =>
  [lineOf(HEADING), ...rows.map((row) => lineOf(HEADING.map((column) => row[column])))].join('');

async function* poseLines(db: Database, organizationId: number, endpointId: number): AsyncGenerator<string> {
  yield lineOf(['at', 'x', 'y', 'z', 'heading']);
  for await (const poses of posesOf(db, organizationId, endpointId))
    yield poses.map(({ at, x, y, z, heading }) => lineOf([at, x, y, z, heading])).join('');
}

export const statistics: Handlers<'statistics'> = {
  count: async (context, { body }) => {
    await countVisit(context, body);
    return null;
  },

  read: async (context, { query }) => readStatistics(context, query),

  list: async (context, { query }) => listGroups(context, await readRange(context, query), query.by, query.limit),

  export: async (context, { query }) => {
    const rows = await listGroups(context, await readRange(context, query), query.by, MAX_LINES);
    await recordEvent(context.db, context, { event: 'exported', subject: 'Statistics', details: query });
    return new Download(`statistics-${query.by}.csv`, Readable.from([csvOf(rows)]));
  },

  exportPoses: async (context, { query }) => {
    const { db, organizationId } = context;
    const { endpoint_id } = query;
    orNotFound(await findEndpoint(db, organizationId, endpoint_id));
    await recordEvent(db, context, { event: 'exported', subject: 'Visitor positions', details: query });
    return new Download(`places-${endpoint_id}.csv`, Readable.from(poseLines(db, organizationId, endpoint_id)));
  },

  problems: async (context) => listProblems(context),

  dismissProblems: async (context, { body }) => dismissProblems(context, body),
};
