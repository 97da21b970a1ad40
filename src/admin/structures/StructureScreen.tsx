import { Group, Paper, Radio, Stack, Switch, Tabs, Text, TextInput, Title } from '@mantine/core';
import { DateInput, TimePicker } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { dateLocale } from '../../ui/language/date-locale.ts';
import { Quiet } from '../frame/text.tsx';
import '@mantine/dates/styles.css';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { normalizeSlug } from '../../contract/slug.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { PublicationPanel } from '../../ui/publishing/PublicationPanel.tsx';
import { PublicationStore } from '../../ui/publishing/publication-store.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { TextTranslations } from '../../ui/TextTranslations.tsx';
import { OWN_ZONE, ZoneSelect } from '../../ui/ZoneSelect.tsx';
import { here, timeText } from '../../ui/zone-time.ts';
import { AccentField } from '../frame/AccentField.tsx';
import { Fields, FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { choice, flag, yesNo } from '../frame/fields.ts';
import { PosterField } from '../frame/PosterField.tsx';
import { AddressCard } from './AddressCard.tsx';
import { CheckInCard } from './CheckInCard.tsx';
import { EmbedCode } from './EmbedCode.tsx';
import { KioskSection } from './KioskSection.tsx';
import { StructureFacts } from './StructureFacts.tsx';
import { StructurePreview } from './StructurePreview.tsx';
import { StructuresStore } from './structures-store.ts';
import { Tokens } from './Tokens.tsx';
import { YesNo } from './YesNo.tsx';

/** Publication of the structure's space. */
function Published({ roomId, endpointId }: { roomId: number; endpointId: number | undefined }) {
  const session = useSession();
  const [store] = useState(() => new PublicationStore(session.client, roomId));
  return (
    <Paper withBorder p="md">
      <PublicationPanel
        store={store}
        mayPublish={session.may('rooms', 'update')}
        {...(endpointId !== undefined && { endpointId })}
      />
    </Paper>
  );
}

/** Whether visitors see the latest edits or the published version, and the published version. */
const ShownState = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const { draft, entry } = store;
  const { room_id, shows } = draft;
  return (
    <>
      <YesNo
        label="Visitors see the space"
        yes="Latest edits"
        no="Published version"
        value={shows === 'edited'}
        onChange={(isEdited) => store.set({ shows: isEdited ? 'edited' : 'published' })}
      />
      {shows === 'published' && room_id !== null && session.may('rooms', 'view_any') && (
        <Published key={room_id} roomId={room_id} endpointId={entry?.room_id === room_id ? entry.id : undefined} />
      )}
    </>
  );
});

/** A titled section of the form. */
const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack component="section" aria-label={title}>
    <Title order={2} size="h5">
      {title}
    </Title>
    {children}
  </Stack>
);

const Settings = observer(({ store, id }: { store: StructuresStore; id: number | null }) => {
  const session = useSession();
  const { draft, errors, entry } = store;
  const newZone = session.user?.organization.time_zone ?? OWN_ZONE;
  const [isSlugOwn, setSlugOwn] = useState(false);
  const [isNaming, setNaming] = useState<string | null>(null);
  const findRooms = async (search: string) =>
    session.may('rooms', 'view_any')
      ? (await session.client.rooms.list({ query: { ...(search && { search }), per_page: 100 } })).data.map((room) => ({
          id: room.id,
          name: room.title,
          poster: room.poster_url,
        }))
      : [];
  const rename = (name: string) => {
    // The slug of a new structure follows the title until edited.
    const follows = id === null && !isSlugOwn;
    store.set({ name, ...(follows && { slug: normalizeSlug(name) }) });
  };
  return (
    <Stack gap="xl">
      <Section title="Address and space">
        {id === null && session.may('rooms', 'create') && (
          <Radio.Group
            label="What to use"
            value={draft.makes_room ? 'new' : 'existing'}
            onChange={(value) => store.set({ makes_room: value === 'new', room_id: null })}
          >
            <Group mt={4}>
              <Radio value="existing" label="Existing space" />
              <Radio value="new" label="New space" />
            </Group>
          </Radio.Group>
        )}
        <TextInput
          label="Title"
          withAsterisk
          maxLength={255}
          name="name"
          value={draft.name}
          error={errors.name?.[0]}
          onChange={(event) => rename(event.currentTarget.value)}
        />
        <TextInput
          label="Slug"
          description="Last part of the address: lowercase letters, digits, hyphens and underscores."
          name="slug"
          maxLength={120}
          value={isNaming ?? draft.slug}
          error={errors.slug?.[0]}
          placeholder={entry?.slug}
          onChange={(event) => {
            setSlugOwn(true);
            setNaming(event.currentTarget.value);
            store.set({ slug: normalizeSlug(event.currentTarget.value) });
          }}
          onBlur={() => setNaming(null)}
        />
        {!draft.makes_room && (
          <EntrySelect
            label="Select a space"
            withAsterisk
            placeholder="Select a space"
            find={findRooms}
            chosen={entry?.room ? { id: entry.room.id, name: entry.room.title } : null}
            {...choice(store, 'room_id')}
          />
        )}
        {draft.makes_room && session.may('templates', 'view_any') && (
          <EntrySelect
            label="Template"
            placeholder="Organization default"
            find={(search) => findTemplates(session, search)}
            chosen={null}
            {...choice(store, 'template_id')}
          />
        )}
      </Section>
      {id !== null && entry && (
        <Section title="Appearance">
          <PosterField of="endpoints" id={id} usual={entry.room?.poster_url ?? null} />
          <AccentField store={store} template={store.shownRoom?.template ?? null} />
        </Section>
      )}
      {id !== null && entry && (
        <Section title="Languages">
          <Quiet>Visitors see the title in the language in which they see the space.</Quiet>
          <TextTranslations
            key={store.shownRoom?.languages.join()}
            fields={[{ name: 'name', label: 'Title', text: entry.name, maxLength: 255 }]}
            languages={store.shownRoom?.languages ?? []}
            translations={entry.translations}
            isReadOnly={!session.may('endpoints', 'update')}
            onSave={(language, texts) => store.translate(id, language, texts)}
          />
        </Section>
      )}
      <Section title="Publication">
        <ShownState store={store} />
        <YesNo label="Visibility" yes="Visible" no="Hidden" {...yesNo(store, 'is_visible')} />
        {!draft.is_visible && <Quiet>Visitors can't find or open a hidden structure or the structures below it.</Quiet>}
      </Section>
      <Section title="Schedule">
        <Switch label="Timed" {...flag(store, 'is_timed')} />
        {draft.is_timed && <Quiet>The sequence of the space begins at the start time for all visitors.</Quiet>}
        <Switch label="Show countdown" {...flag(store, 'show_countdown')} />
        <TimePicker
          label="Start time"
          description={`${draft.start_date === null ? 'Daily' : 'Once'} at this time, 24-hour.`}
          format="24h"
          withDropdown
          clearable
          maw={320}
          hoursInputLabel="Hours"
          minutesInputLabel="Minutes"
          clearButtonProps={{ 'aria-label': 'Clear the start time' }}
          value={draft.start_time ?? ''}
          error={errors.start_time?.[0]}
          onChange={(value) => {
            const start_time = value ? value.slice(0, 5) : null;
            // A new time uses the organization's zone; one with a fixed offset keeps it until a zone is chosen.
            const isNew = draft.start_time === null && start_time !== null;
            store.set({ start_time, ...(isNew && { time_zone: draft.time_zone ?? newZone }) });
          }}
        />
        {draft.start_time !== null && (
          <DateInput
            {...dateLocale}
            label="Start date"
            description="Leave empty to start every day."
            placeholder="Every day"
            valueFormat="YYYY-MM-DD"
            clearable
            maw={320}
            clearButtonProps={{ 'aria-label': 'Clear the start date' }}
            value={draft.start_date}
            error={errors.start_date?.[0]}
            onChange={(start_date) => store.set({ start_date })}
          />
        )}
        {draft.start_time !== null && (
          <ZoneSelect
            maw={320}
            description={
              draft.time_zone === null
                ? `Starts at ${timeText(draft.start_time, { zone: null, offset: entry?.start_time_utc_offset ?? null }, here())}. Choose a time zone to follow clock changes.`
                : undefined
            }
            placeholder="Fixed UTC offset"
            value={draft.time_zone}
            error={errors.time_zone?.[0]}
            onChange={(time_zone) => store.set({ time_zone })}
          />
        )}
        {draft.start_time !== null && !draft.is_timed && !draft.show_countdown && (
          <Text size="sm" role="status">
            The start time has no effect yet: turn on Timed or Show countdown.
          </Text>
        )}
      </Section>
      <Section title="Access">
        <YesNo label="Protected" yes="Protected" no="Public" {...yesNo(store, 'is_protected')} />
        <Tokens store={store} />
      </Section>
      <KioskSection store={store} />
      {store.entry && draft.is_protected && session.may('access_tokens', 'view_any') && (
        <Section title="Check-in">
          <CheckInCard endpointId={store.entry.id} />
        </Section>
      )}
    </Stack>
  );
});

/** Window width in pixels from which the preview is beside the form; below it, it has a tab. */
const WIDE = 1200;

const STRUCTURES = { noun: 'structure', area: 'endpoints', path: '/admin/structures' } as const;

/** Adds or edits a structure. */
export const StructureScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const { parentId } = useParams();
  const [store] = useState(() => new StructuresStore(session.client));
  const parent = parentId && /^\d{1,15}$/.test(parentId) ? Number(parentId) : null;
  const [above, setAbove] = useState('');
  useEffect(() => {
    // If the parent can't be loaded, the title omits its name.
    if (parent !== null)
      session.client.endpoints.read({ params: { id: parent } }).then(
        ({ name }) => setAbove(name),
        () => undefined,
      );
  }, [session, parent]);
  const [tab, setTab] = useState('settings');
  const isWide = useMediaQuery(`(min-width: ${WIDE}px)`, undefined, { getInitialValueInEffect: false });
  const mayPreview = session.may('rooms', 'view_any');
  const mayChange = session.may('endpoints', id === null ? 'create' : 'update');
  // The embed code has a preview of its own.
  const isBeside = isWide && mayPreview && tab !== 'embed';
  const { room_id } = store.draft;
  useEffect(() => {
    if (mayPreview) void store.readRoom(room_id);
  }, [store, mayPreview, room_id]);
  const [begin] = useState(() => ({ ...store.draft, parent_endpoint_id: parent }));
  return (
    <FormScreen
      of={STRUCTURES}
      addTitle={above ? `Add structure below ${above}` : 'Add structure'}
      name={store.entry?.name}
      store={store}
      id={id}
      begin={begin}
      // After adding, stay: address, QR code and access tokens are here.
      after={id === null ? (endpoint) => `${STRUCTURES.path}/${endpoint.id}` : undefined}
      lead={id !== null && store.entry && <AddressCard endpoint={store.entry} store={store} />}
      hasFields
      isSaved={tab === 'settings'}
      aside={isBeside && <StructurePreview store={store} />}
    >
      <Tabs value={tab} keepMounted={false} onChange={(next) => setTab(next ?? 'settings')}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="settings">{mayChange ? 'Settings' : 'Overview'}</Tabs.Tab>
          {!isWide && mayPreview && <Tabs.Tab value="preview">Preview</Tabs.Tab>}
          <Tabs.Tab value="embed" disabled={!store.entry}>
            Embed-code
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          {mayChange ? (
            <Fields>
              <Settings store={store} id={id} />
            </Fields>
          ) : (
            store.entry && <StructureFacts endpoint={store.entry} />
          )}
        </Tabs.Panel>
        {!isWide && mayPreview && (
          <Tabs.Panel value="preview">
            <StructurePreview store={store} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="embed">{store.entry && <EmbedCode endpoint={store.entry} />}</Tabs.Panel>
      </Tabs>
    </FormScreen>
  );
});
