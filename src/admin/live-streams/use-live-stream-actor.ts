import { useActorRef } from '@xstate/react';
import { reaction } from 'mobx';
import { useEffect, useState } from 'react';
import { type ActorRefFrom, fromPromise, type SnapshotFrom } from 'xstate';
import { type LiveStreamState, liveStreamMachine } from '../../../engine/machines/live-stream.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LiveStreamsStore } from './live-streams-store.ts';

/** The chart that a live stream's screen runs on. */
export type LiveStreamActor = ActorRefFrom<typeof liveStreamMachine>;

/** Whether a stream is on the air, as its chart has it. */
export const stateOfStream = (snapshot: SnapshotFrom<typeof liveStreamMachine>): LiveStreamState => {
  if (snapshot.matches('started')) return 'started';
  return snapshot.matches('starting') ? 'starting' : 'stopped';
};

/** What a person reads of a failure, as the message of an error. */
const readable = (error: unknown): Error =>
  new Error(
    error instanceof ApiError
      ? Object.values(error.msg).flat().join(' ')
      : 'The server could not be reached. It is asked again.',
    { cause: error },
  );

const asking = (ask: () => Promise<LiveStreamState>) =>
  fromPromise(() =>
    ask().catch((error) => {
      throw readable(error);
    }),
  );

/** Runs the chart of the stream that a store has open; it asks again when the page is looked at again. */
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
      // A poll changes no stamp: what the chart asked for it has already.
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
