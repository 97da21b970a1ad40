import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  createSelfSignedCertificate,
  useH264 as h264,
  useOPUS as opus,
  RTCPeerConnection,
  useVP8 as vp8,
} from 'werift';
import { WebSocketServer } from 'ws';

/** A current or past camera stream. */
export interface ReceivedCamera {
  /** Id of the stream. */
  stream: string;
  /** Number of complete frames received. */
  frames: number;
  /** Number of audio packets received. */
  sounds: number;
  isEnded: boolean;
  /** Breaks the connection, like a platform that restarts. */
  drop(): Promise<void>;
}

interface WowzaOffer {
  direction: string;
  command: string;
  streamInfo: { applicationName: string; streamName: string };
  sdp: { type: string; sdp: string };
}

/** A media server for cameras of browsers: over WHIP (RFC 9725) and Wowza's WebSocket, both encrypted. */
export class CameraReceiver {
  #server: Server | undefined;
  readonly cameras: ReceivedCamera[] = [];
  /** Status with which connections are refused; 0 accepts them. */
  refusal = 0;

  async start(): Promise<void> {
    const { certPem, keyPem } = await createSelfSignedCertificate({ signature: 3, hash: 4 });
    this.#server = createServer({ cert: certPem, key: keyPem }, async (request, response) => {
      const shared = {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST, DELETE',
        'access-control-allow-headers': 'content-type',
        'access-control-expose-headers': 'location',
      };
      if (request.method === 'OPTIONS') return response.writeHead(204, shared).end();
      const [, stream = '', index] = /^\/whip\/([\w-]+)(?:\/(\d+))?$/.exec(request.url ?? '') ?? [];
      if (request.method === 'DELETE' && index) {
        await this.cameras[Number(index)]!.drop();
        return response.writeHead(200, shared).end();
      }
      const isOffer = request.method === 'POST' && request.headers['content-type'] === 'application/sdp' && stream;
      if (!isOffer || this.refusal) return response.writeHead(this.refusal || 400, shared).end();
      let offer = '';
      for await (const part of request) offer += part;
      const answer = await this.#answer(stream, offer);
      const location = `/whip/${stream}/${this.cameras.length - 1}`;
      return response.writeHead(201, { ...shared, location, 'content-type': 'application/sdp' }).end(answer);
    });
    const sockets = new WebSocketServer({ server: this.#server, path: '/webrtc-session.json' });
    sockets.on('connection', (socket) => {
      socket.on('message', async (data) => {
        const { direction, command, streamInfo, sdp } = JSON.parse(String(data)) as WowzaOffer;
        const isOffer = direction === 'publish' && command === 'sendOffer' && sdp.type === 'offer';
        if (!isOffer || streamInfo.applicationName !== 'app' || this.refusal)
          return socket.send(JSON.stringify({ status: 502, statusDescription: 'Stream name is not valid' }));
        const answer = await this.#answer(streamInfo.streamName, sdp.sdp);
        const message = { status: 200, statusDescription: 'OK', direction, command, streamInfo };
        socket.send(JSON.stringify({ ...message, sdp: { type: 'answer', sdp: answer }, iceCandidates: [] }));
      });
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  whipAddress = (stream: string): string => `https://${this.#host}/whip/${stream}`;
  socketAddress = (): string => `wss://${this.#host}/webrtc-session.json`;

  /** Accepts a camera. @returns the answer to its offer */
  async #answer(stream: string, offer: string): Promise<string> {
    const connection = new RTCPeerConnection({ codecs: { video: [h264(), vp8()], audio: [opus()] } });
    const camera: ReceivedCamera = {
      stream,
      frames: 0,
      sounds: 0,
      isEnded: false,
      drop: async () => {
        camera.isEnded = true;
        await connection.close();
      },
    };
    this.cameras.push(camera);
    connection.onTrack.subscribe((track) =>
      track.onReceiveRtp.subscribe(({ header }) => {
        if (track.kind === 'audio') camera.sounds++;
        // The last packet of each frame is marked: https://www.rfc-editor.org/rfc/rfc6184#section-5.1
        else if (header.marker) camera.frames++;
      }),
    );
    connection.connectionStateChange.subscribe((state) => {
      if (state === 'closed' || state === 'failed' || state === 'disconnected') camera.isEnded = true;
    });
    await connection.setRemoteDescription({ type: 'offer', sdp: offer });
    await connection.setLocalDescription(await connection.createAnswer());
    // A hangup is signaled; without a signal, the connection times out half a minute later.
    for (const { onStateChange } of connection.dtlsTransports)
      onStateChange.subscribe((state) => {
        if (state === 'closed') camera.isEnded = true;
      });
    return connection.localDescription!.sdp;
  }

  async stop(): Promise<void> {
    await Promise.all(this.cameras.map((camera) => camera.drop()));
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}
