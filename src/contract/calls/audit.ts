import { z } from 'zod';
import { call } from '../call.ts';
import { AUDIT_EVENT_NAMES, auditEventSchema } from '../entities.ts';
import { idText, listQuery, moment } from '../inputs.ts';

const { search, ...pages } = listQuery.shape;

/** Filters of the audit log. */
const filter = {
  search: search.describe('Text contained in the user, the key or the subject.'),
  event: z.enum(AUDIT_EVENT_NAMES).optional().describe('Filter by event.'),
  user_id: idText.optional().describe('Filter by user.'),
  address: z.string().max(64).optional().describe('Filter by IP address.'),
  from: moment.optional().describe('Start of the range, inclusive.'),
  till: moment.optional().describe('End of the range, exclusive.'),
};

/** Sign-ins, failed sign-ins, and actions on rights, keys and exported data. */
export const audit = {
  list: call({
    method: 'GET',
    path: '/backend/audit',
    summary: 'Lists audit log entries, newest first.',
    access: 'settings.view_any',
    query: z.strictObject({ ...pages, ...filter }),
    output: z.array(auditEventSchema),
    paged: true,
  }),
  export: call({
    method: 'GET',
    path: '/backend/audit/export',
    summary: 'Exports the audit log as CSV with a heading, newest first. The export is logged too.',
    access: 'settings.view_any',
    query: z.strictObject(filter),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
  }),
};
