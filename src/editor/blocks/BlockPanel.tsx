import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconComponents } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { hasSameContent, isPlace, type PlaceElement } from '../../../engine/document/blocks.ts';
import { branchOf, findElement } from '../../../engine/document/tree.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useDraft } from '../fields/contexts.ts';
import { SAVE_BLOCK_EVENT } from '../keys/events.ts';
import { useEditor } from '../session/editor-context.ts';
import { detachPlace, type PlaceState, placesPath, readPlace, saveToBlock, updatePlace } from './block-actions.ts';

/** The state of a place, and its actions. */
const PlacePanel = observer(({ place }: { place: PlaceElement }) => {
  const editor = useEditor();
  const session = useSession();
  const { client, document } = editor;
  const { block_id, block_version } = place.config;
  const [state, setState] = useState<PlaceState | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** Number of saves here, each of which changes the block. */
  const [saves, setSaves] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again for another version, and after a save.
  useEffect(() => {
    let isCurrent = true;
    readPlace(client, place).then((read) => isCurrent && setState(read), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, block_id, block_version, saves]);
  if (!state) return null;
  const { block, base } = state;
  const branch = branchOf(document.room.elements, place.id);
  const isOutdated = block !== null && block_version !== block.version;
  // Until the place's own version is read, its changes are unknown.
  const isRead = base === null || base.version === block_version;
  const isChanged = isRead && (!base || !hasSameContent(branch, base.elements));
  const run = (work: () => Promise<void>) => {
    setBusy(true);
    void work()
      .catch(showProblem)
      .finally(() => {
        setBusy(false);
        setSaves((count) => count + 1);
      });
  };
  return (
    <Paper withBorder p="xs" role="group" aria-label="Block">
      <Stack gap={8}>
        <Group gap={6} wrap="nowrap">
          <IconComponents size={16} aria-hidden />
          <Text size="sm" fw={600} truncate>
            {block ? block.name : 'Removed block'}
          </Text>
          <Text size="xs" c="dimmed" flex="none">
            Version {block_version}
          </Text>
        </Group>
        {block === null ? (
          <Text size="xs" c="dimmed">
            The block was removed. Its elements stay; detach them to make this an ordinary group.
          </Text>
        ) : (
          <Group gap={6}>
            {isChanged && (
              <Badge variant="light" color="gray" tt="none">
                Changed here
              </Badge>
            )}
            {isOutdated ? (
              <Badge variant="light" color="brass" tt="none">
                Version {block.version} available
              </Badge>
            ) : (
              !isChanged && (
                <Text size="xs" c="dimmed">
                  Up to date
                </Text>
              )
            )}
            <Anchor size="xs" href={placesPath(block_id)} target="_blank">
              {block.places === 1 ? '1 place' : `${block.places} places`}
            </Anchor>
          </Group>
        )}
        <Group gap={6}>
          {block && (isOutdated || isChanged) && (
            <Button
              size="compact-xs"
              variant="light"
              disabled={isBusy}
              onClick={() => run(() => updatePlace(editor, place, state))}
            >
              Update this place
            </Button>
          )}
          {block && isChanged && session.may('rooms', 'update') && (
            <Button
              size="compact-xs"
              variant="light"
              disabled={isBusy}
              onClick={() => run(() => saveToBlock(editor, place))}
            >
              Save changes to block
            </Button>
          )}
          <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => detachPlace(editor, place)}>
            Detach
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
});

/** The block of a group; for an ordinary group, a button that makes one of it. */
export const BlockPanel = observer(() => {
  const { document } = useEditor();
  const { id } = useDraft().element;
  const session = useSession();
  const group = findElement(document.room.elements, id);
  if (!group) return null;
  if (isPlace(group)) return <PlacePanel key={id} place={group} />;
  if (!session.may('rooms', 'create')) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconComponents size={16} aria-hidden />}
      onClick={() => dispatchEvent(new Event(SAVE_BLOCK_EVENT))}
      style={{ alignSelf: 'flex-start' }}
    >
      Save as block…
    </Button>
  );
});
