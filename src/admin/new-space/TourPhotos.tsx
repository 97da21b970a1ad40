import { ActionIcon, Alert, Group, Select, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import type { TourLinks } from '../../../engine/document/tour-edits.ts';
import type { Media } from '../../contract/entities.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import type { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Quiet } from '../frame/text.tsx';
import { DropStep } from './DropStep.tsx';
import classes from './new-space.module.css';
import type { NewSpaceStore } from './new-space-store.ts';
import type { TourRow } from './tour-draft.ts';

/** Width of a thumbnail in CSS pixels. */
const THUMBNAIL = 96;

const LINKS: { value: TourLinks; label: string }[] = [
  { value: 'consecutive', label: 'Each with the next, both ways' },
  { value: 'neighbors', label: 'Neighbors by position, both ways' },
  { value: 'none', label: 'None' },
];

const PhotoRow = ({ row: { file, name, rank, note, isSkipped }, onLeaveOut }: { row: TourRow; onLeaveOut(): void }) => (
  <li className={classes.photo} data-skipped={isSkipped || undefined}>
    <img {...thumbnailOf(file.url, THUMBNAIL)} width={THUMBNAIL} height={THUMBNAIL / 2} alt="" loading="lazy" />
    <div className={classes.photoText}>
      <Text size="sm" fw={500} truncate title={file.name}>
        {rank === null ? '' : `${rank}. `}
        {name}
      </Text>
      {note && (
        <Text size="xs" c={isSkipped ? 'red' : 'dimmed'}>
          {isSkipped ? `Skipped. ${note}` : note}
        </Text>
      )}
    </div>
    <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${file.name}`} onClick={onLeaveOut}>
      <IconX size={16} />
    </ActionIcon>
  </li>
);

/** The photos of a new tour with their planned places, and their uploads. */
export const TourPhotos = observer(({ store, uploads }: { store: NewSpaceStore; uploads: UploadsStore<Media> }) => {
  const { tour, files } = store;
  const { links } = tour;
  const isUploading = uploads.pending > 0;
  useEffect(() => {
    tour.reset();
    if (!isUploading && files.length > 1) tour.replan(files, links).catch(showProblem);
  }, [tour, files, isUploading, links]);
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Select
          label="Links between places"
          data={LINKS}
          allowDeselect={false}
          value={links}
          onChange={(value) => tour.setLinks(value as TourLinks)}
        />
      </Group>
      {tour.problem && (
        <Alert color="red" title="Tour can't be planned" role="alert">
          {tour.problem}
        </Alert>
      )}
      <Quiet role="status">
        {tour.summary || (isUploading ? 'Planning starts once all photos are uploaded.' : 'Planning the tour…')}
      </Quiet>
      <UploadList store={uploads} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access. */}
      <section className={classes.photos} aria-label="Photos" tabIndex={0}>
        <ol>
          {tour.rowsOf(files).map((row) => (
            <PhotoRow key={row.file.id} row={row} onLeaveOut={() => store.leaveOut(row.file)} />
          ))}
        </ol>
      </section>
      <DropStep store={store} uploads={uploads} isMore />
    </Stack>
  );
});
