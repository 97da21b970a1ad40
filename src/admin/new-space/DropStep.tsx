import { Quiet } from '../frame/text.tsx';
import '@mantine/dropzone/styles.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { Dropzone, type FileRejection, type FileWithPath } from '@mantine/dropzone';
import { IconPhotoUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Media } from '../../contract/entities.ts';
import { MEDIA_KINDS } from '../../ui/media/media-kinds.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import classes from './new-space.module.css';
import type { NewSpaceStore } from './new-space-store.ts';

const ENDINGS = [...MEDIA_KINDS.image.endings, ...MEDIA_KINDS.object.endings];

/** Maximum images in a new space. */
const MAX_FILES = 100;

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

/** Uploads the first files, or starts with an empty space. */
export const DropStep = observer(
  ({ store, uploads, isMore }: { store: NewSpaceStore; uploads: UploadsStore<Media>; isMore: boolean }) => {
    const { user } = useSession();
    const mayUpload = user?.policies.media.create === true;
    return (
      <Stack>
        {mayUpload ? (
          <Dropzone
            onDrop={(dropped: FileWithPath[]) => uploads.add(dropped)}
            onReject={(refused: FileRejection[]) =>
              showProblemText(
                `${refused.map(({ file }) => file.name).join(', ')}: ${refused[0]?.errors[0]?.message ?? 'not accepted.'}`,
              )
            }
            accept={{ 'application/octet-stream': ENDINGS }}
            maxFiles={MAX_FILES}
            validator={(file: File) =>
              ENDINGS.some((ending) => file.name?.toLowerCase().endsWith(ending))
                ? null
                : { code: 'kind', message: `Use one of ${ENDINGS.join(', ')}.` }
            }
            useFsAccessApi={false}
            aria-label="Choose files"
            {...(!isMore && { className: classes.drop })}
            p="lg"
          >
            <Stack align="center" gap="xs" style={{ pointerEvents: 'none' }}>
              <IconPhotoUp size={isMore ? 24 : 48} stroke={1.2} aria-hidden />
              <Text fw={600} size={isMore ? 'sm' : 'lg'} ta="center">
                {isMore ? 'Add images' : 'Drop a 360° photo, a 3D model or images here'}
              </Text>
              {!isMore && (
                <Quiet ta="center">
                  or browse: {MEDIA_KINDS.image.endings.join(', ')}; 3D models: {MEDIA_KINDS.object.endings.join(', ')}
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
        {!isMore && (
          <Group>
            <Button variant="default" onClick={() => store.beginEmpty()}>
              Start with an empty space
            </Button>
          </Group>
        )}
      </Stack>
    );
  },
);
