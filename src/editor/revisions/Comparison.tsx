import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { sentenceOf } from '../../../engine/document/difference.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { momentText } from '../../ui/moment-text.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import { nameOfRevision } from './RevisionRow.tsx';
import classes from './revisions.module.css';
import { type RevisionsStore, restorableOf } from './revisions-store.ts';

/** Differences that are shown; of more, the number is said. */
const MAX_SHOWN_CHANGES = 200;

/** What has changed since the chosen revision, and what takes it back. */
export const Comparison = observer(({ store }: { store: RevisionsStore }) => {
  const { chosen, changes, hasComparisonFailed, isBusy } = store;
  if (!chosen) return null;
  if (hasComparisonFailed)
    return (
      <Stack align="flex-start" gap="xs" role="alert">
        <Text size="sm">This revision could not be read.</Text>
        <Button size="xs" variant="default" onClick={() => store.choose(chosen.id)}>
          Try again
        </Button>
      </Stack>
    );
  if (!changes)
    return (
      <Stack gap={6} role="status" aria-label="Comparing">
        <Skeleton height={20} width="60%" />
        <Skeleton height={20} />
        <Skeleton height={20} />
      </Stack>
    );
  const restoreAll = async () => {
    const question = {
      title: 'Restore this revision?',
      text: `The space becomes what it was ${momentText(chosen.at)}. Its present state is saved as a revision first.`,
      action: 'Restore',
    };
    if (await confirm(question)) await store.restore(chosen);
  };
  return (
    <EditingControls>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={3} size="h5">
            Since “{nameOfRevision(chosen)}”
          </Title>
          <Button
            size="xs"
            variant="light"
            style={{ flex: 'none' }}
            leftSection={<IconRestore size={16} aria-hidden />}
            loading={isBusy}
            disabled={changes.length === 0}
            onClick={() => void restoreAll()}
          >
            Restore all
          </Button>
        </Group>
        {changes.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing has changed since.
          </Text>
        ) : (
          <ul className={classes.changes} aria-label="What has changed since">
            {changes.slice(0, MAX_SHOWN_CHANGES).map((difference) => {
              const sentence = sentenceOf(difference);
              const subject = restorableOf(difference);
              return (
                <li key={sentence}>
                  <span>{sentence}</span>
                  {subject && (
                    <IconAction
                      label={`Restore ${subject.name || 'this element'}: ${sentence}`}
                      hint="Restore only this element"
                      isDisabled={isBusy}
                      icon={<IconRestore size={16} />}
                      onClick={() => void store.restore(chosen, subject)}
                    />
                  )}
                </li>
              );
            })}
            {changes.length > MAX_SHOWN_CHANGES && <li>And {changes.length - MAX_SHOWN_CHANGES} more.</li>}
          </ul>
        )}
      </Stack>
    </EditingControls>
  );
});
