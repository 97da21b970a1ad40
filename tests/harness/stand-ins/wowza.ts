import { type Reply, type Seen, StandIn } from './stand-in.ts';

/** Settings of the server. */
export const WOWZA = { WOWZA_API_TOKEN: 'wowza-token-7f' };

/** Password of an encoder, which must never be stored. */
export const PASSWORD = 'wowza-password-7f';

interface Stream {
  id: string;
  name: string;
  encoder: string;
  state: string;
  /** Token of its account. */
  owner: string;
}

/** Wowza Video API 2.0, as far as the server uses it. */
export class WowzaStandIn extends StandIn {
  streams: Stream[] = [];
  /** Valid tokens. */
  tokens = new Set([WOWZA.WOWZA_API_TOKEN]);
  /** URL to which browsers send their cameras; Wowza's own by default. */
  cameraAddress = (id: string): string => `wss://${id}.entrypoint.video.wowza.com/webrtc-session.json`;
  #count = 0;

  protected override error(status: number, _reason: string, message: string): Reply {
    return { status, json: { meta: { status, code: `ERR-${status}`, title: 'Error', message, description: '' } } };
  }

  protected override answer({ method, path, headers, query, json }: Seen): Reply {
    const owner = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.tokens.has(owner)) return this.error(401, '', 'Invalid token');
    const own = this.streams.filter((stream) => stream.owner === owner);
    const root = '/api/v2.0/live_streams';
    if (path === root && method === 'GET') {
      if (!(Number(query.per_page) <= 1000)) return this.refuse('per_page');
      // Lists omit the state.
      return {
        json: { live_streams: own.map(({ id, name }) => ({ id, name, transcoder_type: 'transcoded' })) },
      };
    }
    if (path === root && method === 'POST') return this.#create(json?.live_stream, owner);
    const [, id, verb] = /^\/api\/v2\.0\/live_streams\/([\w-]+)(?:\/(state|start|stop))?$/.exec(path) ?? [];
    const stream = own.find((one) => one.id === id);
    if (!stream) return this.error(404, '', 'The requested resource could not be found.');
    const call = `${method} ${verb ?? ''}`;
    if (call === 'GET ') return { json: { live_stream: this.#asStream(stream) } };
    if (call === 'GET state') return { json: { live_stream: { state: stream.state, ip_address: '192.0.2.1' } } };
    if (call === 'PUT start' && stream.state !== 'stopped')
      return this.error(422, '', 'The request could not be processed because the stream is started.');
    if (call === 'PUT start') stream.state = 'starting';
    else if (call === 'PUT stop') stream.state = 'stopped';
    else return this.refuse(`No such call: ${method} ${path}`);
    return { json: { live_stream: { state: stream.state } } };
  }

  #create(asked: Record<string, unknown> | undefined, owner: string): Reply {
    const wanted = [
      'name',
      'encoder',
      'billing_mode',
      'broadcast_location',
      'transcoder_type',
      'aspect_ratio_width',
      'aspect_ratio_height',
    ];
    const missing = wanted.filter((name) => asked?.[name] === undefined);
    if (missing.length > 0) return this.refuse(`Without ${missing.join(', ')}`);
    if (asked!.encoder === 'other_webrtc' && asked!.delivery_method !== 'push') return this.refuse('delivery_method');
    const stream = {
      id: `w${++this.#count}`,
      name: String(asked!.name),
      encoder: String(asked!.encoder),
      state: 'stopped',
      owner,
    };
    this.streams.unshift(stream);
    return { status: 201, json: { live_stream: this.#asStream(stream) } };
  }

  #asStream = ({ id, name, encoder }: Stream) => ({
    id,
    name,
    encoder,
    player_hls_playback_url: `https://cdn.wowza.com/1/${id}/playlist.m3u8`,
    source_connection_information:
      encoder === 'other_webrtc'
        ? {
            sdp_url: this.cameraAddress(id),
            application_name: 'app',
            stream_name: `${id}-stream`,
          }
        : {
            primary_server: `rtmp://${id}.entrypoint.video.wowza.com/app`,
            host_port: 1935,
            stream_name: `${id}-stream`,
            disable_authentication: false,
            username: 'client1',
            password: PASSWORD,
          },
  });
}
