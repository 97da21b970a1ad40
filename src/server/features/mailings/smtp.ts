import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import type Mail from 'nodemailer/lib/mailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { Services } from '../../core/services.ts';
import { RefusedAddress } from '../../providers/address-guard.ts';
import type { MailServer } from './mail-settings.ts';

/** Timeout in milliseconds for the connection, the greeting, and each response. */
const RESPONSE_TIMEOUT = 15_000;
/** Timeout of a whole attempt in milliseconds; shorter than the lease of an e-mail. */
const ATTEMPT_TIMEOUT = 45_000;
/** Milliseconds after which an idle connection is closed. */
const IDLE_TIMEOUT = 20_000;
/** E-mails per connection. */
const MAX_MESSAGES = 100;
/** Characters of a response that are stored. */
const EXCERPT_LENGTH = 500;

/** An e-mail as it is handed to the mail server. */
export interface Outgoing {
  to: { name: string; address: string };
  replyTo: string | null;
  subject: string;
  text: string;
  messageId: string;
}

/** Outcome of an attempt. */
export interface Outcome {
  /**
   * `sent`: accepted. `refused`: this e-mail was refused for good. `later`: it was refused for now. `unreachable`: nothing
   * was handed over. `locked`: the server refused the user or the password. `uncertain`: handed over, but no response came.
   */
  kind: 'sent' | 'refused' | 'later' | 'unreachable' | 'locked' | 'uncertain';
  /** Response of the mail server, or the connection error. */
  answer: string;
}

/** Beginning of an untrusted response, on one line. */
const excerptOf = (text: string): string =>
  text
    .slice(0, EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

/** Error of nodemailer. */
interface SmtpError extends Error {
  code?: string;
  response?: string;
  responseCode?: number;
}

/**
 * What a failed attempt means.
 * @param isHandedOver whether the whole e-mail was written, including its end
 */
function outcomeOf(error: SmtpError, isHandedOver: boolean): Outcome {
  const { code, response, responseCode } = error;
  const answer = excerptOf(
    response ?? (error instanceof RefusedAddress ? 'The mail server has no public IP address.' : error.message),
  );
  if (code === 'EAUTH' || code === 'ENOAUTH') return { kind: 'locked', answer };
  // Responses to the e-mail itself; others concern the connection.
  const isAnswer = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined;
  if (isAnswer && responseCode >= 500) return { kind: 'refused', answer };
  if (isAnswer && responseCode >= 400) return { kind: 'later', answer };
  if (code === 'EENVELOPE') return { kind: 'refused', answer };
  return { kind: isHandedOver ? 'uncertain' : 'unreachable', answer };
}

/** A new `Message-ID`. @param from sender, whose domain it gets */
export function newMessageId(from: MailServer['from']): string {
  const address = typeof from === 'string' ? from : from.address;
  const domain = /@([\w.-]+)/.exec(address)?.[1] ?? 'localhost';
  return `<${randomUUID()}@${domain}>`;
}

/** An e-mail of nodemailer that says when it was handed over. */
interface Handed extends Mail.Options {
  onHandedOver?: () => void;
}

/** Pooled connections to one mail server. */
export class SmtpConnections {
  readonly #transport: Transporter;
  readonly #from: MailServer['from'];

  private constructor(transport: Transporter, from: MailServer['from']) {
    this.#transport = transport;
    this.#from = from;
    transport.use('stream', ({ data, message }, done) => {
      const { onHandedOver } = data as Handed;
      // The content is read only after the server has asked for it, and its end is written right after its last bytes.
      message.processFunc((content) => content.once('end', () => onHandedOver?.()));
      done();
    });
  }

  /**
   * Connections to a mail server, opened as needed. An organization's own server must have a public address, which stays
   * the same for all connections.
   * @param most connections at once
   * @throws RefusedAddress, or the error of the name lookup
   */
  static async to({ server, from }: MailServer, { outgoing }: Pick<Services, 'outgoing'>, most: number) {
    const common = {
      ...{ pool: true, maxConnections: most, maxMessages: MAX_MESSAGES, idleTimeout: IDLE_TIMEOUT },
      // An e-mail whose connection closes is never repeated here: its state decides.
      maxRequeues: 0,
      ...{ connectionTimeout: RESPONSE_TIMEOUT, greetingTimeout: RESPONSE_TIMEOUT, socketTimeout: RESPONSE_TIMEOUT },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    } as const;
    if (typeof server === 'string')
      return new SmtpConnections(createTransport({ ...common, url: server } as SMTPPool.Options), from);
    const { host, port, security, username, password } = server;
    const options = {
      ...common,
      ...{ host: await outgoing.guarded.publicAddressOf(server), port, name: undefined },
      ...{ secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
      // The certificate must be for the name, although the connection uses the address that was checked.
      ...(isIP(host) === 0 && { tls: { servername: host } }),
      ...(username !== '' && { auth: { user: username, pass: password } }),
    };
    return new SmtpConnections(createTransport(options as SMTPPool.Options), from);
  }

  /** Hands an e-mail to the mail server, once. Never rejects. */
  async send({ to, replyTo, subject, text, messageId }: Outgoing): Promise<Outcome> {
    let isHandedOver = false;
    const message = {
      from: this.#from,
      to,
      ...(replyTo !== null && { replyTo }),
      ...{ subject, text, messageId },
      headers: { 'Auto-Submitted': 'auto-generated' },
      onHandedOver: () => {
        isHandedOver = true;
      },
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT),
    };
    try {
      const { response } = (await this.#transport.sendMail(message)) as { response: string };
      return { kind: 'sent', answer: excerptOf(response) };
    } catch (error) {
      return outcomeOf(error as SmtpError, isHandedOver);
    }
  }

  close(): void {
    this.#transport.close();
  }
}

/**
 * Sends one message, and closes the connection.
 * @throws ApiError invalid if there is no mail server
 */
export async function sendOnce(
  services: Pick<Services, 'outgoing'>,
  server: MailServer,
  message: Omit<Outgoing, 'messageId'>,
): Promise<Outcome> {
  let connections: SmtpConnections;
  try {
    connections = await SmtpConnections.to(server, services, 1);
  } catch (error) {
    return outcomeOf(error as SmtpError, false);
  }
  const outcome = await connections.send({ ...message, messageId: newMessageId(server.from) });
  connections.close();
  return outcome;
}
