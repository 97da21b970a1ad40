import { type Failure, type Reply, type Seen, StandIn } from './stand-in.ts';

/** Settings of the server. */
export const VIMEO = { VIMEO_ACCESS_TOKEN: 'vimeo-token-7f' };

/** Stream key of an encoder, which must never be stored. */
export const STREAM_KEY = 'vimeo-stream-key-7f';

/** End of the rate limit of a busy Vimeo. */
export const RESET = '2026-03-10T12:05:00+00:00';

interface Video {
  uri: string;
  name: string;
  status: 'in_progress' | 'complete';
  tracks: { language: string; name: string; active: boolean }[];
  live?: string;
  /** Token of its account; the server's own by default. */
  owner?: string;
}

/** Vimeo API 3.4 with tus uploads and live events, as far as the server uses it. */
export class VimeoStandIn extends StandIn {
  videos: Video[] = [];
  events: { id: string; title: string; live: string }[] = [];
  uploads = new Map<string, { size: number; bytes: Buffer }>();
  /** Account names by token. */
  accounts = new Map([[VIMEO.VIMEO_ACCESS_TOKEN, 'Museum on Vimeo']]);
  /** Bytes of the next chunk accepted before the connection breaks. */
  breakUploadAt = 0;
  #count = 1000;

  protected override error(status: number, _reason: string, words: string): Reply {
    return { status, json: { error: words, developer_message: words, error_code: 5000 } };
  }

  protected override fail(failure: Failure): Reply {
    if (failure === 'quota')
      return { ...this.error(429, '', 'Too many API requests.'), headers: { 'x-ratelimit-reset': RESET } };
    return super.fail(failure);
  }

  protected override answer(seen: Seen): Reply {
    const { method, path, headers } = seen;
    if (path.startsWith('/tus/')) return this.#receive(seen);
    const owner = headers.authorization?.replace(/^Bearer /, '') ?? '';
    const account = this.accounts.get(owner);
    if (account === undefined) return this.error(401, '', 'You must provide a valid authenticated access token.');
    if (headers.accept !== 'application/vnd.vimeo.*+json;version=3.4') return this.refuse('The version is not named.');
    const call = `${method} ${path}`;
    if (call === 'GET /me') return { json: { name: account } };
    if (call === 'GET /me/videos') return this.#list(seen.query, owner);
    if (call === 'POST /me/videos') return this.#create(seen);
    if (path.startsWith('/me/live_events')) return this.#events(method, path, seen);
    const [, id, rest = ''] = /^\/videos\/(\d+(?::\w+)?)(\/\w+)?$/.exec(path) ?? [];
    const video = this.videos.find(
      ({ uri, owner: whose = VIMEO.VIMEO_ACCESS_TOKEN }) => uri === `/videos/${id}` && whose === owner,
    );
    if (!video) return this.error(404, '', 'The requested video could not be found');
    if (method === 'GET' && rest === '') return { json: asVideo(video) };
    if (method === 'GET' && rest === '/texttracks')
      return { json: { data: video.tracks.map((track, index) => ({ ...track, id: index })) } };
    if (method === 'PATCH' && rest === '' && ['ready', 'done'].includes(seen.json?.live?.status) && video.live) {
      video.live = seen.json.live.status;
      return { json: asVideo(video) };
    }
    return this.refuse(`No such call: ${call}`);
  }

  #list({ page = '1', per_page, query = '', sort, direction, filter }: Seen['query'], owner: string): Reply {
    const size = Number(per_page);
    if (!(size >= 1 && size <= 100) || sort !== 'date' || direction !== 'desc') return this.refuse('GET /me/videos');
    const found = this.videos.filter(
      ({ name, live, owner: whose = VIMEO.VIMEO_ACCESS_TOKEN }) =>
        whose === owner && name.includes(query) && (filter !== 'live' || live !== undefined),
    );
    const from = (Number(page) - 1) * size;
    return {
      json: {
        total: found.length,
        page: Number(page),
        per_page: size,
        data: found.slice(from, from + size).map(asVideo),
      },
    };
  }

  #create({ json }: Seen): Reply {
    const { approach, size } = json?.upload ?? {};
    const id = String(++this.#count);
    if (approach === 'live') {
      const video: Video = {
        uri: `/videos/${id}`,
        name: json.name,
        status: 'complete',
        tracks: [],
        live: 'unavailable',
      };
      this.videos.unshift(video);
      return { status: 201, json: asVideo(video) };
    }
    if (approach !== 'tus' || !(Number(size) > 0)) return this.refuse('POST /me/videos');
    const video: Video = { uri: `/videos/${id}:h${id}`, name: json.name, status: 'in_progress', tracks: [] };
    this.videos.unshift(video);
    this.uploads.set(id, { size: Number(size), bytes: Buffer.alloc(0) });
    return {
      json: { uri: video.uri, upload: { approach: 'tus', size: Number(size), upload_link: `${this.url}/tus/${id}` } },
    };
  }

  #receive({ method, path, headers, body }: Seen): Reply {
    const upload = this.uploads.get(path.slice('/tus/'.length));
    if (!upload) return { status: 404 };
    if (headers['tus-resumable'] !== '1.0.0') return this.refuse('Tus-Resumable');
    if (headers.authorization !== undefined) return this.refuse('The address of an upload needs no token.');
    const offset = () => ({ 'tus-resumable': '1.0.0', 'upload-offset': String(upload.bytes.length) });
    if (method === 'HEAD') return { headers: { ...offset(), 'upload-length': String(upload.size) } };
    if (method !== 'PATCH' || headers['content-type'] !== 'application/offset+octet-stream')
      return this.refuse('PATCH');
    if (headers['upload-offset'] !== String(upload.bytes.length)) return this.refuse('Upload-Offset');
    const taken = this.breakUploadAt || body.length;
    const isBroken = this.breakUploadAt > 0;
    this.breakUploadAt = 0;
    upload.bytes = Buffer.concat([upload.bytes, body.subarray(0, taken)]);
    return isBroken ? { cut: true } : { status: 204, headers: offset() };
  }

  #events(method: string, path: string, { query, json }: Seen): Reply {
    if (path === '/me/live_events' && method === 'GET') {
      if (query.type !== 'recurring') return this.refuse('GET /me/live_events');
      return { json: { total: this.events.length, data: this.events.map(asEvent) } };
    }
    if (path === '/me/live_events' && method === 'POST') {
      if (typeof json?.title !== 'string') return this.refuse('POST /me/live_events');
      const made = { id: String(++this.#count), title: json.title, live: 'unavailable' };
      this.events.unshift(made);
      return { status: 201, json: asEvent(made) };
    }
    const [, id, verb] = /^\/me\/live_events\/(\d+)(?:\/(activate|end))?$/.exec(path) ?? [];
    const event = this.events.find((one) => one.id === id);
    if (!event) return this.error(404, '', 'No such event');
    if (method === 'GET' && !verb) return { json: asEvent(event) };
    if (method !== 'POST' || !verb) return this.refuse(`No such call: ${method} ${path}`);
    event.live = verb === 'activate' ? 'ready' : 'done';
    return { json: { uri: `/videos/${id}`, live: { status: event.live } } };
  }
}

const asVideo = ({ uri, name, status, live }: Video) => ({
  uri,
  name,
  pictures: {
    sizes: [100, 295, 640, 1280].map((width) => ({
      width,
      height: width / 2,
      link: `https://i.vimeocdn.com/video/1_${width}.jpg`,
    })),
  },
  transcode: { status },
  files:
    status === 'complete'
      ? [
          { quality: 'sd', rendition: '360p', height: 360, link: 'https://player.vimeo.com/external/1.sd.mp4?s=a' },
          { quality: 'hd', rendition: '1080p', height: 1080, link: 'https://player.vimeo.com/external/1.hd.mp4?s=a' },
        ]
      : [],
  play: status === 'complete' ? { hls: { link: 'https://player.vimeo.com/external/1.m3u8?s=a' } } : null,
  live:
    live === undefined
      ? null
      : {
          status: live,
          link: 'rtmp://rtmp-global.cloud.vimeo.com/live',
          secure_link: 'rtmps://rtmp-global.cloud.vimeo.com:443/live',
          key: STREAM_KEY,
        },
});

const asEvent = ({ id, title, live }: { id: string; title: string; live: string }) => ({
  uri: `/users/1/live_events/${id}`,
  title,
  rtmp_link: 'rtmp://rtmp-global.cloud.vimeo.com/live',
  rtmps_link: 'rtmps://rtmp-global.cloud.vimeo.com:443/live',
  stream_key: STREAM_KEY,
  streamable_clip: { uri: `/videos/${id}`, live: { status: live } },
});
