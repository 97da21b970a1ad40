import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** A received message in its raw form. */
export interface Received {
  from: string;
  to: string[];
  source: string;
}

/** What a mail server does with a message. */
export type MailAnswer =
  | 'accept'
  | { code: number; text: string }
  | 'drop before the end'
  | 'drop after the end'
  | 'hang';

/** A mail server that stores received messages. */
export class MailServer {
  readonly received: Received[] = [];
  /** Decides what happens to a message. @param count number of messages so far, this one included */
  answer: (to: string, count: number) => MailAnswer = () => 'accept';
  /** Called with each accepted message, before the response. */
  onReceived: (count: number) => void = () => {};
  #count = 0;
  readonly #server: SMTPServer;
  /** By id of the session. */
  readonly #answers = new Map<string, MailAnswer>();
  #port = 0;
  #connections = 0;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onConnect: (_session, done) => {
        this.#connections++;
        done();
      },
      onRcptTo: ({ address }, session, done) => {
        const answer = this.answer(address, ++this.#count);
        this.#answers.set(session.id, answer);
        if (answer === 'drop before the end') this.#drop(session.id);
        else if (typeof answer === 'object') done(Object.assign(new Error(answer.text), { responseCode: answer.code }));
        else done();
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString('utf8'),
          });
          this.onReceived(this.received.length);
          const answer = this.#answers.get(session.id);
          if (answer === 'drop after the end') this.#drop(session.id);
          else if (answer !== 'hang') done();
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  static async start(): Promise<MailServer> {
    const mail = new MailServer();
    const listening = mail.#server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    mail.#port = (listening.address() as { port: number }).port;
    return mail;
  }

  /** Connections so far. */
  get connections(): number {
    return this.#connections;
  }

  get port(): number {
    return this.#port;
  }

  /** Breaks the connection of a session. */
  #drop(id: string): void {
    for (const connection of this.#server.connections) if (connection.id === id) connection._socket.destroy();
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** The messages to an address. */
  to(address: string): Received[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  /** Waits for a number of messages to an address, and returns the last one. */
  async wait(address: string, count = 1): Promise<Received> {
    for (let tries = 0; this.to(address).length < count; tries++) {
      if (tries > 3000) throw new Error(`${this.to(address).length} messages came for ${address} instead of ${count}.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.to(address)[count - 1]!;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** The decoded text of a message. */
export const textOf = (source: string): string =>
  source
    .replace(/^[\s\S]*?\r?\n\r?\n/, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Parses the link of a message to set a password. */
export function readLink(source: string): { origin: string; token: string; email: string } {
  const [, origin, encoded] = /(https?:\/\/[^\s/]+)\/admin\/password\/([\w-]+)\/reset/.exec(textOf(source))!;
  return { origin: origin!, ...JSON.parse(Buffer.from(encoded!, 'base64url').toString('utf8')) };
}

/** A header of a message, unfolded. */
export const headerOf = (source: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(source.replace(/\r?\n[ \t]/g, ' '))?.[1];

/** A text encoded as header words. */
export const decoded = (header = '') =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, words: string) => Buffer.from(words, 'base64').toString('utf8'))
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, words: string) =>
      Buffer.from(
        words
          .replace(/_/g, ' ')
          .replace(/=([0-9A-F]{2})/g, (_byte, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8'),
    );

/** The text of a message in UTF-8. */
export const utf8Text = (source: string) => Buffer.from(textOf(source), 'latin1').toString('utf8');
