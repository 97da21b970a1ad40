import { WebSocket } from 'ws';
import {
  EDITORS_PATH,
  type EditorPresence,
  type EditorServerMessage,
  editorPresenceSchema,
} from '../../src/contract/editor-messages.ts';

/** An editor's WebSocket connection. */
export class EditorSocket {
  readonly ws: WebSocket;
  readonly heard: EditorServerMessage[] = [];
  /** Close code of the connection. */
  readonly closed: Promise<number>;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data) => this.heard.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) => {
      ws.on('close', resolve);
    });
  }

  /** Opens a connection without sending a message; rejects with the status of a refusal. */
  static connect(server: string, room: number, headers: Record<string, string> = {}): Promise<EditorSocket> {
    const ws = new WebSocket(`${server.replace('http', 'ws')}${EDITORS_PATH}/${room}`, { headers });
    const socket = new EditorSocket(ws);
    return new Promise((resolve, reject) => {
      ws.on('open', () => resolve(socket));
      ws.on('error', reject);
    });
  }

  static async open(
    server: string,
    room: number,
    { token, client, after = 0 }: { token: string; client: string; after?: number },
  ): Promise<EditorSocket> {
    const socket = await EditorSocket.connect(server, room);
    socket.send({ type: 'open', token, client, after });
    return socket;
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  present(presence: Partial<EditorPresence>): void {
    this.send({ type: 'presence', presence: editorPresenceSchema.parse(presence) });
  }

  of<T extends EditorServerMessage['type']>(type: T): (EditorServerMessage & { type: T })[] {
    return this.heard.filter((news): news is EditorServerMessage & { type: T } => news.type === type);
  }
}
