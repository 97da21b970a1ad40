import { connect, createServer, type Server, type Socket } from 'node:net';

/** State of the connections through a proxy. */
interface State {
  mode: 'open' | 'cut' | 'silent';
}

/** A proxy between a server and a service that it needs, whose connection can be interrupted like a cable. */
export class Line {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: State;

  private constructor(port: number, parts: { server: Server; sockets: Set<Socket>; state: State }) {
    this.port = port;
    this.#server = parts.server;
    this.#sockets = parts.sockets;
    this.#state = parts.state;
  }

  /** A proxy to a port of this machine. */
  static async to(target: number): Promise<Line> {
    const sockets = new Set<Socket>();
    const state: State = { mode: 'open' };
    const server = createServer((client) => {
      sockets.add(client);
      client.on('error', () => {});
      client.on('close', () => sockets.delete(client));
      if (state.mode === 'cut') {
        client.destroy();
        return;
      }
      const upstream = connect(target, '127.0.0.1');
      sockets.add(upstream);
      upstream.on('error', () => {});
      client.on('data', (chunk) => state.mode === 'open' && upstream.write(chunk));
      upstream.on('data', (chunk) => state.mode === 'open' && client.write(chunk));
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => {
        sockets.delete(upstream);
        client.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Line((server.address() as { port: number }).port, { server, sockets, state });
  }

  /** A URL with this proxy in place of the service. */
  through(address: string): string {
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Breaks all connections, and refuses new ones. */
  cut(): void {
    this.#state.mode = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Silently drops all data. */
  silence(): void {
    this.#state.mode = 'silent';
  }

  /** Restores the connection; connections that lost data are broken. */
  mend(): void {
    if (this.#state.mode === 'silent') this.cut();
    this.#state.mode = 'open';
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
