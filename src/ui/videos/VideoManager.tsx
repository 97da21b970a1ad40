import { Button, FileButton, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconSearch, IconUpload, IconVideo } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import type { VideoProvider } from '../../contract/calls/videos.ts';
import { useClient } from '../client-context.ts';
import { LibraryGrid } from '../library/LibraryGrid.tsx';
import { useSearchWords } from '../library/use-search-words.ts';
import { NoMedia } from '../media/MediaManager.tsx';
import { UploadList } from '../media/UploadList.tsx';
import { UploadsStore } from '../media/uploads-store.ts';
import { showNotification } from '../notifications.ts';
import { useSession } from '../session/session-context.ts';
import tile from '../tile.module.css';
import { type ModuleVideo, VideoLibraryStore } from './video-library-store.ts';
import classes from './videos.module.css';

/** Polling interval in milliseconds for videos being processed. */
const POLL = 5000;

const PROCESSING = 'This video is still being processed.';

interface Props {
  /** Video platform. */
  provider: VideoProvider;
  onChoose(video: ModuleVideo): void;
  onClose(): void;
}

function Tile({ video, isChosen, onChoose }: { video: ModuleVideo; isChosen: boolean; onChoose(): void }) {
  const { name, id, thumb, playable } = video;
  return (
    <UnstyledButton className={tile.tile} role="option" aria-selected={isChosen} onClick={onChoose}>
      <span className={tile.picture}>
        {thumb ? (
          <img src={thumb} alt="" loading="lazy" decoding="async" />
        ) : (
          <IconVideo size={40} stroke={1.2} aria-hidden />
        )}
      </span>
      <Text span size="sm" truncate display="block">
        {name || id}
      </Text>
      {!playable && (
        <Text span size="xs" c="dimmed">
          Processing
        </Text>
      )}
    </UnstyledButton>
  );
}

const emptyText = (words: string, mayUpload: boolean): string =>
  words ? 'No videos match. Try other words.' : `No videos yet.${mayUpload ? ' Upload the first video above.' : ''}`;

const Library = observer(({ provider, onChoose, onClose }: Props) => {
  const client = useClient();
  const mayUpload = useSession().may('media', 'create');
  const [store] = useState(() => new VideoLibraryStore(client, provider));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [uploads] = useState(
    () =>
      new UploadsStore<ModuleVideo>(
        (file, progress) => client.videos.upload({ params: { provider }, files: { file }, ...progress }),
        () => void store.show(),
      ),
  );
  const { videos } = store;
  const search = useCallback((sought: string) => void store.show(sought), [store]);
  const [words, setWords] = useSearchWords(store.search, search);
  const chosen = videos.find(({ id }) => id === chosenId);

  useEffect(() => {
    void store.show();
    return () => uploads.cancelAll();
  }, [store, uploads]);
  useInterval(() => void store.refresh(), POLL, { autoInvoke: true });

  const choose = () => {
    if (!chosen) return;
    if (!chosen.playable) return showNotification(PROCESSING);
    onChoose(chosen);
    onClose();
  };

  return (
    <Stack>
      <Group align="end">
        <TextInput
          label="Search"
          type="search"
          maxLength={200}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={words}
          data-autofocus
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        {mayUpload && (
          <FileButton accept="video/*" onChange={(file) => file && uploads.add([file])}>
            {(props) => (
              <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} {...props}>
                Upload
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {!mayUpload && (
        <Text size="sm" c="dimmed">
          You can choose videos but not upload them. Ask an administrator for permission to add media.
        </Text>
      )}
      <UploadList store={uploads} />
      <LibraryGrid
        store={store}
        label="Videos"
        failure="The videos could not be loaded."
        empty={videos.length === 0 && emptyText(words, mayUpload)}
        className={classes.grid}
        onClose={onClose}
        onChoose={chosen && choose}
      >
        {videos.map((video) => (
          <Tile key={video.id} video={video} isChosen={video.id === chosenId} onChoose={() => setChosenId(video.id)} />
        ))}
      </LibraryGrid>
    </Stack>
  );
});

/** Video manager: choose or upload a platform video. Esc and the backdrop close it. */
export function VideoManager(props: Props) {
  const session = useSession();
  return (
    <Modal opened onClose={props.onClose} title="Videos" size="xl" centered>
      {session.may('media', 'view_any') ? <Library {...props} /> : <NoMedia />}
    </Modal>
  );
}
