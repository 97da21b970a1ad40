import { readFile } from 'node:fs/promises';

/** Seconds per segment, and number of segments in the playlist. */
const SEGMENT = 1;
const WINDOW = 3;

const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** Samples per frame of MPEG-1 Layer III. */
const FRAME_SAMPLES = 1152;

/** Splits an MP3 file into segments of about a second, at frame boundaries (ISO 11172-3, 2.4.1). */
function segmentsOf(file: Buffer): Buffer[] {
  const segments: Buffer[] = [];
  let at = 0;
  let begin = -1;
  let seconds = 0;
  while (at + 4 <= file.length) {
    const isFrame = file[at] === 0xff && (file[at + 1]! & 0xfe) === 0xfa;
    const bitrate = BITRATES[file[at + 2]! >> 4];
    const rate = SAMPLE_RATES[(file[at + 2]! >> 2) & 3];
    if (!isFrame || !bitrate || !rate) {
      at++;
      continue;
    }
    if (begin < 0) begin = at;
    at += Math.floor((144_000 * bitrate) / rate) + ((file[at + 2]! >> 1) & 1);
    seconds += FRAME_SAMPLES / rate;
    if (seconds < SEGMENT) continue;
    segments.push(file.subarray(begin, at));
    begin = at;
    seconds -= SEGMENT;
  }
  return segments;
}

/** Fault of a broadcast while it is set. */
export type Interruption = 'missing' | 'unavailable' | 'html' | 'html-segments' | 'damaged' | 'frozen' | 'ended';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A live HLS stream with a window of three segments, and with every fault observed at broadcasters. */
export class Broadcaster {
  interruption: Interruption | undefined;
  /** Number of a segment that is permanently missing. */
  lostSegment = -1;
  readonly #segments: readonly Buffer[];
  readonly #startedAt = performance.now();
  #frozenAt: number | undefined;

  private constructor(segments: readonly Buffer[]) {
    this.#segments = segments;
  }

  static async create(): Promise<Broadcaster> {
    return new Broadcaster(segmentsOf(await readFile('fixtures/media/night-water.mp3')));
  }

  /** Number of the newest segment. */
  get newest(): number {
    return WINDOW + Math.floor((performance.now() - this.#startedAt) / 1000 / SEGMENT);
  }

  #playlist(): string {
    const isHeld = this.interruption === 'frozen' || this.interruption === 'ended';
    this.#frozenAt = isHeld ? (this.#frozenAt ?? this.newest) : undefined;
    const last = this.#frozenAt ?? this.newest;
    const first = last - WINDOW + 1;
    const lines = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${SEGMENT + 1}`];
    lines.push(`#EXT-X-MEDIA-SEQUENCE:${first}`);
    for (let number = first; number <= last; number++) lines.push(`#EXTINF:${SEGMENT},`, `${number}.mp3`);
    if (this.interruption === 'ended') lines.push('#EXT-X-ENDLIST');
    return lines.join('\n');
  }

  /** The response to a request for the playlist or a segment. @param path of the request */
  reply(path: string): Reply {
    const reply = (type: string, body: string | Buffer, status = 200): Reply => {
      const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store', 'content-type': type };
      return { status, headers, body };
    };
    const { interruption } = this;
    if (interruption === 'missing') return reply('text/plain', '', 404);
    if (interruption === 'unavailable') return reply('text/plain', '', 503);
    const html = reply('text/html', '<!doctype html><title>Sorry</title>');
    if (interruption === 'html') return html;
    const segment = /(\d+)\.mp3$/.exec(path)?.[1];
    if (segment === undefined) return reply('application/vnd.apple.mpegurl', this.#playlist());
    if (interruption === 'html-segments') return html;
    if (Number(segment) === this.lostSegment) return reply('text/plain', '', 404);
    const body = this.#segments[Number(segment) % this.#segments.length]!;
    return reply('audio/mpeg', interruption === 'damaged' ? Buffer.alloc(body.length, 0x5a) : body);
  }
}
