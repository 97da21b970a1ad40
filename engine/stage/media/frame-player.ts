import type { StageContext } from '../context.ts';
import type { Player } from './player.ts';

/** Message protocol of an embedded player; `null` for commands it doesn't need. */
export interface FrameProtocol {
  /** Origin of the player's page: messages from and to other origins are ignored. */
  readonly origin: string;
  /** Sent after the frame has loaded, until it answers. */
  readonly hello: unknown;
  /** Sent after the first answer, before anything else. */
  readonly subscribe: readonly unknown[];
  play(at: number): readonly unknown[];
  readonly pause: unknown;
  seek(at: number): unknown;
  mute(muted: boolean): unknown;
  /** @param volume from 0 to 100 */
  volume(volume: number): unknown;
  /** Parses a message from the player. */
  read(message: Record<string, unknown>): FrameReport | undefined;
}

/** Reports from a player. `at` is in seconds. */
export type FrameReport = { type: 'ready' | 'playing' | 'paused' | 'ended' | 'refused' } | { type: 'at'; at: number };

/** Milliseconds between two attempts to connect to a player. */
const GREETING = 500;
/** Maximum number of attempts. */
const MAX_GREETINGS = 60;

/**
 * Controls a third-party player in an iframe through its public message protocol, without loading the site's scripts.
 * The current state is sent again whenever the player becomes ready or reloads.
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
  /** Last values sent; undefined before the first. */
  let muted: boolean | undefined;
  let volume: number | undefined;
  /** Position in seconds for resuming after a reload. */
  let start: number | undefined;
  let greetings = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const post = (message: unknown) => frame.contentWindow?.postMessage(JSON.stringify(message), protocol.origin);
  const send = (messages: readonly unknown[]) => {
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
    send([...protocol.subscribe, ...now()]);
  };
  const report = (type: 'play' | 'pause' | 'ended' | 'refused') => context.send({ type, element_id: elementId });
  const handle = (message: FrameReport) => {
    switch (message.type) {
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
        start = message.at;
        context.send({ type: 'progress', element_id: elementId, at: message.at });
        break;
      default:
        if (playing) report(message.type);
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
    const parsed = protocol.read(message as Record<string, unknown>);
    if (parsed) handle(parsed);
  };
  addEventListener('message', listen, { signal });
  const greet = () => {
    clearInterval(timer);
    // A reloaded frame has lost its state.
    ready = false;
    // Without a URL, the frame is empty.
    if (!frame.hasAttribute('src')) return;
    greetings = 0;
    post(protocol.hello);
    timer = setInterval(() => {
      if (++greetings > MAX_GREETINGS) clearInterval(timer);
      else post(protocol.hello);
    }, GREETING);
  };
  frame.addEventListener('load', greet, { signal });
  const mute = (value: boolean) => {
    if (value === muted) return;
    muted = value;
    send([protocol.mute(value)]);
  };
  const setVolume = (value: number) => {
    volume = value;
    send([protocol.volume(value)]);
  };
  const halt = () => {
    playing = false;
    send([protocol.pause]);
  };
  return {
    play: (at, silent, wanted) => {
      playing = true;
      start = seekable ? at : 0;
      mute(silent);
      setVolume(wanted);
      send(protocol.play(start));
    },
    pause: halt,
    stop: () => {
      start = undefined;
      halt();
    },
    seek: (at) => {
      if (!seekable) return;
      start = at;
      send([protocol.seek(at)]);
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
