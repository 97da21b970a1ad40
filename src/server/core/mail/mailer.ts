import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Clock, timestampOf } from '../clock.ts';
import { type Measure, single } from '../metrics.ts';
import type { ServerSettings } from '../settings.ts';
import { outboxOf } from './outbox.ts';

/** SMTP timeout in milliseconds for the connection, the greeting, and each response. */
const SMTP_TIMEOUT = 15_000;

/** A plain-text email. */
export interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Sends email. */
export interface Mailer {
  send(message: Message): Promise<void>;
  close(): void;
}

/** Counts what another mailer sends. */
export class CountingMailer implements Mailer {
  readonly #inner: Mailer;
  readonly #ended = { sent: 0, failed: 0 };
  #queued = 0;

  constructor(inner: Mailer) {
    this.#inner = inner;
  }

  async send(message: Message): Promise<void> {
    this.#queued++;
    try {
      await this.#inner.send(message);
      this.#ended.sent++;
    } catch (error) {
      this.#ended.failed++;
      throw error;
    } finally {
      this.#queued--;
    }
  }

  close(): void {
    this.#inner.close();
  }

  measures(): Measure[] {
    return [
      single('emails_queued', 'gauge', 'Emails that the mail server has not accepted yet.', () => this.#queued),
      {
        name: 'emails_total',
        type: 'counter',
        help: 'Emails: sent (or written to the outbox) or failed.',
        labels: ['outcome'],
        read: () => Object.entries(this.#ended).map(([outcome, count]) => [{ outcome }, count]),
      },
    ];
  }
}

/** Sends through an SMTP server. */
function smtpMailer(url: string, from: string): Mailer {
  const timeouts = { connectionTimeout: SMTP_TIMEOUT, greetingTimeout: SMTP_TIMEOUT, socketTimeout: SMTP_TIMEOUT };
  const transport = createTransport({ url, ...timeouts }, { from });
  return {
    send: async (message) => {
      await transport.sendMail(message);
    },
    close: () => transport.close(),
  };
}

/** Writes emails to files with owner-only permissions: they contain sign-in links. */
function outboxMailer(folder: string, from: string, clock: Clock): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from });
  return {
    send: async (message) => {
      const { message: content } = await transport.sendMail({ ...message, date: new Date(clock.now()) });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${timestampOf(clock.now()).replace(/\W/g, '')}-${randomUUID()}`;
      const half = join(folder, `.${name}`);
      await writeFile(half, content as Buffer, { mode: 0o600, flag: 'wx' });
      await rename(half, join(folder, `${name}.eml`));
    },
    close: () => transport.close(),
  };
}

/** Creates the configured mailer: SMTP, or files in the data folder. */
export function createMailer(settings: ServerSettings, clock: Clock): CountingMailer {
  const { SMTP_URL: url, MAIL_FROM: from } = settings;
  return new CountingMailer(url ? smtpMailer(url, from) : outboxMailer(outboxOf(settings), from, clock));
}
