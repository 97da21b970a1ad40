import { useActorRef } from '@xstate/react';
import { reaction } from 'mobx';
import { useEffect, useState } from 'react';
import { type ActorRefFrom, fromPromise, type SnapshotFrom } from 'xstate';
import { type LiveStreamState, liveStreamMachine } from '../../../engine/machines/live-stream.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LiveStreamsStore } from './live-streams-store.ts';

/** State machine actor of the live stream screen. */
export type LiveStreamActor = ActorRefFrom<typeof liveStreamMachine>;

/** State of the stream in its actor. */
export const stateOfStream = (snapshot: SnapshotFrom<typeof liveStreamMachine>): LiveStreamState => {
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
        start: asking(() => store.tell('start')),
        stop: asking(() => store.tell('stop')),
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
