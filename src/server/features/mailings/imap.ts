import { isIP } from 'node:net';
import { ImapFlow, type SearchObject } from 'imapflow';
import { MAX_REPORT_BYTES } from '../../core/files/inspect/mail/delivery-report.ts';
import type { Services } from '../../core/services.ts';
import { RefusedAddress } from '../../providers/address-guard.ts';
import type { OpenedMailbox } from './mailbox.ts';

/** Timeout in milliseconds for the connection, the greeting, and each response. */
const RESPONSE_TIMEOUT = 15_000;
/** Timeout of a whole visit to a mailbox in milliseconds; shorter than its lease. */
const VISIT_TIMEOUT = 60_000;
/** Messages of one visit. */
const MAX_MESSAGES = 100;
/** Days after which a report is too old to matter. */
const MAX_AGE_DAYS = 30;
const DAY = 86_400_000;
/** Limits on one response of a server, in bytes and tokens. */
const BOUNDS = {
  maxLineLength: 1_048_576,
  maxLiteralSize: MAX_REPORT_BYTES + 1024,
  maxResponseSize: 2_097_152,
  maxResponseTokens: 10_000,
} as const;

/** Where the last visit ended. */
export interface Position {
  uid_validity: string | null;
  last_uid: number;
}

/** Messages that may be delivery reports, and where the next visit continues. */
export interface Visit {
  messages: Uint8Array[];
  position: Position;
  /** Whether there are more messages. */
  isMore: boolean;
}

/** Error of a mailbox, as a sentence for a person. */
export class MailboxError extends Error {}

interface ImapError extends Error {
  authenticationFailed?: boolean;
  responseText?: string;
}

function problemOf(error: ImapError, { folder }: OpenedMailbox, isOpen: boolean): string {
  const answer = (error.responseText ?? error.message).slice(0, 300);
  if (error instanceof RefusedAddress) return 'The host has no public IP address.';
  if (error.authenticationFailed) return `The server refused the user or the password: ${answer}`;
  if (isOpen) return `The folder ${folder} couldn't be read: ${answer}`;
  return `The server couldn't be reached: ${answer}`;
}

/**
 * Does something in the folder of a mailbox, and closes the connection. The folder is opened for reading only.
 * @throws MailboxError
 */
async function inFolder<T>(
  { outgoing }: Pick<Services, 'outgoing'>,
  mailbox: OpenedMailbox,
  run: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { host, port, security, username, password, folder } = mailbox;
  let client: ImapFlow | null = null;
  let isOpen = false;
  const timer = setTimeout(() => client?.close(), VISIT_TIMEOUT);
  try {
    client = new ImapFlow({
      host: await outgoing.guarded.publicAddressOf(mailbox),
      port,
      // The certificate must be for the name, although the connection uses the address that was checked.
      ...(isIP(host) === 0 && { servername: host }),
      ...(security === 'tls' ? { secure: true } : { secure: false, doSTARTTLS: true }),
      auth: { user: username, pass: password },
      ...{ logger: false, disableAutoIdle: true, disableCompression: true },
      ...{ connectionTimeout: RESPONSE_TIMEOUT, greetingTimeout: RESPONSE_TIMEOUT, socketTimeout: RESPONSE_TIMEOUT },
      ...BOUNDS,
    });
    // Its calls fail as well; without a listener, the process would end.
    client.on('error', () => undefined);
    await client.connect();
    isOpen = true;
    await client.mailboxOpen(folder, { readOnly: true });
    return await run(client);
  } catch (error) {
    throw new MailboxError(problemOf(error as ImapError, mailbox, isOpen));
  } finally {
    clearTimeout(timer);
    client?.close();
  }
}

/** UIDs of delivery reports, oldest first. */
async function findReports(client: ImapFlow, now: number, wanted: SearchObject): Promise<number[]> {
  const since = new Date(now - MAX_AGE_DAYS * DAY);
  const found = await client.search(
    { ...wanted, since, header: { 'content-type': 'multipart/report' } },
    { uid: true },
  );
  if (!found) throw new Error('The search failed.');
  return found.toSorted((one, other) => one - other);
}

/** Reads the delivery reports that have come since the last visit. @throws MailboxError */
export function visitMailbox(
  services: Pick<Services, 'outgoing' | 'clock'>,
  mailbox: OpenedMailbox,
  { uid_validity, last_uid }: Position,
): Promise<Visit> {
  return inFolder(services, mailbox, async (client) => {
    const { uidValidity, uidNext } = client.mailbox as Exclude<typeof client.mailbox, false>;
    const last = String(uidValidity) === uid_validity ? last_uid : 0;
    // A range that starts after the last message includes that one.
    const found = (await findReports(client, services.clock.now(), { uid: `${last + 1}:*` })).filter(
      (uid) => uid > last,
    );
    const uids = found.slice(0, MAX_MESSAGES);
    const messages: Uint8Array[] = [];
    if (uids.length > 0)
      for await (const { source } of client.fetch(uids, { source: { maxLength: MAX_REPORT_BYTES } }, { uid: true }))
        if (source) messages.push(source);
    const isMore = found.length > uids.length;
    const next = isMore ? uids.at(-1)! : Math.max(last, (uidNext ?? 1) - 1);
    return { messages, position: { uid_validity: String(uidValidity), last_uid: next }, isMore };
  });
}

/** Connects to a mailbox. @returns the number of its messages, and of recent delivery reports @throws MailboxError */
export function probeMailbox(
  services: Pick<Services, 'outgoing' | 'clock'>,
  mailbox: OpenedMailbox,
): Promise<{ messages: number; reports: number }> {
  return inFolder(services, mailbox, async (client) => {
    const { exists } = client.mailbox as Exclude<typeof client.mailbox, false>;
    return { messages: exists, reports: (await findReports(client, services.clock.now(), {})).length };
  });
}
