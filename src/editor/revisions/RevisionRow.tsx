import { TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Revision } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { momentText } from '../../ui/moment-text.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import classes from './revisions.module.css';
import type { RevisionsStore } from './revisions-store.ts';

const UNNAMED: Record<Revision['kind'], string> = {
  named: 'Revision',
  automatic: 'Automatic',
  before_restore: 'Before a restore',
};

/** What a revision is called. */
export const nameOfRevision = ({ name, kind }: Revision): string => name || UNNAMED[kind];

/** One revision: pressing it compares it with now. */
export const RevisionRow = observer(({ revision, store }: { revision: Revision; store: RevisionsStore }) => {
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
