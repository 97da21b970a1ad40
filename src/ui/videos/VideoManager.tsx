import { Button, FileButton, Group, Loader, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useIntersection, useInterval } from '@mantine/hooks';
import { IconSearch, IconUpload, IconVideo } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import type { VideoProvider } from '../../contract/calls/videos.ts';
import { useClient } from '../client-context.ts';
import { NoMedia } from '../media/MediaManager.tsx';
import { UploadList } from '../media/UploadList.tsx';
import { UploadsStore } from '../media/uploads-store.ts';
import { showNotice } from '../notices.ts';
import { useSession } from '../session/session-context.ts';
import tile from '../tile.module.css';
import { type ModuleVideo, VideoLibraryStore } from './video-library-store.ts';
import classes from './videos.module.css';

/** Milliseconds without a key after which the platform is searched. */
const DEBOUNCE = 300;
/** Milliseconds between looks at videos that are still being processed. */
const POLL = 5000;

const PROCESSING = 'This video is still being processed.';

interface Props {
  /** Platform whose videos are shown. */
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
          Being processed
        </Text>
      )}
    </UnstyledButton>
  );
}

const Library = observer(({ provider, onChoose, onClose }: Props) => {
  const client = useClient();
  const mayUpload = useSession().may('media', 'create');
  const [store] = useState(() => new VideoLibraryStore(client, provider));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const [uploads] = useState(
    () =>
      new UploadsStore<ModuleVideo>(
        (file, progress) => client.videos.upload({ params: { provider }, files: { file }, ...progress }),
        () => void store.show(),
      ),
  );
  const grid = useRef<HTMLDivElement>(null);
  const { ref: end, entry: endEntry } = useIntersection({ root: grid.current, rootMargin: '300px' });
  const { videos, state } = store;
  const chosen = videos.find(({ id }) => id === chosenId);

  useEffect(() => {
    void store.show();
    return () => uploads.cancelAll();
  }, [store, uploads]);
  useEffect(() => {
    if (words === store.search) return;
    const timer = setTimeout(() => void store.show(words), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [words, store]);
  useEffect(() => {
    if (endEntry?.isIntersecting && state === 'ready' && store.hasMore) void store.more();
  }, [endEntry, state, store]);
  useInterval(() => void store.refresh(), POLL, { autoInvoke: true });

  const choose = () => {
    if (!chosen) return;
    if (!chosen.playable) return showNotice(PROCESSING);
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
          You can choose videos but not upload any. Ask an administrator for the right to add media.
        </Text>
      )}
      <UploadList store={uploads} />
      {state === 'failed' ? (
        <Group>
          <Text c="red" role="alert">
            The videos could not be loaded.
          </Text>
          <Button size="xs" variant="light" onClick={() => void store.more()}>
            Try again
          </Button>
        </Group>
      ) : (
        <div ref={grid} className={classes.grid} role="listbox" aria-label="Videos">
          {videos.map((video) => (
            <Tile
              key={video.id}
              video={video}
              isChosen={video.id === chosenId}
              onChoose={() => setChosenId(video.id)}
            />
          ))}
          <div ref={end} role="presentation" />
        </div>
      )}
      {state === 'loading' && <Loader size="sm" aria-label="Loading" />}
      {state === 'ready' && videos.length === 0 && (
        <Text c="dimmed">
          {words ? 'No videos match. Try other words.' : 'Nothing here yet.'}
          {!words && mayUpload && ' Upload the first video above.'}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!chosen} onClick={choose}>
          Choose
        </Button>
      </Group>
    </Stack>
  );
});

/** The video manager: chooses a video of a platform, or uploads one. Esc and the backdrop close it. */
export function VideoManager(props: Props) {
  const session = useSession();
  return (
    <Modal opened onClose={props.onClose} title="Videos" size="xl" centered>
      {session.may('media', 'view_any') ? <Library {...props} /> : <NoMedia />}
    </Modal>
  );
}
