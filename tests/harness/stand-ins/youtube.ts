import { type Reply, type Seen, StandIn } from './stand-in.ts';

/** Settings of the server. */
export const YOUTUBE = {
  YOUTUBE_API_KEY: 'key-of-the-server',
  YOUTUBE_CLIENT_ID: 'client-of-the-server',
  YOUTUBE_CLIENT_SECRET: 'client-secret-7f',
  YOUTUBE_REFRESH_TOKEN: 'refresh-token-7f',
};

/** Stream key of an encoder, which must never be stored. */
export const STREAM_KEY = 'youtube-stream-key-7f';

interface Video {
  id: string;
  title: string;
  uploadStatus: 'uploaded' | 'processed';
  captions: { language: string; name: string; isDraft?: boolean }[];
}

interface Broadcast {
  id: string;
  title: string;
  lifeCycleStatus: string;
  boundStreamId?: string;
}

/** YouTube Data API and Live Streaming API v3 with Google's sign-in, as far as the server uses them. */
export class YoutubeStandIn extends StandIn {
  videos: Video[] = [];
  broadcasts: Broadcast[] = [];
  streams: { id: string; title: string; isActive: boolean }[] = [];
  /** Uploads in progress, and the bytes of the first chunk accepted before the connection breaks. */
  uploads = new Map<string, { size: number; type: string; title: string; bytes: Buffer }>();
  breakUploadAt = 0;
  #token = '';
  #count = 0;

  /** Revokes the token before it expires. */
  revoke(): void {
    this.#token = '';
  }

  protected override error(status: number, reason: string, message: string): Reply {
    return { status, json: { error: { code: status, message, errors: [{ domain: 'youtube', reason, message }] } } };
  }

  #signIn({ body }: Seen): Reply {
    const form = Object.fromEntries(new URLSearchParams(body.toString()));
    const wanted = {
      client_id: YOUTUBE.YOUTUBE_CLIENT_ID,
      client_secret: YOUTUBE.YOUTUBE_CLIENT_SECRET,
      refresh_token: YOUTUBE.YOUTUBE_REFRESH_TOKEN,
      grant_type: 'refresh_token',
    };
    if (JSON.stringify(form) !== JSON.stringify(wanted))
      return { status: 400, json: { error: 'invalid_grant', error_description: 'Bad Request' } };
    this.#token = `access-${++this.#count}`;
    return { json: { access_token: this.#token, expires_in: 3600, token_type: 'Bearer' } };
  }

  protected override answer(seen: Seen): Reply {
    const { method, path, query, headers } = seen;
    const call = `${method} ${path}`;
    if (call === 'POST /token') return this.#signIn(seen);
    if (call === 'PUT /upload/youtube/v3/videos') return this.#receive(seen);
    const isOwner = headers.authorization !== undefined;
    if (isOwner ? headers.authorization !== `Bearer ${this.#token}` : query.key !== YOUTUBE.YOUTUBE_API_KEY)
      return this.error(401, 'authError', 'Invalid Credentials');
    if (isOwner && query.key !== undefined) return this.refuse('The key is of no use beside a token.');
    if (call === 'GET /youtube/v3/channels') return this.#channels(query, isOwner);
    if (call === 'GET /youtube/v3/i18nLanguages') return { json: { items: [{ id: 'nl' }] } };
    if (call === 'GET /youtube/v3/search') return this.#search(query, isOwner);
    if (call === 'GET /youtube/v3/videos') return this.#list(query);
    if (!isOwner) return this.error(401, 'required', 'Login Required');
    if (call === 'GET /youtube/v3/captions') return this.#captions(query);
    if (call === 'POST /upload/youtube/v3/videos') return this.#beginUpload(seen);
    return this.#live(call, seen);
  }

  #channels({ part, mine, id }: Seen['query'], isOwner: boolean): Reply {
    if (part !== 'snippet' || (isOwner ? mine !== 'true' : id === undefined)) return this.refuse('channels.list');
    return { json: isOwner || id === 'own' ? { items: [{ snippet: { title: 'Museum TV' } }] } : { pageInfo: {} } };
  }

  #search(
    { part, type, q = '', maxResults, pageToken, forMine, channelId, order }: Seen['query'],
    isOwner: boolean,
  ): Reply {
    const size = Number(maxResults);
    if (part !== 'id' || type !== 'video' || order !== 'date' || !(size >= 1 && size <= 50))
      return this.refuse('search');
    if (isOwner ? forMine !== 'true' : forMine !== undefined) return this.refuse('forMine needs a token.');
    if (pageToken !== undefined && !/^page-\d+-of-"/.test(pageToken)) return this.refuse('pageToken');
    const found = this.videos.filter(
      ({ title }) => title.includes(q) && (channelId === undefined || channelId === 'own'),
    );
    const from = Number(/^page-(\d+)/.exec(pageToken ?? '')?.[1] ?? 0);
    const next = from + size < found.length ? `page-${from + size}-of-"${q}"` : undefined;
    const items = found.slice(from, from + size).map(({ id }) => ({ id: { kind: 'youtube#video', videoId: id } }));
    return { json: { nextPageToken: next, pageInfo: { totalResults: 1_000_000, resultsPerPage: size }, items } };
  }

  #list({ part, id = '' }: Seen['query']): Reply {
    if (part !== 'snippet,status,contentDetails') return this.refuse('videos.list part');
    const items = this.videos
      .filter((video) => id.split(',').includes(video.id))
      // YouTube returns them in its own order.
      .toReversed()
      .map(({ id: videoId, title, uploadStatus, captions }) => ({
        id: videoId,
        snippet: {
          title,
          thumbnails: {
            high: { url: `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`, width: 480, height: 360 },
            default: { url: `https://i.ytimg.com/vi/${videoId}/default.jpg`, width: 120, height: 90 },
            medium: { url: `https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`, width: 320, height: 180 },
          },
        },
        status: { uploadStatus, privacyStatus: 'unlisted' },
        contentDetails: { duration: 'PT1M', caption: String(captions.length > 0) },
      }));
    return { json: { items } };
  }

  #captions({ part, videoId }: Seen['query']): Reply {
    if (part !== 'snippet') return this.refuse('captions.list part');
    const video = this.videos.find(({ id }) => id === videoId);
    return { json: { items: video?.captions.map((snippet) => ({ id: `c-${snippet.language}`, snippet })) ?? [] } };
  }

  #beginUpload({ query, headers, json }: Seen): Reply {
    const size = Number(headers['x-upload-content-length']);
    const type = headers['x-upload-content-type'];
    if (query.uploadType !== 'resumable' || query.part !== 'snippet,status' || !size || !json?.snippet?.title)
      return this.refuse('videos.insert');
    if (!['private', 'public', 'unlisted'].includes(json.status?.privacyStatus)) return this.refuse('privacyStatus');
    const id = `up-${++this.#count}`;
    this.uploads.set(id, { size, type: String(type), title: json.snippet.title, bytes: Buffer.alloc(0) });
    return { headers: { location: `${this.url}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}` } };
  }

  #receive({ query, headers, body }: Seen): Reply {
    const upload = this.uploads.get(query.upload_id ?? '');
    if (!upload) return this.error(404, 'notFound', 'No such upload');
    if (headers.authorization !== undefined) return this.refuse('The address of an upload needs no token.');
    const range = headers['content-range'];
    const have = upload.bytes.length;
    const incomplete = (length: number): Reply => ({
      status: 308,
      headers: length > 0 ? { range: `bytes=0-${length - 1}` } : {},
    });
    if (range === `bytes */${upload.size}`) return have === upload.size ? this.#finish(upload) : incomplete(have);
    const expected = have === 0 ? undefined : `bytes ${have}-${upload.size - 1}/${upload.size}`;
    if (range !== expected) return this.refuse(`content-range ${range} instead of ${expected}`);
    if (this.breakUploadAt > 0) {
      upload.bytes = Buffer.concat([upload.bytes, body.subarray(0, this.breakUploadAt)]);
      this.breakUploadAt = 0;
      return { cut: true };
    }
    upload.bytes = Buffer.concat([upload.bytes, body]);
    return upload.bytes.length === upload.size ? this.#finish(upload) : incomplete(upload.bytes.length);
  }

  #finish({ title }: { title: string }): Reply {
    const id = `video-${++this.#count}`;
    this.videos.unshift({ id, title, uploadStatus: 'uploaded', captions: [] });
    return { status: 201, json: { id, snippet: { title } } };
  }

  #live(call: string, { query, json }: Seen): Reply {
    const { id, part } = query;
    const root = '/youtube/v3/liveBroadcasts';
    if (!call.startsWith('DELETE') && !part) return this.refuse(`${call} without part`);
    switch (call) {
      case `GET ${root}`: {
        if ((id === undefined) === (query.mine === undefined))
          return this.refuse('liveBroadcasts.list takes id or mine');
        const found = this.broadcasts.filter((one) => id === undefined || one.id === id);
        return { json: { items: found.map(asBroadcast) } };
      }
      case `POST ${root}`: {
        if (!json?.snippet?.title || !Date.parse(json.snippet.scheduledStartTime) || !json.status?.privacyStatus)
          return this.refuse('liveBroadcasts.insert');
        if (json.contentDetails?.monitorStream?.enableMonitorStream !== false) return this.refuse('monitorStream');
        const made = { id: `b-${++this.#count}`, title: json.snippet.title, lifeCycleStatus: 'created' };
        this.broadcasts.unshift(made);
        return { json: asBroadcast(made) };
      }
      case `POST ${root}/bind`: {
        const broadcast = this.broadcasts.find((one) => one.id === id);
        if (!broadcast || !this.streams.some((stream) => stream.id === query.streamId))
          return this.error(404, 'liveStreamNotFound', 'No such stream');
        Object.assign(broadcast, { boundStreamId: query.streamId, lifeCycleStatus: 'ready' });
        return { json: asBroadcast(broadcast) };
      }
      case `POST ${root}/transition`:
        return this.#transition(id, query.broadcastStatus);
      case `DELETE ${root}`:
        this.broadcasts = this.broadcasts.filter((one) => one.id !== id);
        return { status: 204 };
      case 'DELETE /youtube/v3/liveStreams':
        this.streams = this.streams.filter((one) => one.id !== id);
        return { status: 204 };
      case 'POST /youtube/v3/liveStreams': {
        const { ingestionType, resolution, frameRate } = json?.cdn ?? {};
        if (!json?.snippet?.title || ingestionType !== 'rtmp' || !resolution || !frameRate)
          return this.refuse('liveStreams.insert');
        const made = { id: `s-${++this.#count}`, title: json.snippet.title, isActive: false };
        this.streams.push(made);
        return { json: { id: made.id } };
      }
      case 'GET /youtube/v3/liveStreams': {
        const found = this.streams.filter((one) => one.id === id);
        const ingestionInfo = {
          streamName: STREAM_KEY,
          ingestionAddress: 'rtmp://a.rtmp.youtube.com/live2',
          rtmpsIngestionAddress: 'rtmps://a.rtmps.youtube.com/live2',
        };
        return { json: { items: found.map((one) => ({ id: one.id, cdn: { ingestionType: 'rtmp', ingestionInfo } })) } };
      }
    }
    return this.refuse(`No such call: ${call}`);
  }

  #transition(id: string | undefined, to: string | undefined): Reply {
    const broadcast = this.broadcasts.find((one) => one.id === id);
    if (!broadcast) return this.error(404, 'liveBroadcastNotFound', 'No such broadcast');
    if (broadcast.lifeCycleStatus === to) return this.error(403, 'redundantTransition', 'It is there already');
    const stream = this.streams.find((one) => one.id === broadcast.boundStreamId);
    if (to === 'live' && !stream?.isActive) return this.error(403, 'errorStreamInactive', 'Stream is inactive');
    if (to === 'live' && broadcast.lifeCycleStatus !== 'ready')
      return this.error(403, 'invalidTransition', 'Invalid transition');
    if (to === 'complete' && broadcast.lifeCycleStatus !== 'live')
      return this.error(403, 'invalidTransition', 'Invalid transition');
    broadcast.lifeCycleStatus = to!;
    return { json: asBroadcast(broadcast) };
  }
}

const asBroadcast = ({ id, title, lifeCycleStatus, boundStreamId }: Broadcast) => ({
  id,
  snippet: { title },
  status: { lifeCycleStatus, privacyStatus: 'unlisted' },
  contentDetails: { boundStreamId },
});
