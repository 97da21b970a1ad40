import { Quiet } from '../frame/text.tsx';
import '@mantine/dropzone/styles.css';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Dropzone, type FileRejection, type FileWithPath } from '@mantine/dropzone';
import { IconPhotoUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useEffect, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import { MAX_MANIFEST, MAX_TOUR_PHOTOS, type Media } from '../../contract/entities.ts';
import type { IiifOrigin } from '../../contract/iiif-sending.ts';
import { MEDIA_KINDS } from '../../ui/media/media-kinds.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showProblem, showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import classes from './new-space.module.css';
import type { NewSpaceStore } from './new-space-store.ts';

const ENDINGS = [...MEDIA_KINDS.image.endings, ...MEDIA_KINDS.object.endings];

/** Names that fit into a notification. */
const MAX_NAMED = 3;

/** Which files are not accepted, and why. */
function refusalOf(refused: readonly FileRejection[]): string {
  const { code, message = 'not accepted.' } = refused[0]?.errors[0] ?? {};
  const names = refused.slice(0, MAX_NAMED).map(({ file }) => file.name);
  const more = refused.length > MAX_NAMED ? ` and ${refused.length - MAX_NAMED} more` : '';
  const reason = code === 'too-many-files' ? `choose at most ${MAX_TOUR_PHOTOS} files.` : message;
  return `${names.join(', ')}${more}: ${reason}`;
}

/** Uploads of a new space: they continue on later steps, until the screen is left. */
export function useSpaceUploads(store: NewSpaceStore): UploadsStore<Media> {
  const { client } = useSession();
  const [uploads] = useState(
    () =>
      new UploadsStore<Media>(
        (file, progress) => client.media.upload({ body: {}, files: { file }, ...progress }),
        (file) => {
          if (!file) return;
          if (file.type === 'image' || file.type === 'object') store.take(file);
          else showProblemText(`${file.name}: use an image or a 3D model.`);
        },
      ),
  );
  useEffect(() => () => uploads.cancelAll(), [uploads]);
  return uploads;
}

/** Files that may be a tour made elsewhere. */
const TOUR = /\.(?:json|xml|js|zip)$/i;
const TOUR_ENDINGS = ['.json', '.xml', '.js'];

const isAccepted = ({ name }: { name?: string }) => ENDINGS.some((ending) => name?.toLowerCase().endsWith(ending));

const USE_ONE = `Use one of ${ENDINGS.join(', ')}.`;
const TOO_MANY = { code: 'too-many-files', message: '' };

/** Whether a text may be a IIIF manifest or collection. */
const isManifest = (text: string) => /"@?type"\s{0,100}:\s{0,100}"(?:sc:)?(?:Manifest|Collection)"/.test(text);

async function beginManifest(store: NewSpaceStore, client: Client, origin: IiifOrigin, name: string): Promise<void> {
  const { IiifDraft } = await import('./iiif-draft.ts');
  store.beginImport(new IiifDraft(client, origin, name));
}

/** Begins the import of a dropped manifest. @returns whether there is one */
async function beginDropped(
  [only, ...others]: readonly File[],
  store: NewSpaceStore,
  client: Client,
): Promise<boolean> {
  if (!only || others.length > 0 || !/\.json$/i.test(only.name) || only.size > MAX_MANIFEST) return false;
  const manifest = await only.text();
  if (!isManifest(manifest)) return false;
  await beginManifest(store, client, { manifest }, only.name);
  return true;
}

/** Begins the import of the tour in dropped files. @returns whether there is one, or an archive that can't be read */
async function beginImport(dropped: readonly FileWithPath[], store: NewSpaceStore, client: Client): Promise<boolean> {
  try {
    const [{ tourIn }, { ImportDraft }] = await Promise.all([import('./dropped-tour.ts'), import('./import-draft.ts')]);
    const found = await tourIn(dropped);
    if (found === null) return false;
    if (typeof found === 'string') showProblemText(found);
    else store.beginImport(new ImportDraft(client, found));
  } catch (error) {
    showProblem(error);
  }
  return true;
}

/** Starts with a gallery; its planner loads now. */
async function beginGallery(store: NewSpaceStore, client: Client): Promise<void> {
  const { GalleryDraft } = await import('./gallery-draft.ts');
  store.beginGallery(new GalleryDraft(client));
}

/** A field for the URL of a IIIF manifest. */
function ManifestField({ store }: { store: NewSpaceStore }) {
  const { client } = useSession();
  const [url, setUrl] = useState('');
  const begin = (event: FormEvent) => {
    event.preventDefault();
    const address = url.trim();
    if (address !== '') void beginManifest(store, client, { url: address }, address).catch(showProblem);
  };
  return (
    <form onSubmit={begin}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="IIIF manifest"
          placeholder="https://example.org/manifest.json"
          type="url"
          maxLength={2048}
          flex={1}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={url.trim() === ''}>
          Read manifest
        </Button>
      </Group>
    </form>
  );
}

/** Uploads the first files, or starts with an empty space. */
export const DropStep = observer(
  ({ store, uploads, isMore }: { store: NewSpaceStore; uploads: UploadsStore<Media>; isMore: boolean }) => {
    const { user, client } = useSession();
    const mayUpload = user?.policies.media.create === true;
    const take = async (accepted: FileWithPath[], refused: FileRejection[]) => {
      const all = [...accepted, ...refused.map(({ file }) => file as FileWithPath)];
      const mayBeTour = !isMore && all.some(({ name }) => TOUR.test(name));
      if (mayBeTour && ((await beginDropped(all, store, client)) || (await beginImport(all, store, client)))) return;
      const tooMany = accepted.slice(MAX_TOUR_PHOTOS).map((file) => ({ file, errors: [TOO_MANY] }));
      const rejected = [...tooMany, ...refused];
      if (rejected.length > 0) showProblemText(refusalOf(rejected));
      // After an interruption, the same files can be dropped again: only the missing ones are sent.
      uploads.add(accepted.slice(0, MAX_TOUR_PHOTOS).filter((file) => !store.has(file)));
    };
    return (
      <Stack>
        {mayUpload ? (
          <Dropzone
            onDropAny={(accepted: FileWithPath[], refused: FileRejection[]) => void take(accepted, refused)}
            accept={{ 'application/octet-stream': isMore ? ENDINGS : [...ENDINGS, ...TOUR_ENDINGS] }}
            maxFiles={isMore ? MAX_TOUR_PHOTOS : 0}
            validator={(file: File) => (isAccepted(file) ? null : { code: 'kind', message: USE_ONE })}
            useFsAccessApi={false}
            aria-label="Choose files"
            {...(!isMore && { className: classes.drop })}
            p="lg"
          >
            <Stack align="center" gap="xs" style={{ pointerEvents: 'none' }}>
              <IconPhotoUp size={isMore ? 24 : 48} stroke={1.2} aria-hidden />
              <Text fw={600} size={isMore ? 'sm' : 'lg'} ta="center">
                {isMore
                  ? store.kind === 'tour'
                    ? 'Add 360° photos'
                    : 'Add images'
                  : 'Drop 360° photos, a 3D model or images here'}
              </Text>
              {!isMore && (
                <Quiet ta="center">
                  or browse: {MEDIA_KINDS.image.endings.join(', ')}; 3D models: {MEDIA_KINDS.object.endings.join(', ')}.
                  Tours made with Pannellum, Marzipano, Photo Sphere Viewer or krpano: their folder or ZIP archive. IIIF
                  manifests: their JSON file
                </Quiet>
              )}
            </Stack>
          </Dropzone>
        ) : (
          <Text>
            You can't upload files. Start with an empty space, or ask an administrator for permission to add media.
          </Text>
        )}
        {!isMore && <UploadList store={uploads} />}
        {!isMore && mayUpload && <ManifestField store={store} />}
        {!isMore && (
          <Group>
            <Button variant="default" onClick={() => store.beginEmpty()}>
              Start with an empty space
            </Button>
            {mayUpload && (
              <Button variant="default" onClick={() => void beginGallery(store, client).catch(showProblem)}>
                Start with a gallery
              </Button>
            )}
          </Group>
        )}
      </Stack>
    );
  },
);
