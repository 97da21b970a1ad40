import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import { Select, TextInput } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import {
  IconChevronDown,
  IconChevronRight,
  IconCornerUpRight,
  IconFolder,
  IconFolderPlus,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Area, Right } from '../../../contract/entities.ts';
import { ActionsMenu, type MenuAction } from '../../../ui/ActionsMenu.tsx';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import type { FolderNode } from '../../../ui/folders/folder-tree.ts';
import { IconAction } from '../../../ui/IconAction.tsx';
import { numberText } from '../../../ui/language/say.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { countText } from '../../stores/list-store.ts';
import { type AskedEntry, ChooseDialog, chosenEntry } from '../ChooseDialog.tsx';
import { useAddressFilter } from '../FilterSelect.tsx';
import { FormDialog } from '../FormDialog.tsx';
import classes from './folders.module.css';
import type { FoldersStore } from './folders-store.ts';

/** Filter value for items in no folder. */
const NONE = '0';

/** A folder that is being named: an existing one, or a new one in a parent. */
interface Named {
  folder: FolderNode | null;
  parentId: number | null;
}

/** Asks for the name of a folder. */
function NameDialog({ store, named, onClose }: { store: FoldersStore; named: Named; onClose(): void }) {
  const { folder, parentId } = named;
  const parent = store.find(parentId);
  return (
    <FormDialog
      title={folder ? 'Rename folder' : parent ? `New folder in “${parent.name}”` : 'New folder'}
      centered
      initial={{ name: folder?.name ?? '' }}
      action={folder ? 'Rename' : 'Add'}
      isComplete={({ name }) => name.trim() !== ''}
      onSubmit={async ({ name }) => {
        await (folder ? store.update(folder.id, { name }) : store.create(name, parentId));
        onClose();
      }}
      onClose={onClose}
    >
      {({ draft, set, errors }) => (
        <TextInput
          label="Name"
          maxLength={120}
          data-autofocus
          value={draft.name}
          error={errors.name?.[0] ?? errors.parent_id?.[0]}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      )}
    </FormDialog>
  );
}

/** Describes the effect of removing a folder. */
function removalText(folder: FolderNode, parent: FolderNode | undefined, nouns: string): string {
  const contents = [
    ...(folder.items > 0 ? [countText(folder.items, nouns)] : []),
    ...(folder.children.length > 0 ? [countText(folder.children.length, 'subfolders')] : []),
  ].join(' and ');
  if (contents === '') return `The folder “${folder.name}” is empty.`;
  const place = parent ? `to “${parent.name}”` : 'out of it';
  return `The folder “${folder.name}” will be removed. Its ${contents} move ${place}; no ${nouns.replace(/s$/, '')} is removed.`;
}

/**
 * Dialogs and actions of folders.
 * @param area area of the items; `update` is the right to change folders
 */
export function useFolderActions(
  store: FoldersStore,
  { area, update }: { area: Area; update: Right },
): {
  dialogs: ReactNode;
  addTo: ((parentId: number | null) => void) | undefined;
  actionsOf(folder: FolderNode): MenuAction[];
} {
  const session = useSession();
  const [params, setFilter] = useAddressFilter();
  const [named, setNamed] = useState<Named | null>(null);
  const [asked, setAsked] = useState<AskedEntry | null>(null);
  const move = async (folder: FolderNode) => {
    const parent_id = await chosenEntry(setAsked, {
      title: `Move “${folder.name}”`,
      label: 'To folder',
      placeholder: 'Top level',
      action: 'Move',
      find: async (words) => store.matching(words, store.branchOf(folder.id)),
    });
    if (parent_id !== undefined) await store.update(folder.id, { parent_id });
  };
  const remove = async (folder: FolderNode) => {
    const parent = store.find(folder.parent_id);
    const question = {
      title: 'Are you sure you want to remove this folder?',
      text: removalText(folder, parent, store.nouns),
    };
    if (!(await confirm({ ...question, action: 'Remove', destroys: true }))) return;
    await store.remove(folder);
    if (params.get('folder') === String(folder.id)) setFilter('folder', parent ? String(parent.id) : null);
  };
  const mayAdd = session.may(area, 'create');
  const mayChange = session.may(area, update);
  return {
    dialogs: (
      <>
        {named && <NameDialog store={store} named={named} onClose={() => setNamed(null)} />}
        {asked && <ChooseDialog asked={asked} />}
      </>
    ),
    addTo: mayAdd ? (parentId) => setNamed({ folder: null, parentId }) : undefined,
    actionsOf: (folder) => [
      ...(mayAdd
        ? [
            {
              label: 'New folder inside',
              icon: <IconFolderPlus size={18} />,
              takesFocus: true,
              onClick: () => setNamed({ folder: null, parentId: folder.id }),
            },
          ]
        : []),
      ...(mayChange
        ? [
            {
              label: 'Rename',
              icon: <IconPencil size={18} />,
              takesFocus: true,
              onClick: () => setNamed({ folder, parentId: folder.parent_id }),
            },
            {
              label: 'Move',
              icon: <IconCornerUpRight size={18} />,
              takesFocus: true,
              onClick: () => void move(folder).catch(showProblem),
            },
          ]
        : []),
      ...(session.may(area, 'delete')
        ? [
            {
              label: 'Remove',
              icon: <IconTrash size={18} />,
              destroys: true,
              takesFocus: true,
              onClick: () => void remove(folder).catch(showProblem),
            },
          ]
        : []),
    ],
  };
}

/** Makes a row or card draggable. @param ids the dragged items @param nouns plural noun of them @returns a function that stops it */
export function carryItems(element: HTMLElement, ids: () => readonly number[], nouns: string): () => void {
  // The row is dragged, not its link or its image.
  for (const inner of element.querySelectorAll<HTMLElement>('a, img')) inner.draggable = false;
  return draggable({
    element,
    canDrag: ({ input }) => !(document.elementFromPoint(input.clientX, input.clientY) instanceof HTMLInputElement),
    getInitialData: () => ({ carried: ids() }),
    onGenerateDragPreview: ({ nativeSetDragImage }) =>
      setCustomNativeDragPreview({
        nativeSetDragImage,
        render: ({ container }) => {
          const label = document.createElement('div');
          label.className = classes.carried!;
          label.textContent = countText(ids().length, nouns);
          container.append(label);
        },
      }),
  });
}

const carriedOf = ({ carried }: Record<string | symbol, unknown>) =>
  Array.isArray(carried) ? (carried as number[]) : null;

interface LineProps {
  name: string;
  /** Value of the filter; null for all items. */
  value: string | null;
  depth: number;
  count?: number;
  toggle?: ReactNode;
  actions?: ReactNode;
  /** Called with items that are dropped here; nothing can be dropped without it. */
  onDrop?: ((ids: readonly number[]) => void) | undefined;
}

/** A folder, or one of the entries around them. */
function Line({ name, value, depth, count, toggle, actions, onDrop }: LineProps) {
  const [params] = useAddressFilter();
  const element = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  const takes = onDrop !== undefined;
  useEffect(() => {
    if (!takes || !element.current) return;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => carriedOf(source.data) !== null,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        drop.current?.(carriedOf(source.data)!);
      },
    });
  }, [takes]);
  const next = new URLSearchParams(params);
  next.delete('page');
  if (value === null) next.delete('folder');
  else next.set('folder', value);
  return (
    <div
      ref={element}
      className={classes.line}
      style={{ '--depth': depth } as CSSProperties}
      data-over={isOver || undefined}
    >
      {toggle || <span className={classes.noToggle} />}
      <Link
        to={{ search: next.toString() }}
        replace
        draggable={false}
        className={classes.name}
        aria-current={params.get('folder') === value ? 'true' : undefined}
      >
        {value !== null && value !== NONE && <IconFolder size={16} aria-hidden />}
        <span className={classes.text}>{name}</span>
        {count !== undefined && count > 0 && <span className={classes.count}>{numberText(count)}</span>}
      </Link>
      {actions && <span className={classes.actions}>{actions}</span>}
    </div>
  );
}

interface PanelProps {
  store: FoldersStore;
  actions: ReturnType<typeof useFolderActions>;
  /** Moves items; missing if the user may not. */
  onMove?: ((ids: readonly number[], folderId: number | null) => void) | undefined;
}

interface BranchProps extends PanelProps {
  nodes: readonly FolderNode[];
  depth: number;
  opened: readonly number[];
  onToggle(id: number): void;
}

const Branch = observer((props: BranchProps) => {
  const { nodes, depth, opened, actions, onToggle, onMove } = props;
  return (
    <ul className={classes.list}>
      {nodes.map((folder) => {
        const { id, name, total, children } = folder;
        const isOpen = opened.includes(id);
        const items = actions.actionsOf(folder);
        return (
          <li key={id}>
            <Line
              name={name}
              value={String(id)}
              depth={depth}
              count={total}
              onDrop={onMove && ((ids) => onMove(ids, id))}
              toggle={
                children.length > 0 && (
                  <IconAction
                    label={isOpen ? `Close ${name}` : `Open ${name}`}
                    isExpanded={isOpen}
                    icon={isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
                    onClick={() => onToggle(id)}
                  />
                )
              }
              actions={items.length > 0 && <ActionsMenu name={name} items={items} />}
            />
            {isOpen && children.length > 0 && <Branch {...props} nodes={children} depth={depth + 1} />}
          </li>
        );
      })}
    </ul>
  );
});

/** Folders beside a list: a tree, or a select on narrow screens. */
export const FolderPanel = observer(({ store, actions, onMove }: PanelProps) => {
  const [params, setFilter] = useAddressFilter();
  const isNarrow = useMediaQuery('(max-width: 1000px)', undefined, { getInitialValueInEffect: false });
  const [opened, setOpened] = useLocalStorage<number[]>({
    key: store.nouns === 'spaces' ? 'enfilade.folders.open' : `enfilade.folders.open.${store.nouns}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const chosen = store.find(Number(params.get('folder')) || null);
  const parents: number[] = [];
  for (let above = store.find(chosen?.parent_id ?? null); above; above = store.find(above.parent_id))
    parents.push(above.id);
  const key = parents.join();
  // The chosen folder is visible; its parents can be closed again.
  useEffect(() => {
    if (key !== '') setOpened((before) => [...new Set([...before, ...key.split(',').map(Number)])]);
  }, [key, setOpened]);
  if (store.folders.length === 0) return null;
  if (isNarrow) {
    const items = chosen ? actions.actionsOf(chosen) : [];
    return (
      <div className={classes.narrow}>
        <Select
          aria-label="Folder"
          placeholder={`All ${store.nouns}`}
          clearable
          searchable
          flex={1}
          data={[
            ...store.all.map(({ id, path }) => ({ value: String(id), label: path })),
            { value: NONE, label: 'No folder' },
          ]}
          value={params.get('folder')}
          onChange={(value) => setFilter('folder', value)}
        />
        {chosen && items.length > 0 && <ActionsMenu name={chosen.name} items={items} />}
      </div>
    );
  }
  const toggle = (id: number) =>
    setOpened((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id]));
  const { addTo } = actions;
  return (
    <nav aria-label="Folders" className={classes.panel}>
      <div className={classes.head}>
        <span>Folders</span>
        {addTo && <IconAction label="New folder" icon={<IconFolderPlus size={16} />} onClick={() => addTo(null)} />}
      </div>
      <Line name={`All ${store.nouns}`} value={null} depth={0} />
      <Branch
        nodes={store.tree}
        depth={0}
        opened={opened}
        onToggle={toggle}
        store={store}
        actions={actions}
        onMove={onMove}
      />
      <Line name="No folder" value={NONE} depth={0} onDrop={onMove && ((ids) => onMove(ids, null))} />
    </nav>
  );
});
