import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useActorRef, useSelector } from '@xstate/react';
import { reaction } from 'mobx';
import { useEffect, useRef, useState } from 'react';
import { type ActorRefFrom, fromPromise, type SnapshotFrom } from 'xstate';
import { type LiveStreamState, liveStreamMachine } from '../../../engine/machines/live-stream.ts';
import type { LiveStream } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { CameraSender } from './camera/CameraSender.tsx';
import type { LiveStreamsStore } from './LiveStreamsScreen.tsx';
import { StateBadge } from './LiveStreamsScreen.tsx';

type LiveStreamActor = ActorRefFrom<typeof liveStreamMachine>;

/** State of the stream in its actor. */
const stateOfStream = (snapshot: SnapshotFrom<typeof liveStreamMachine>): LiveStreamState => {
  if (snapshot.matches('started')) return 'started';
  return snapshot.matches('starting') ? 'starting' : 'stopped';
};

/** User-facing error message. */
const readable = (error: unknown): Error =>
  new Error(
    error instanceof ApiError
      ? Object.values(error.msg).flat().join(' ')
      : 'The server could not be reached. Retrying…',
    { cause: error },
  );

const asking = (ask: () => Promise<LiveStreamState>) =>
  fromPromise(() =>
    ask().catch((error) => {
      throw readable(error);
    }),
  );

/** Runs the actor for the store's open stream; polls again when the page becomes visible. */
export function useLiveStreamActor(store: LiveStreamsStore): LiveStreamActor {
  const [machine] = useState(() =>
    liveStreamMachine.provide({
      actors: {
        poll: asking(() => store.poll()),
        start: asking(() => store.command('start')),
        stop: asking(() => store.command('stop')),
      },
    }),
  );
  const actor = useActorRef(machine);
  useEffect(
    () =>
      // A poll doesn't change `updated_at`, and the actor already has its result.
      reaction(
        () => store.entry && `${store.entry.id} ${store.entry.updated_at}`,
        () => store.entry && actor.send({ type: 'loaded', state: store.entry.state }),
        { fireImmediately: true },
      ),
    [actor, store],
  );
  useEffect(() => {
    const refresh = () => document.visibilityState === 'visible' && actor.send({ type: 'refresh' });
    addEventListener('focus', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      removeEventListener('focus', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [actor]);
  return actor;
}

/** URL of a platform's embedded player; null for HLS. */
function playerPage({ type, reference }: LiveStream): string | null {
  const id = encodeURIComponent(reference);
  if (type === 'youtube_live') return `https://www.youtube-nocookie.com/embed/${id}`;
  if (type === 'vimeo') return `https://player.vimeo.com/video/${id}`;
  return type === 'vimeo_live' ? `https://vimeo.com/event/${id}/embed` : null;
}

/** HLS video, native where supported, otherwise by hls.js. */
function HlsPlayer({ address }: { address: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    if (element.canPlayType('application/vnd.apple.mpegurl')) {
      element.src = address;
      return () => element.removeAttribute('src');
    }
    let destroy = () => {};
    let isGone = false;
    import('hls.js').then(
      ({ default: Hls, Events }) => {
        if (isGone) return;
        const hls = new Hls();
        destroy = () => hls.destroy();
        hls.on(Events.ERROR, (_, { fatal }) => fatal && setBroken(true));
        hls.loadSource(address);
        hls.attachMedia(element);
      },
      () => setBroken(true),
    );
    return () => {
      isGone = true;
      destroy();
    };
  }, [address]);
  if (isBroken) return <Text c="dimmed">The video is not available yet.</Text>;
  return (
    <video
      ref={video}
      controls
      muted
      autoPlay
      playsInline
      width={560}
      style={{ maxWidth: '100%' }}
      aria-label="Player"
    />
  );
}

/** The stream as visitors see it. */
function StreamPlayer({ stream }: { stream: LiveStream }) {
  const page = playerPage(stream);
  if (page)
    return (
      <iframe
        src={page}
        title="Player"
        width={560}
        height={315}
        style={{ maxWidth: '100%', border: 0 }}
        allow="autoplay; fullscreen"
        sandbox="allow-scripts allow-same-origin allow-presentation"
      />
    );
  if (!stream.player_hls_playback_url) return <Text c="dimmed">The platform returned no video URL.</Text>;
  return <HlsPlayer address={stream.player_hls_playback_url} />;
}

/** Stream status with Start and Stop. */
export function Air({ stream, actor }: { stream: LiveStream; actor: LiveStreamActor }) {
  const state = useSelector(actor, stateOfStream);
  const error = useSelector(actor, ({ context }) => context.error?.message);
  const isActive = useSelector(actor, (snapshot) => snapshot.hasTag('active'));
  const isCommanding = useSelector(actor, (snapshot) => snapshot.hasTag('commanding'));
  const [isStartedHere, setStartedHere] = useState(false);
  useEffect(() => {
    if (!isActive) setStartedHere(false);
  }, [isActive]);
  const change = () => {
    setStartedHere(!isActive);
    actor.send({ type: isActive ? 'stop' : 'start' });
  };
  return (
    <Stack>
      <Group aria-live="polite">
        <StateBadge state={state} />
        <Button
          color={isActive ? 'red' : 'teal'}
          loading={isCommanding}
          leftSection={isActive ? <IconPlayerStop size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
          onClick={change}
        >
          {isActive ? 'Stop' : 'Start'}
        </Button>
      </Group>
      {error && (
        <Alert color="red" role="alert" title="The platform reported an error">
          {error}
        </Alert>
      )}
      {state === 'starting' && (
        <Alert color="teal">The platform is starting the stream. This can take a few minutes.</Alert>
      )}
      {state === 'started' && <Alert color="teal">The stream is live. Stop it to edit it.</Alert>}
      {stream.encoder === 'other_webrtc' && (
        <CameraSender stream={stream} state={state} isStartedHere={isStartedHere} />
      )}
      {state === 'started' && <StreamPlayer stream={stream} />}
    </Stack>
  );
}
