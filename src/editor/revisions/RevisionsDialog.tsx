import { Button, Group, Modal, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconBookmarkPlus, IconPencil, IconRestore, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../../../engine/document/difference.ts';
import type { Revision } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { momentText } from '../../ui/moment-text.ts';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import { useEditor } from '../session/editor-context.ts';
import classes from './revisions.module.css';
import { RevisionsStore, restorableOf } from './revisions-store.ts';

/** Maximum number of differences shown; the rest are counted. */
const MAX_SHOWN_CHANGES = 200;

/** Differences from the chosen revision, and actions to restore it. */
const Comparison = observer(({ store }: { store: RevisionsStore }) => {
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

const UNNAMED: Record<Revision['kind'], string> = {
  named: 'Revision',
  automatic: 'Automatic',
  before_restore: 'Before a restore',
};

export const nameOfRevision = ({ name, kind }: Revision): string => name || UNNAMED[kind];

/** A revision; pressing it compares it with the current room. */
const RevisionRow = observer(({ revision, store }: { revision: Revision; store: RevisionsStore }) => {
  const [typed, setTyped] = useState<string | null>(null);
  const name = nameOfRevision(revision);
  const label = `${name}, ${momentText(revision.at)}`;
  const rename = async () => {
    const wanted = typed?.trim() ?? '';
    setTyped(null);
    if (wanted !== '' && wanted !== revision.name) await store.rename(revision.id, wanted);
  };
  const remove = async () => {
    const question = {
      title: 'Are you sure you want to remove this revision?',
      text: `“${name}” will be removed; the space stays as it is. This cannot be undone.`,
      action: 'Remove',
      destroys: true,
    };
    if (await confirm(question)) await store.remove(revision.id);
  };
  return (
    <li className={classes.row} data-chosen={store.chosenId === revision.id || undefined}>
      {typed === null ? (
        <button
          type="button"
          className={classes.name}
          aria-pressed={store.chosenId === revision.id}
          onClick={() => store.choose(revision.id)}
        >
          <span className={revision.name ? classes.named : classes.unnamed}>{name}</span>
          <span className={classes.facts}>
            {momentText(revision.at)}
            {revision.user && ` · ${revision.user.name}`}
            {` · ${revision.elements} ${revision.elements === 1 ? 'element' : 'elements'}`}
          </span>
        </button>
      ) : (
        <TextInput
          className={classes.name}
          size="xs"
          autoFocus
          aria-label={`Name of ${label}`}
          maxLength={120}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => void rename()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void rename();
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setTyped(null);
          }}
        />
      )}
      <EditingControls className={classes.actions}>
        <IconAction
          label={`Rename ${label}`}
          hint="Rename"
          icon={<IconPencil size={16} />}
          onClick={() => setTyped(revision.name)}
        />
        <IconAction
          label={`Remove ${label}`}
          hint="Remove"
          destroys
          icon={<IconTrash size={16} />}
          onClick={() => void remove()}
        />
      </EditingControls>
    </li>
  );
});

const MAX_REVISION_NAME = 120;

const NewRevision = observer(({ store }: { store: RevisionsStore }) => {
  const [name, setName] = useState('');
  const onFocus = useTypedAhead((typed) => setName((before) => before + typed));
  const save = async () => {
    if (name.trim() !== '' && (await store.save(name.trim()))) setName('');
  };
  return (
    <form
      className={classes.make}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        aria-label="Name of the revision"
        placeholder="Before the opening"
        maxLength={MAX_REVISION_NAME}
        data-autofocus
        value={name}
        onFocus={onFocus}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        leftSection={<IconBookmarkPlus size={16} aria-hidden />}
        loading={store.isBusy}
        disabled={name.trim() === ''}
      >
        Save a revision
      </Button>
    </form>
  );
});

const List = observer(({ store }: { store: RevisionsStore }) => {
  const { list, state } = store;
  if (state === 'failed')
    return (
      <Stack align="flex-start" gap="xs" role="alert">
        <Text size="sm">The revisions could not be loaded.</Text>
        <Button size="xs" variant="default" onClick={() => void store.load()}>
          Try again
        </Button>
      </Stack>
    );
  if (!list)
    return (
      <Stack gap={6} role="status" aria-label="Loading">
        <Skeleton height={48} />
        <Skeleton height={48} />
        <Skeleton height={48} />
      </Stack>
    );
  if (list.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There is none yet. One is made when a changed space is opened, and every ten minutes while it is edited.
      </Text>
    );
  return (
    <ul className={classes.list} aria-label="Revisions">
      {list.map((revision) => (
        <RevisionRow key={revision.id} revision={revision} store={store} />
      ))}
    </ul>
  );
});

/** Dialog with the revisions of the room, to compare and restore them. */
export const RevisionsDialog = observer(({ onClose }: { onClose(): void }) => {
  const editor = useEditor();
  const [store] = useState(() => new RevisionsStore(editor));
  useEffect(() => void store.load(), [store]);
  return (
    <Modal opened onClose={onClose} title="Revisions" size={960} centered>
      <Stack>
        <EditingControls>
          <NewRevision store={store} />
        </EditingControls>
        <div className={classes.columns}>
          <div className={classes.column}>
            <List store={store} />
          </div>
          <div className={classes.column}>
            <Comparison store={store} />
          </div>
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
});
