import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { LiveStream } from '../../contract/entities.ts';
import { CameraSender } from './camera/CameraSender.tsx';
import { StateBadge } from './StateBadge.tsx';
import { StreamPlayer } from './StreamPlayer.tsx';
import { type LiveStreamActor, stateOfStream } from './use-live-stream-actor.ts';

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
