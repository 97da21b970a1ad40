import { Group, Input, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LiveStream } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { words } from '../frame/fields.ts';
import { Air, useLiveStreamActor } from './Air.tsx';
import { BroadcastSelect } from './BroadcastSelect.tsx';
import { LIVE_STREAMS, LiveStreamsStore, PLATFORM_NAMES } from './LiveStreamsScreen.tsx';

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
          <CopyValue value={value!} hasIcon={false} aria-label={`Copy: ${label}`} />
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
      of={LIVE_STREAMS}
      name={entry?.name}
      store={store}
      id={id ?? 0}
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
