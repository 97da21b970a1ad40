import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

/** The name on the certificate; tests resolve it to this machine. */
export const IMAP_HOST = 'imap.example.com';

/** A message in the mailbox. */
interface Stored {
  uid: number;
  source: string;
}

type Fault = 'hang' | 'drop' | 'no search' | 'huge message' | null;

/** A certificate that this process trusts. */
async function trustedCertificate(): Promise<{ key: string; cert: string }> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: IMAP_HOST }] }];
  const { private: key, cert } = await generate([{ name: 'commonName', value: IMAP_HOST }], {
    keyType: 'ec',
    extensions,
  });
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  return { key, cert };
}

/** One for all servers: two with the same name would hide each other. */
let certificate: ReturnType<typeof trustedCertificate> | undefined;

const quoted = (text: string) => text.replace(/^"(.*)"$/, '$1');

/**
 * A mailbox on an IMAP server (RFC 3501): with TLS or STARTTLS, one user, one folder, and the commands that a reader of
 * delivery reports needs. Its certificate is trusted by this process.
 */
export class ImapServer {
  /** Messages, oldest first. */
  readonly messages: Stored[] = [];
  user = 'museum';
  password = 'correct horse';
  folder = 'INBOX';
  uidValidity = 1;
  fault: Fault = null;
  /** Commands so far, without the words of a sign-in. */
  readonly commands: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;

  readonly #security: 'tls' | 'starttls';
  readonly #certificate: { key: string; cert: string };

  private constructor(security: 'tls' | 'starttls', certificate: { key: string; cert: string }) {
    this.#security = security;
    this.#certificate = certificate;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(security: 'tls' | 'starttls' = 'tls'): Promise<ImapServer> {
    certificate ??= trustedCertificate();
    const imap = new ImapServer(security, await certificate);
    await once(imap.#server.listen(0, '127.0.0.1'), 'listening');
    imap.#port = (imap.#server.address() as { port: number }).port;
    return imap;
  }

  get port(): number {
    return this.#port;
  }

  /** Delivers a message. */
  deliver(source: string): void {
    const uid = (this.messages.at(-1)?.uid ?? 0) + 1;
    this.messages.push({ uid, source: source.replace(/\r?\n/g, '\r\n') });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #secure(socket: Socket): Socket {
    const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(this.#certificate) });
    secured.on('error', () => undefined);
    return secured;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    if (this.#security === 'tls') this.#talk(this.#secure(socket), true);
    else this.#talk(socket, false);
  }

  #talk(socket: Socket, isSecure: boolean, isGreeted = false): void {
    const say = (line: string) => socket.write(`${line}\r\n`);
    if (!isGreeted) say('* OK ready');
    let rest = '';
    const read = (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const [tag = '', ...words] = line.split(' ');
        if (words[0]?.toUpperCase() === 'STARTTLS') {
          socket.off('data', read);
          say(`${tag} OK begin`);
          this.#talk(this.#secure(socket), true, true);
          return;
        }
        this.#answer(say, socket, { tag, words, isSecure });
      }
    };
    socket.on('data', read);
  }

  #answer(
    say: (line: string) => void,
    socket: Socket,
    { tag, words, isSecure }: { tag: string; words: string[]; isSecure: boolean },
  ) {
    const text = words.join(' ');
    const name = words
      .slice(0, words[0]?.toUpperCase() === 'UID' ? 2 : 1)
      .join(' ')
      .toUpperCase();
    this.commands.push(name === 'LOGIN' ? name : text);
    const done = () => say(`${tag} OK done`);
    if (name === 'CAPABILITY') {
      say(`* CAPABILITY IMAP4rev1${isSecure ? '' : ' STARTTLS LOGINDISABLED'}`);
      done();
    } else if (name === 'LOGIN') {
      const [, user = '', password = ''] = /^LOGIN ("[^"]*"|\S+) (.*)$/i.exec(text) ?? [];
      if (!isSecure) say(`${tag} NO LOGIN without encryption`);
      else if (quoted(user) === this.user && quoted(password) === this.password) done();
      else say(`${tag} NO [AUTHENTICATIONFAILED] Wrong user or password`);
    } else if (name === 'LIST') {
      say(`* LIST (\\HasNoChildren) "/" ${this.folder}`);
      done();
    } else if (name === 'EXAMINE') {
      if (quoted(words[1]!) !== this.folder) return say(`${tag} NO [NONEXISTENT] No such folder`);
      say(`* ${this.messages.length} EXISTS`);
      say(`* OK [UIDVALIDITY ${this.uidValidity}] valid`);
      say(`* OK [UIDNEXT ${(this.messages.at(-1)?.uid ?? 0) + 1}] next`);
      say(`${tag} OK [READ-ONLY] done`);
    } else if (name === 'UID SEARCH') {
      if (this.fault === 'hang') return undefined;
      if (this.fault === 'no search') return say(`${tag} NO Try again later`);
      const [, from] = /UID (\d+):\*/.exec(text) ?? [];
      const last = this.messages.at(-1)?.uid ?? 0;
      const found = this.messages
        .filter(({ uid }) => uid >= Math.min(Number(from ?? 1), last))
        .filter(({ source }) => /^content-type: multipart\/report/im.test(source.split('\r\n\r\n')[0]!));
      say(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`);
      done();
    } else if (name === 'UID FETCH') {
      if (this.fault === 'drop') return socket.destroy();
      const wanted = words[2]!.split(',').flatMap((part) => {
        const [from, to = from] = part.split(':').map(Number);
        return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index);
      });
      const most = Number(/<0\.(\d+)>/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
      for (const [index, { uid, source }] of this.messages.entries()) {
        if (!wanted.includes(uid)) continue;
        const part = Buffer.from(source).subarray(0, most);
        const size = this.fault === 'huge message' ? 10_000_000_000 : part.length;
        socket.write(`* ${index + 1} FETCH (UID ${uid} BODY[]<0> {${size}}\r\n`);
        socket.write(part);
        say(')');
      }
      done();
    } else if (name === 'LOGOUT') {
      say('* BYE');
      done();
      socket.end();
    } else if (name === 'NOOP') done();
    else say(`${tag} BAD Unknown command`);
    return undefined;
  }
}

/** A delivery status notification as mail servers send it (RFC 3464). */
export const deliveryReport = ({
  messageId,
  to,
  action = 'failed',
  said = 'smtp; 550 5.1.1 No such user',
}: {
  messageId: string;
  to: string;
  action?: string;
  said?: string;
}) => `Return-Path: <>
From: MAILER-DAEMON@mx.example.com
To: museum@example.com
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary="part"
MIME-Version: 1.0

--part
Content-Type: text/plain; charset=utf-8

Your message couldn't be delivered.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ${to}
Action: ${action}
Status: 5.1.1
Diagnostic-Code: ${said}

--part
Content-Type: text/rfc822-headers

From: museum@example.com
To: ${to}
Message-ID: ${messageId}

--part--
`;
