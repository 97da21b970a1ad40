import { NavLink, Text } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { childrenOf } from '../../../../engine/document/tree.ts';
import { EntrySelect } from '../../../ui/EntrySelect.tsx';
import { moved, SortableList } from '../../../ui/sortable/SortableList.tsx';
import { BlockPanel } from '../../blocks/BlockPanel.tsx';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { useEditor } from '../../session/editor-context.ts';
import { titleOf } from '../../session/element-names.ts';
import { type ElementForm, useIcons } from '../parts/form.ts';
import { TimeFields } from '../parts/SettingsFields.tsx';

/** The editable children of the group in slide order; pressing one selects it. */
const Children = observer(() => {
  const { document, selection } = useEditor();
  const iconOf = useIcons();
  const { id: parent } = useDraft().element;
  const all = childrenOf(document.room.elements, parent);
  const children = all.filter(({ editable }) => editable);
  const move = (from: number, to: number) => {
    const child = children[from]!;
    // Positions count all children, including those not listed here.
    const others = all.filter(({ id }) => id !== child.id);
    const behind = moved(children, from, to)[to + 1];
    const index = behind ? others.findIndex(({ id }) => id === behind.id) : others.length;
    const after = others[index - 1]?.id ?? null;
    document.run({ type: 'element.move', id: child.id, parent, after }, { label: `Move “${titleOf(child)}”` });
  };
  if (children.length === 0)
    return (
      <Text size="sm" c="dimmed">
        This group holds nothing that can be edited.
      </Text>
    );
  return (
    <SortableList label="Elements of the group" items={children} keyOf={({ id }) => id} nameOf={titleOf} onMove={move}>
      {(child) => {
        const TypeIcon = iconOf(child.element);
        return (
          <NavLink
            component="button"
            label={titleOf(child)}
            disabled={child.hidden}
            leftSection={<TypeIcon size={16} aria-hidden />}
            onClick={() => selection.select(child.id)}
          />
        );
      }}
    </SortableList>
  );
});

function Content() {
  return (
    <>
      <Field path="name" />
      <BlockPanel />
      <Field path="config.slider_enabled" label="Slider" />
      <TimeFields />
      <Children />
    </>
  );
}

const DataFeed = observer(() => {
  const draft = useDraft();
  const { client } = useEditor();
  const { feed_enabled, feed_id } = (draft.element as ElementOf<'group'>).config;
  const find = async (search: string) =>
    (await client.feeds.list({ query: { ...(search && { search }), per_page: 100 } })).data;
  return (
    <>
      <Field path="config.feed_enabled" label="Data feed" />
      {feed_enabled && (
        <>
          <EntrySelect
            label="Feed"
            placeholder="Choose a feed"
            find={find}
            chosen={feed_id === null ? null : { id: feed_id, name: `Feed ${feed_id}` }}
            value={feed_id === null ? null : String(feed_id)}
            error={draft.errors['config.feed_id']}
            onChange={(id) => draft.set({ 'config.feed_id': id === null ? null : Number(id) })}
          />
          <Field path="config.feed_layout" label="Layout" />
        </>
      )}
    </>
  );
});

export const form: ElementForm = { icon: IconFolder, tabs: { Content, 'Data feed': DataFeed } };
