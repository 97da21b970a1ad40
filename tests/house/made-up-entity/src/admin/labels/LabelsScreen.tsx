import { ColorInput, ColorSwatch, Textarea, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { LABEL_ORDERS } from '../../contract/calls/labels.ts';
import type { Client } from '../../contract/client.ts';
import type { Label } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { words } from '../frame/fields.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { chosenOrder, ListStore } from '../stores/list-store.ts';

const LABELS: Resource<Label> = {
  title: 'Labels',
  noun: 'label',
  nouns: 'labels',
  area: 'settings',
  path: '/admin/labels',
  empty: 'No labels yet.',
  nameOf: ({ name }) => name,
  lead: ({ color }) => <ColorSwatch color={color} size={20} />,
  rename: ({ labels }, { id, updated_at }, name, stamp = updated_at) =>
    labels.update({ params: { id }, body: { name, updated_at: stamp } }),
  columns: [
    { id: 'note', label: 'Note', cell: ({ note }) => note },
    { id: 'edited', label: 'Edited', order: '-edited', cell: ({ updated_at }) => momentText(updated_at) },
  ],
  removal: { text: 'This cannot be undone.' },
};

const createLabelsStore = (client: Client) =>
  new ListStore<Label>({
    list: ({ search, page, filters }) =>
      client.labels.list({ query: { search, page, sort: chosenOrder(LABEL_ORDERS, filters) } }),
    remove: (id) => client.labels.remove({ params: { id } }),
  });

type LabelDraft = Pick<Label, 'name' | 'color' | 'note'>;

function LabelDialog({
  label,
  onSave,
  onClose,
}: {
  /** Null when adding. */
  label: Label | null;
  onSave(draft: LabelDraft): Promise<void>;
  onClose(): void;
}) {
  const initial: LabelDraft = { name: label?.name ?? '', color: label?.color ?? '#2b8a3e', note: label?.note ?? '' };
  return (
    <FormDialog
      title={label ? 'Edit label' : 'Add a label'}
      initial={initial}
      action={label ? 'Save' : 'Add'}
      onSubmit={onSave}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput label="Name" withAsterisk data-autofocus maxLength={120} {...words(form, 'name')} />
          <ColorInput
            label="Color"
            withAsterisk
            value={form.draft.color}
            error={form.errors.color?.[0]}
            onChange={(color) => form.set({ color })}
          />
          <Textarea label="Note" autosize minRows={2} maxLength={1000} {...words(form, 'note')} />
        </>
      )}
    </FormDialog>
  );
}

export const LabelsScreen = observer(() => {
  const session = useSession();
  const { labels } = session.client;
  const [store] = useState(() => createLabelsStore(session.client));
  const [params, setParams] = useSearchParams();
  const mayChange = session.may('settings', 'update');
  const open = (dialog: Record<string, string>) => setParams(dialog, { replace: true });
  const edited = store.rows.find(({ id }) => String(id) === params.get('edit'));
  const save = async (draft: LabelDraft) => {
    if (edited) await labels.update({ params: { id: edited.id }, body: { ...draft, updated_at: edited.updated_at } });
    else await labels.create({ body: draft });
    await store.load();
    open({});
  };
  return (
    <>
      <ListScreen
        of={LABELS}
        store={store}
        onAdd={() => open({ add: '1' })}
        actions={({ id }) => [
          mayChange && { label: 'Edit', icon: <IconPencil size={18} />, onClick: () => open({ edit: String(id) }) },
        ]}
      />
      {(params.has('add') || (edited && mayChange)) && (
        <LabelDialog key={edited?.id} label={edited ?? null} onSave={save} onClose={() => open({})} />
      )}
    </>
  );
});
