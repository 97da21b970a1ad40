import { z } from 'zod';
import { call } from '../call.ts';
import { AUDIT_EVENT_NAMES, auditEventSchema } from '../entities.ts';
import { idText, listQuery, moment } from '../inputs.ts';

const { search, ...pages } = listQuery.shape;

/** Filters of the audit log. */
const filter = {
  search: search.describe('Words that the user, the key or what it was about contains.'),
  event: z.enum(AUDIT_EVENT_NAMES).optional().describe('Only this kind of event.'),
  user_id: idText.optional().describe('Only what this user did.'),
  address: z.string().max(64).optional().describe('Only what came from this address.'),
  from: moment.optional().describe('Only from this moment on.'),
  till: moment.optional().describe('Only until before this moment.'),
};

/** Sign-ins, failed sign-ins, and actions on rights, keys and exported data. */
export const audit = {
  list: call({
    method: 'GET',
    path: '/backend/audit',
    summary: 'The audit log of the organization, newest first.',
    access: 'settings.view_any',
    query: z.strictObject({ ...pages, ...filter }),
    output: z.array(auditEventSchema),
    paged: true,
  }),
  export: call({
    method: 'GET',
    path: '/backend/audit/export',
    summary: 'The audit log as CSV with a heading, newest first; the export is an entry of it.',
    access: 'settings.view_any',
    query: z.strictObject(filter),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
  }),
};
