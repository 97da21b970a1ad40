import { Button, CopyButton, Group, Input, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LiveStream } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { words } from '../frame/fields.ts';
import { useIdParam } from '../frame/use-id-param.ts';
import { Air, useLiveStreamActor } from './Air.tsx';
import { BroadcastSelect } from './BroadcastSelect.tsx';
import { LiveStreamsStore, PLATFORM_NAMES } from './live-streams-store.ts';

const STILL_ACTIVE = {
  title: 'Leave this screen?',
  text: 'Your live stream is still active. Please stop it before leaving',
  action: 'Leave',
  destroys: true,
};

/** Connection details for an encoder. */
function Connection({ stream }: { stream: LiveStream }) {
  const source = stream.source_connection_information;
  if (!source) return null;
  const rows = [
    ['Primary server', source.primary_server],
    ['Stream name', source.stream_name],
    ['Username', source.username],
    ['Password', source.password],
  ].filter(([, value]) => value);
  return (
    <Stack gap="xs" component="section" aria-labelledby="connection">
      <Title order={2} size="h5" id="connection">
        Encoder connection
      </Title>
      {rows.map(([label, value]) => (
        <Group key={label} gap="xs" align="end" wrap="nowrap">
          <Input.Wrapper label={label} flex={1}>
            <Input readOnly value={value} ff="monospace" aria-label={label} />
          </Input.Wrapper>
          <CopyButton value={value!}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} aria-label={`Copy: ${label}`}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
      ))}
    </Stack>
  );
}

/** Edits, starts and stops a live stream. */
export const LiveStreamScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => new LiveStreamsStore(session.client));
  const actor = useLiveStreamActor(store);
  const isActive = useSelector(actor, (snapshot) => snapshot.hasTag('active'));
  const { entry } = store;
  return (
    <FormScreen
      title={entry?.name || 'Live stream'}
      store={store}
      id={id ?? 0}
      list="/admin/live-streams"
      thing="live stream"
      allowed={session.may('live_streams', 'update')}
      isLocked={isActive}
      hold={isActive ? STILL_ACTIVE : undefined}
    >
      {entry && (
        <Stack gap="lg">
          <Air stream={entry} actor={actor} />
          <fieldset disabled={isActive} style={{ border: 0, margin: 0, padding: 0 }}>
            <Stack>
              <TextInput label="Name" withAsterisk maxLength={255} {...words(store, 'name')} />
              <Input.Wrapper label="Type" labelElement="div">
                <Text>{PLATFORM_NAMES[entry.type]}</Text>
              </Input.Wrapper>
              <BroadcastSelect
                type={entry.type}
                value={store.draft.reference}
                error={store.errors.reference?.[0]}
                disabled={isActive}
                onChange={(reference) => store.set({ reference })}
              />
            </Stack>
          </fieldset>
          {entry.encoder !== 'other_webrtc' && <Connection stream={entry} />}
        </Stack>
      )}
    </FormScreen>
  );
});
