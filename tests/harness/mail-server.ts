import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** A received message in its raw form. */
export interface Received {
  from: string;
  to: string[];
  source: string;
}

/** A mail server that stores received messages. */
export class MailServer {
  readonly received: Received[] = [];
  readonly #server: SMTPServer;
  #port = 0;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
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
          done();
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
