import { pageMeta } from '../../core/db/paging.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { readMailSettings, updateMailSettings } from './mail-settings.ts';
import { listEmails, listMailings, mailingRows } from './queries.ts';
import { readRecipients } from './recipients.ts';
import {
  createMailing,
  markSent,
  pauseMailing,
  readEmail,
  readMailing,
  readMailings,
  removeMailing,
  resendEmails,
  resumeMailing,
  startSending,
  testMailbox,
  testMailing,
  testMailServer,
  updateMailingDraft,
} from './service.ts';

export const mailings: Handlers<'mailings'> = {
  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listMailings(db, organizationId, query);
    return { data: await readMailings(db, rows), meta: pageMeta(total, query) };
  },

  read: (context, { params }) => readMailing(context, params.id),

  create: async (context, { body }) => readMailing(context, await createMailing(context, body)),

  update: async (context, { params, body }) => {
    await updateMailingDraft(context, params.id, body);
    return readMailing(context, params.id);
  },

  remove: async (context, { params }) => {
    await removeMailing(context, params.id);
    return null;
  },

  test: (context, { params, body }) => testMailing(context, params.id, body),

  recipients: async (context, { body }) => {
    const { mailing_id: id } = body;
    const find = () => mailingRows.find(context.db, context.organizationId, id!);
    return readRecipients(context, body, id === undefined ? undefined : orNotFound(await find()));
  },

  send: async (context, { params, body }) => {
    await startSending(context, params.id, body);
    return readMailing(context, params.id);
  },

  pause: async (context, { params }) => {
    await pauseMailing(context, params.id);
    return readMailing(context, params.id);
  },

  resume: async (context, { params }) => {
    await resumeMailing(context, params.id);
    return readMailing(context, params.id);
  },

  emails: async ({ db, organizationId }, { params, query }) => {
    orNotFound(await mailingRows.find(db, organizationId, params.id));
    const { rows, total } = await listEmails(db, params.id, query);
    return { data: rows.map(readEmail), meta: pageMeta(total, query) };
  },

  resend: async (context, { params, body }) => {
    await resendEmails(context, params.id, body.ids);
    return readMailing(context, params.id);
  },

  markSent: async (context, { params, body }) => {
    await markSent(context, params.id, body.ids);
    return readMailing(context, params.id);
  },
};

export const mail: Handlers<'mail'> = {
  read: (context) => readMailSettings(context),

  update: async (context, { body }) => {
    await updateMailSettings(context, body);
    return readMailSettings(context);
  },

  test: (context) => testMailServer(context),

  testMailbox: (context) => testMailbox(context),
};
