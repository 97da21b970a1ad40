import { Button, Group, Image, Modal, Stack, Text } from '@mantine/core';
import type { Share } from '../../../contract/entities.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { ShareActions, type ShareActionsProps } from './ShareActions.tsx';
import { STATE_NAMES, waitingText } from './share-words.ts';
import classes from './shares.module.css';

/** A message with all its words, and its image as large as there is room. */
export function ShareDialog({ share, onClose, ...actions }: { share: Share; onClose(): void } & ShareActionsProps) {
  const why = waitingText(share);
  return (
    <Modal opened onClose={onClose} size="lg" title={share.name}>
      <Stack>
        {share.file_url && <Image src={share.file_url} alt="" fit="contain" mah={420} radius="sm" />}
        {share.message && <Text className={classes.whole}>{share.message}</Text>}
        <Text size="sm" c="dimmed">
          {share.feed.name} · {momentText(share.created_at)} · {STATE_NAMES[share.state]}
          {why && ` · ${why}`}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <ShareActions {...actions} shares={[share]} onDone={onClose} />
        </Group>
      </Stack>
    </Modal>
  );
}
