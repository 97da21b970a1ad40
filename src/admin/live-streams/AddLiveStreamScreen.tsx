import { Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { ENCODERS, LIVE_STREAM_TYPES } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { option, words } from '../frame/fields.ts';
import { BroadcastSelect } from './BroadcastSelect.tsx';
import { ENCODER_NAMES, LIVE_STREAMS, LiveStreamsStore, PLATFORM_NAMES } from './LiveStreamsScreen.tsx';

/** Adds a live stream for an existing or a new broadcast. */
export const AddLiveStreamScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => new LiveStreamsStore(client));
  const [modules, setModules] = useState<readonly string[] | null>(null);
  useEffect(() => {
    client.modules.list().then(
      (list) => setModules(list.filter(({ type }) => type === 'live_stream').map(({ module }) => module)),
      () => setModules([]),
    );
  }, [client]);
  const { draft, errors } = store;
  const isSetUp = modules?.includes(draft.type);
  return (
    <FormScreen
      of={LIVE_STREAMS}
      store={store}
      id={null}
      isLocked={isSetUp === false}
      after={({ id }) => `${LIVE_STREAMS.path}/${id}`}
    >
      <Stack>
        <TextInput label="Name" withAsterisk maxLength={255} {...words(store, 'name')} />
        <Select
          label="Type"
          allowDeselect={false}
          data={LIVE_STREAM_TYPES.map((value) => ({ value, label: PLATFORM_NAMES[value] }))}
          {...option(store, 'type')}
          onChange={(value) =>
            store.set({ type: LIVE_STREAM_TYPES.find((type) => type === value) ?? draft.type, reference: '' })
          }
        />
        {isSetUp === false && (
          <Text c="dimmed">
            {PLATFORM_NAMES[draft.type]} is not set up on this server. Ask whoever runs it to set its key.
          </Text>
        )}
        {isSetUp && (
          <>
            <Radio.Group
              label="What to use"
              value={draft.makes_stream ? 'new' : 'existing'}
              onChange={(value) => store.set({ makes_stream: value === 'new' })}
            >
              <Group mt={4}>
                <Radio value="existing" label="Existing broadcast" />
                <Radio value="new" label="New broadcast" />
              </Group>
            </Radio.Group>
            {draft.makes_stream ? (
              <>
                <TextInput
                  label="Broadcast name"
                  withAsterisk
                  maxLength={200}
                  {...words(store, 'new_name')}
                  error={errors['new_stream.name']?.[0]}
                />
                <Select
                  label="Encoder"
                  allowDeselect={false}
                  data={ENCODERS.map((value) => ({ value, label: ENCODER_NAMES[value] }))}
                  {...option(store, 'encoder')}
                />
              </>
            ) : (
              <BroadcastSelect
                key={draft.type}
                type={draft.type}
                value={draft.reference}
                error={errors.reference?.[0]}
                onChange={(reference) => store.set({ reference })}
              />
            )}
          </>
        )}
      </Stack>
    </FormScreen>
  );
});
