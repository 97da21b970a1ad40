import type { Id, Owned, Stamp } from '../../core/db/column-types.ts';
import type { Queued } from '../../core/jobs/queue.ts';

/** How an organization sends; at most one row for each. Without a host, the operator's mail server is used. */
export interface MailSettingsTable extends Owned {
  host: string | null;
  port: number | null;
  security: string | null;
  username: string | null;
  /** Password, sealed with the server's own key; null for none. */
  sealed: string | null;
  sender_name: string | null;
  sender_address: string | null;
  /** Maximum e-mails per second. */
  rate: number;
  /** Time at which the next e-mail may be sent, on any server. */
  free_at: Stamp | null;
}

export interface MailingTable extends Owned {
  endpoint_id: number;
  name: string;
  subject: string;
  text: string;
  reply_to: string | null;
  language: string;
  /** Recipients, as JSON. */
  selection: string;
  state: string;
  problem: string;
  started_at: Stamp | null;
}

/** E-mails of mailings, sent from this table. */
export interface MailingEmailTable extends Queued {
  id: Id;
  organization_id: number;
  mailing_id: number;
  access_token_id: number;
  name: string;
  email: string;
  state: string;
  attempts: number;
  /** Last response of the mail server, or the connection error. */
  answer: string;
  /** `Message-ID` of the last attempt. */
  message_id: string;
  sent_at: Stamp | null;
  /** Result in the last delivery report: `delayed` or `delivered`; null for none. */
  report: string | null;
}

/** Mailboxes that receive delivery reports, read from this table; at most one for each organization. */
export interface MailboxTable extends Owned {
  host: string;
  port: number;
  security: 'tls' | 'starttls';
  username: string;
  /** Password, sealed with the server's own key. */
  sealed: string;
  folder: string;
  /** `UIDVALIDITY` of the folder when it was last read; null before. Another value means that UIDs start anew. */
  uid_validity: string | null;
  /** Last UID that was read. */
  last_uid: number;
  read_at: Stamp | null;
  /** Why the last attempt failed; empty if it did not. */
  problem: string;
  attempts: number;
  next_at: Stamp | null;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    mail_settings: MailSettingsTable;
    mailings: MailingTable;
    mailing_emails: MailingEmailTable;
    mailboxes: MailboxTable;
  }
}
