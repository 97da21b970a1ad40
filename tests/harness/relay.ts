import { connect, createServer } from 'node:net';

/** What happens to a connection once so much has come from the client. */
export interface Loss {
  /** Bytes that are passed on of each connection. */
  after: number;
  /**
   * `cut`: it is lost. `hold`: nothing more is passed on. `deafen`: all is passed on, but the first answer to so much is lost, and
   * later connections are left alone.
   */
  how: 'cut' | 'hold' | 'deafen';
  /** Told when it happens. */
  onLoss?: () => void;
}

/** Stands between a client and a server as a bad network does. */
export class Relay {
  readonly origin: string;
  readonly #close: () => void;

  private constructor(origin: string, close: () => void) {
    this.origin = origin;
    this.#close = close;
  }

  static async before(server: string, { after, how, onLoss = () => {} }: Loss): Promise<Relay> {
    const { hostname, port } = new URL(server);
    let isDone = false;
    const relay = createServer((client) => {
      let sent = 0;
      const upstream = connect(Number(port), hostname);
      client.on('data', (chunk) => {
        sent += chunk.length;
        if (sent < after || how === 'deafen') upstream.write(chunk);
        else {
          onLoss();
          if (how === 'cut') client.destroy();
        }
      });
      upstream.on('data', (chunk) => {
        if (how !== 'deafen' || sent < after || isDone) return client.write(chunk);
        isDone = true;
        onLoss();
        client.destroy();
      });
      for (const end of [client, upstream]) end.on('error', () => {});
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.end());
    });
    const own = await new Promise<number>((resolve) =>
      relay.listen(0, '127.0.0.1', () => resolve((relay.address() as { port: number }).port)),
    );
    return new Relay(`http://127.0.0.1:${own}`, () => relay.close());
  }

  close(): void {
    this.#close();
  }
}
