import type { StageContext } from '../context.ts';
import type { Player } from './player.ts';

/** What the player of another site can be told; `null` where it needs nothing. */
export interface FrameProtocol {
  /** Site that the player's page comes from: nobody else is listened to or told anything. */
  readonly origin: string;
  /** Sent when the frame has loaded, until it answers. */
  readonly hello: unknown;
  /** Sent once it has answered, before anything else. */
  readonly subscribe: readonly unknown[];
  play(at: number): readonly unknown[];
  readonly pause: unknown;
  seek(at: number): unknown;
  mute(muted: boolean): unknown;
  /** @param volume from 0 to 100 */
  volume(volume: number): unknown;
  /** Reads what the player says. */
  read(message: Record<string, unknown>): FrameReport | undefined;
}

/** What a player says of itself. `at` in seconds. */
export type FrameReport = { type: 'ready' | 'playing' | 'paused' | 'ended' | 'refused' } | { type: 'at'; at: number };

/** Milliseconds between two greetings to a player that has not answered. */
const GREETING = 500;
/** Greetings after which a player is left alone: its site does not answer. */
const MOST_GREETINGS = 60;

/**
 * Drives the player of another site in a frame by messages, as its public protocol has it; no script of that site is
 * loaded. A player that is not ready, or loads anew, is told what it should be doing as soon as it is.
 */
export function playFrame(
  context: StageContext,
  elementId: number,
  frame: HTMLIFrameElement,
  protocol: FrameProtocol,
  { seekable = true } = {},
): Player {
  const abort = new AbortController();
  const { signal } = abort;
  let ready = false;
  let playing = false;
  /** What it was last told; undefined before it was told anything. */
  let muted: boolean | undefined;
  let volume: number | undefined;
  /** Where it is to go on when it loads anew; in seconds. */
  let start: number | undefined;
  let greetings = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const post = (message: unknown) => frame.contentWindow?.postMessage(JSON.stringify(message), protocol.origin);
  const tell = (messages: readonly unknown[]) => {
    if (ready) for (const message of messages) post(message);
  };
  const now = (): unknown[] => [
    ...(muted === undefined ? [] : [protocol.mute(muted)]),
    ...(volume === undefined ? [] : [protocol.volume(volume)]),
    ...(playing ? protocol.play(start ?? 0) : []),
  ];
  const begin = () => {
    if (ready) return;
    ready = true;
    clearInterval(timer);
    tell([...protocol.subscribe, ...now()]);
  };
  const report = (type: 'play' | 'pause' | 'ended' | 'refused') => context.send({ type, element_id: elementId });
  const hear = (said: FrameReport) => {
    switch (said.type) {
      case 'ready':
        begin();
        break;
      case 'playing':
        if (!playing) report('play');
        break;
      case 'paused':
        if (playing) report('pause');
        break;
      case 'at':
        if (!playing || !seekable) break;
        start = said.at;
        context.send({ type: 'progress', element_id: elementId, at: said.at });
        break;
      default:
        if (playing) report(said.type);
    }
  };
  const listen = ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow || origin !== protocol.origin) return;
    let message: unknown = data;
    try {
      if (typeof data === 'string') message = JSON.parse(data);
    } catch {
      return;
    }
    if (typeof message !== 'object' || message === null) return;
    const said = protocol.read(message as Record<string, unknown>);
    if (said) hear(said);
  };
  addEventListener('message', listen, { signal });
  const greet = () => {
    clearInterval(timer);
    // A frame that loads anew has forgotten what it was told.
    ready = false;
    // Without an address, it has loaded nothing, or was emptied.
    if (!frame.hasAttribute('src')) return;
    greetings = 0;
    post(protocol.hello);
    timer = setInterval(() => {
      if (++greetings > MOST_GREETINGS) clearInterval(timer);
      else post(protocol.hello);
    }, GREETING);
  };
  frame.addEventListener('load', greet, { signal });
  const mute = (value: boolean) => {
    if (value === muted) return;
    muted = value;
    tell([protocol.mute(value)]);
  };
  const setVolume = (value: number) => {
    volume = value;
    tell([protocol.volume(value)]);
  };
  const halt = () => {
    playing = false;
    tell([protocol.pause]);
  };
  return {
    play: (at, silent, wanted) => {
      playing = true;
      start = seekable ? at : 0;
      mute(silent);
      setVolume(wanted);
      tell(protocol.play(start));
    },
    pause: halt,
    stop: () => {
      start = undefined;
      halt();
    },
    seek: (at) => {
      if (!seekable) return;
      start = at;
      tell([protocol.seek(at)]);
    },
    mute,
    setVolume,
    dispose: () => {
      abort.abort();
      clearInterval(timer);
      frame.remove();
    },
  };
}
