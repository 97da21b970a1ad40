import { WebSocket } from 'ws';
import { applyCommand } from '../../engine/document/commands.ts';
import { flatRoom, type Room } from '../../engine/document/room.ts';
import type { PublicRoom } from '../../src/contract/entities.ts';
import { VISITOR_EDITS_PATH, type VisitorServerMessage } from '../../src/contract/visitor-edits.ts';

/** A visitor's WebSocket connection for edits. */
export class EditsSocket {
  readonly ws: WebSocket;
  readonly heard: VisitorServerMessage[] = [];
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
  static connect(server: string, headers: Record<string, string> = {}): Promise<EditsSocket> {
    const ws = new WebSocket(`${server.replace('http', 'ws')}${VISITOR_EDITS_PATH}`, {
      headers: { origin: server, ...headers },
    });
    const socket = new EditsSocket(ws);
    return new Promise((resolve, reject) => {
      ws.on('open', () => resolve(socket));
      ws.on('error', reject);
    });
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The current room of a page that showed a room when it connected; null if it has to reload the room. */
  shown(room: PublicRoom): { room: Room; tag: string } | null {
    let shown: { room: Room; tag: string } = { room: flatRoom(room), tag: room.tag! };
    for (const news of this.heard) {
      if (news.type === 'reload' || news.from !== shown.tag) return null;
      const now = news.commands.reduce<Room>((before, command) => applyCommand(before, command).room, shown.room);
      shown = { room: now, tag: news.to };
    }
    return shown;
  }
}
