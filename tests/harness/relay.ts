import { connect, createServer } from 'node:net';

/** A fault of a connection after a number of bytes from the client. */
export interface Loss {
  /** Bytes forwarded per connection. */
  after: number;
  /**
   * `cut`: the connection breaks. `hold`: nothing more is forwarded. `deafen`: everything is forwarded, but the first
   * response after that many bytes is lost; later connections are unaffected.
   */
  how: 'cut' | 'hold' | 'deafen';
  /** Called when it happens. */
  onLoss?: () => void;
}

/** A proxy that simulates a bad network between a client and a server. */
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
