import { Anchor, Button, Group, Input, Loader, Radio, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  ENCODERS,
  LIVE_STREAM_TYPES,
  type LiveStream,
  type LiveStreamType,
  type ModuleStream,
} from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { Fields, FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { option, words } from '../frame/fields.ts';
import { Air, useLiveStreamActor } from './Air.tsx';
import { ENCODER_NAMES, LIVE_STREAMS, LiveStreamsStore, PLATFORM_NAMES } from './LiveStreamsScreen.tsx';

/** Select of a platform's existing broadcasts. */
function BroadcastSelect({
  type,
  value,
  error,
  disabled,
  onChange,
}: {
  type: LiveStreamType;
  value: string;
  error?: string;
  disabled?: boolean;
  onChange(reference: string): void;
}) {
  const { client } = useSession();
  const [streams, setStreams] = useState<ModuleStream[] | null>(null);
  const [problem, setProblem] = useState('');
  const load = useCallback(async () => {
    setStreams(null);
    setProblem('');
    try {
      setStreams(await client.liveStreams.moduleList({ params: { module: type } }));
    } catch (reason) {
      setProblem(
        reason instanceof ApiError ? `${reason.message} ${reason.suggestion}` : 'The server could not be reached.',
      );
    }
  }, [client, type]);
  useEffect(() => void load(), [load]);

  if (problem)
    return (
      <Group>
        <Text c="red" size="sm" role="alert">
          {problem}
        </Text>
        <Button size="xs" variant="light" onClick={() => void load()}>
          Try again
        </Button>
      </Group>
    );
  const known = (streams ?? []).some(({ id }) => id === value);
  const data = (streams ?? []).map(({ id, name }) => ({ value: id, label: name || id }));
  return (
    <Select
      label="Broadcast"
      withAsterisk
      searchable
      placeholder={streams ? 'Choose a broadcast' : 'Loading…'}
      nothingFoundMessage="The platform has no broadcasts"
      rightSection={streams ? undefined : <Loader size="xs" />}
      disabled={disabled}
      data={value && !known ? [{ value, label: value }, ...data] : data}
      value={value || null}
      error={error}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

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
            {PLATFORM_NAMES[draft.type]} is not set up.{' '}
            {session.may('settings', 'view_any') ? (
              <Anchor component={Link} to="/admin/settings/platforms">
                Set it up in Settings
              </Anchor>
            ) : (
              'Ask an administrator to set it up under Settings, Platforms.'
            )}
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
      hasFields
      hold={isActive ? STILL_ACTIVE : undefined}
    >
      {entry && (
        <Stack gap="lg">
          <Air stream={entry} actor={actor} />
          <Fields>
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
          </Fields>
          {entry.encoder !== 'other_webrtc' && <Connection stream={entry} />}
        </Stack>
      )}
    </FormScreen>
  );
});
