import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  NumberInput,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { TimePicker } from '@mantine/dates';
import { Quiet } from '../frame/text.tsx';
import '@mantine/dates/styles.css';
import { IconBox, IconDownload, IconExternalLink } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type FormEvent, lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { embedCode, embedPath, NO_FLAGS } from '../../contract/embed-code.ts';
import type { Media } from '../../contract/entities.ts';
import { normalizeSlug } from '../../contract/slug.ts';
import { panoramaWarnings } from '../../contract/template-file.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import type { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { reportUnshown } from '../../ui/tell-unshown.ts';
import { OWN_ZONE } from '../../ui/ZoneSelect.tsx';
import { CopyValue } from '../frame/CopyValue.tsx';
import { QrCode } from '../frame/QrCode.tsx';
import { LoadingForm, Screen } from '../frame/Screen.tsx';
import { saveCsv } from '../frame/save-csv.ts';
import { usePoster } from '../frame/use-poster.ts';
import { EmbedSites } from '../structures/EmbedSites.tsx';
import { YesNo } from '../structures/YesNo.tsx';
import { DropStep, useSpaceUploads } from './DropStep.tsx';
import classes from './new-space.module.css';
import { type FirstView, type MadeSpace, NewSpaceStore } from './new-space-store.ts';
import { TourPhotos } from './TourPhotos.tsx';

/** Image of the created space, once it is rendered. */
function MadePoster({ roomId }: { roomId: number }) {
  const { client } = useSession();
  const read = useCallback(() => client.rooms.readPoster({ params: { id: roomId } }), [client, roomId]);
  const [madeAt] = useState(() => new Date().toISOString());
  const { poster, isRendering } = usePoster(read, madeAt);
  return (
    <div>
      <Poster url={poster?.small_url} width={240} />
      {isRendering && <Quiet role="status">Rendering…</Quiet>}
    </div>
  );
}

/** The created space: link, image, QR code, access tokens, embed code and next steps. */
function MadeStep({ made: { endpoint, roomId, tokens }, onAgain }: { made: MadeSpace; onAgain(): void }) {
  const session = useSession();
  const address = session.addressOf(endpoint.path);
  const code = embedCode(session.addressOf(embedPath(endpoint.path, NO_FLAGS)), endpoint.name);
  const exportTokens = () => session.client.accessTokens.export({ query: { endpoint_id: endpoint.id } });
  return (
    <Paper withBorder p="lg">
      <Group align="flex-start" gap="xl">
        <Stack gap="xs">
          <MadePoster roomId={roomId} />
          <QrCode text={address} label={`QR code of ${address}`} />
        </Stack>
        <Stack flex={1} miw={260}>
          <Anchor href={address} target="_blank" rel="noopener" size="lg" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Anchor>
          <Group gap="xs">
            <CopyValue value={address} label="Copy link" />
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noopener"
              variant="default"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              Visit
            </Button>
            <Button component="a" href={`/admin/editor/${roomId}`} leftSection={<IconBox size={16} aria-hidden />}>
              Open editor
            </Button>
          </Group>
          {tokens.length > 0 && (
            <Stack gap="xs">
              <Text size="sm" fw={500}>
                {tokens.length} access {tokens.length === 1 ? 'token' : 'tokens'}: each opens the space
              </Text>
              <Code block className={classes.tokens} tabIndex={0} aria-label="Access tokens">
                {tokens.join('\n')}
              </Code>
              <Group gap="xs">
                <CopyValue value={tokens.join('\n')} label="Copy access tokens" />
                {session.may('access_tokens', 'view_any') && (
                  <Button
                    variant="default"
                    leftSection={<IconDownload size={16} aria-hidden />}
                    onClick={() => void saveCsv(`tokens-${endpoint.slug}`, exportTokens())}
                  >
                    Export with links
                  </Button>
                )}
              </Group>
            </Stack>
          )}
          <Textarea
            label="Embed code"
            readOnly
            autosize
            styles={{ input: { fontFamily: 'monospace' } }}
            value={code}
            onFocus={(event) => event.target.select()}
          />
          <EmbedSites path={endpoint.path} />
          <Group gap="xs">
            <CopyValue value={code} label="Copy embed code" />
            <Button component={Link} to={`/admin/structures/${endpoint.id}`} variant="subtle">
              All settings
            </Button>
            <Button variant="subtle" onClick={onAgain}>
              Create another
            </Button>
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
}

const TourImport = lazy(async () => ({ default: (await import('./TourImport.tsx')).TourImport }));
const IiifStep = lazy(async () => ({ default: (await import('./IiifStep.tsx')).IiifStep }));
const GalleryStep = lazy(async () => ({ default: (await import('./GalleryStep.tsx')).GalleryStep }));
const FirstLook = lazy(async () => ({ default: (await import('./FirstLook.tsx')).FirstLook }));

/** Preview of the space, with warnings about its files. */
const Look = observer(({ store, uploads }: { store: NewSpaceStore; uploads: UploadsStore<Media> }) => {
  const { kind, files, photoProblem } = store;
  // Rebuild the document when files change, not on every keystroke in the title.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the files matter.
  const room = useMemo(() => store.room, [kind, files]);
  const look = useCallback((view: FirstView) => store.look(view), [store]);
  const warnings = kind === 'pano' ? panoramaWarnings(files[0] ?? {}) : [];
  return (
    <Stack gap="sm">
      <Suspense fallback={<LoadingForm />}>
        <FirstLook room={room} onLook={look} />
      </Suspense>
      <Quiet>
        {kind === 'empty'
          ? 'An empty space. Fill it in the editor.'
          : store.view
            ? 'Visitors start with this view.'
            : 'Drag to set the view visitors start with.'}
      </Quiet>
      {photoProblem && (
        <Alert color="brass" title="Shown as an image" role="status">
          {sayMessage(photoProblem)}
        </Alert>
      )}
      {warnings.map((warning) => (
        <Text key={warning} size="sm" role="status">
          {sayMessage(warning)}
        </Text>
      ))}
      {kind === 'images' && <DropStep store={store} uploads={uploads} isMore />}
      <UploadList store={uploads} />
    </Stack>
  );
});

const Fields = observer(({ store }: { store: NewSpaceStore }) => {
  const session = useSession();
  const { draft, errors } = store;
  return (
    <Stack>
      <TextInput
        label="Title"
        withAsterisk
        maxLength={255}
        value={draft.title}
        error={(errors.title ?? errors.name)?.[0]}
        onChange={(event) => store.set({ title: event.currentTarget.value })}
      />
      <TextInput
        label="Address"
        description={session.addressOf(`/${draft.slug || '…'}`)}
        maxLength={120}
        value={draft.slug}
        error={errors.slug?.[0]}
        onChange={(event) => store.set({ slug: event.currentTarget.value, isSlugOwn: true })}
        onBlur={() => store.set({ slug: normalizeSlug(draft.slug) })}
      />
      <YesNo
        label="Who can enter"
        yes="Everyone"
        no="With an access token"
        value={!draft.is_protected}
        onChange={(isOpen) => store.set({ is_protected: !isOpen })}
      />
      {draft.is_protected &&
        (session.may('access_tokens', 'create') ? (
          <NumberInput
            label="Access tokens"
            min={0}
            max={10_000}
            allowDecimal={false}
            value={draft.tokens}
            error={(errors.count ?? errors.length)?.[0]}
            onChange={(tokens) => store.set({ tokens: Number(tokens) || 0 })}
          />
        ) : (
          <Text size="sm">You can't add access tokens. Ask an administrator to add some, or nobody can enter.</Text>
        ))}
      <TimePicker
        label="Opens daily at"
        description="24-hour, your time zone. Leave empty to keep it open."
        format="24h"
        clearable
        hoursInputLabel="Hours"
        minutesInputLabel="Minutes"
        clearButtonProps={{ 'aria-label': 'Clear the time' }}
        value={draft.start_time ?? ''}
        error={errors.start_time?.[0]}
        onChange={(value) => store.set({ start_time: value ? value.slice(0, 5) : null })}
      />
    </Stack>
  );
});

/** Opens the created tour in the editor, unless the user must know something first. */
function MadeTour({ made: { roomId, endpointId, problem } }: { made: NonNullable<NewSpaceStore['madeTour']> }) {
  const editor = `/admin/editor/${roomId}`;
  useEffect(() => {
    if (problem === '') window.location.assign(editor);
  }, [editor, problem]);
  if (problem === '') return <LoadingForm />;
  return (
    <Alert color="red" title="The space has no access tokens" role="alert">
      <Stack gap="sm">
        <Text size="sm">The space was created, but its access tokens were not: {problem}</Text>
        <Group>
          <Button component={Link} to={`/admin/structures/${endpointId}`}>
            Add access tokens
          </Button>
          <Button component="a" href={editor} variant="default">
            Open editor
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Creates a space with a public address from 360° photos, a model, images or nothing. */
export const NewSpaceScreen = observer(() => {
  const session = useSession();
  const folder = Number(useSearchParams()[0].get('folder')) || null;
  const [store] = useState(() => new NewSpaceStore(session.client, folder));
  const uploads = useSpaceUploads(store);
  const startOver = () => {
    uploads.cancelAll();
    store.startOver();
  };
  const allowed = session.may('rooms', 'create') && session.may('endpoints', 'create');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      if (!(await store.save(session.user?.organization.time_zone ?? OWN_ZONE))) void reportUnshown(store.errors);
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Screen title={store.made ? `“${store.made.endpoint.name}” is live` : 'New space'} allowed={allowed}>
      {store.made && <MadeStep made={store.made} onAgain={startOver} />}
      {store.madeTour && <MadeTour made={store.madeTour} />}
      {!store.made && store.kind === null && <DropStep store={store} uploads={uploads} isMore={false} />}
      {store.isBegun && (
        <form className={classes.parts} onSubmit={(event) => void submit(event)} noValidate>
          {store.imported ? (
            <Suspense fallback={<LoadingForm />}>
              {store.imported.kind === 'iiif' ? (
                <IiifStep draft={store.imported} />
              ) : (
                <TourImport draft={store.imported} />
              )}
            </Suspense>
          ) : store.gallery ? (
            <Suspense fallback={<LoadingForm />}>
              <GalleryStep draft={store.gallery} />
            </Suspense>
          ) : store.kind === 'tour' || (store.kind === 'pano' && uploads.pending > 0) ? (
            <TourPhotos store={store} uploads={uploads} />
          ) : (
            <Look store={store} uploads={uploads} />
          )}
          <Paper withBorder p="lg">
            <Stack>
              <Fields store={store} />
              {uploads.pending > 0 && (
                <Quiet role="status">
                  {uploads.pending} {uploads.pending === 1 ? 'file is' : 'files are'} still being uploaded.
                </Quiet>
              )}
              <Group>
                <Button
                  type="submit"
                  loading={store.isSaving}
                  disabled={
                    uploads.pending > 0 ||
                    (store.kind === 'tour' && !store.tour.plan) ||
                    (store.gallery !== null && !store.gallery.isReady) ||
                    (store.kind === 'import' && !store.imported?.plan)
                  }
                >
                  Create
                </Button>
                <Button variant="default" onClick={startOver}>
                  Start over
                </Button>
              </Group>
            </Stack>
          </Paper>
        </form>
      )}
    </Screen>
  );
});
