import { Kbd, Menu } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { say } from '../../ui/language/say.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { ROOM_CANVAS } from '../canvas/room-canvas.ts';
import { pasteByMenu } from '../clipboard/use-clipboard.ts';
import type { Actions } from '../keys/actions.ts';
import { SHORTCUTS, type ShortcutId, usualKey } from '../keys/shortcuts.ts';
import { useEditor } from '../session/editor-context.ts';

/** Menu items, in groups with a separator between them. */
const GROUPS: readonly (readonly ShortcutId[])[] = [
  ['cut', 'copy', 'paste', 'pasteInPlace', 'duplicate'],
  ['rename', 'hide', 'group', 'ungroup', 'saveBlock', 'hang', 'frame'],
  ['goToPoint', 'setPoint'],
  ['add', 'undo', 'redo'],
  ['goToStart', 'setStart', 'measure'],
  ['remove'],
];

/** Maximum pointer movement in pixels between press and release for the menu to open. */
const STILL = 4;

/** Position of the menu, and whether it is on the canvas. */
interface Opened {
  x: number;
  y: number;
  isOnCanvas: boolean;
}

const ROW = 'li[data-id]';

/** Context menu on the canvas and in the tree; the menu key opens it from the keyboard. */
export const ContextMenu = observer(({ actions }: { actions: Actions }) => {
  const editor = useEditor();
  const { document: room, selection } = editor;
  const [opened, setOpened] = useState<Opened | null>(null);
  const pressed = useRef({ x: 0, y: 0 });
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const onPress = ({ clientX: x, clientY: y }: PointerEvent) => {
      pressed.current = { x, y };
    };
    const onMenu = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const canvas = target?.closest(ROOM_CANVAS);
      const row = target?.closest<HTMLElement>(`[aria-label="${say('Elements')}"] ${ROW}`);
      if (!canvas && !row) return;
      event.preventDefault();
      // The menu key has no pointer position.
      const isByKey = event.button !== 2;
      const { x, y } = isByKey ? (row ?? canvas)!.getBoundingClientRect() : { x: event.clientX, y: event.clientY };
      const isDragged = Math.hypot(x - pressed.current.x, y - pressed.current.y) > STILL;
      // Dragging with the right button moves the camera.
      if (canvas && !isByKey && isDragged) return;
      // A press on a selected element keeps a multiple selection.
      const id = row ? Number(row.dataset.id) : isByKey ? null : selection.hoveredId;
      if (id !== null && !selection.has(id)) selection.select(id);
      setOpened({ x, y, isOnCanvas: canvas !== null && canvas !== undefined && !isByKey });
    };
    window.document.addEventListener('pointerdown', onPress, { signal, capture: true });
    window.document.addEventListener('contextmenu', onMenu, { signal });
    return () => abort.abort();
  }, [selection]);
  const pasteHere = () => {
    const { tools } = canvasOf(room);
    if (opened && tools) void pasteByMenu(editor, { spot: tools.spotAt(opened.x, opened.y) });
  };
  const run = (id: ShortcutId) => {
    const canvas = canvasOf(room);
    if (id === 'add' && opened?.isOnCanvas) canvas.addingAt = canvas.tools?.spotAt(opened.x, opened.y);
    actions[id]?.run();
  };
  const groups = GROUPS.map((ids) => ids.filter((id) => actions[id]?.isPossible?.() ?? true));
  return (
    <Menu
      opened={opened !== null}
      onChange={(is) => !is && setOpened(null)}
      position="bottom-start"
      offset={0}
      // Near the edge of the window, it moves over the pointer rather than out of sight.
      middlewares={{ shift: { crossAxis: true, padding: 8 } }}
      withinPortal
      withInitialFocusPlaceholder={false}
      shadow="md"
      width={280}
    >
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: opened?.x ?? 0, top: opened?.y ?? 0 }} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Actions" mah="calc(100dvh - 16px)" style={{ overflowY: 'auto' }}>
        {groups.map((ids, index) => [
          index > 0 && ids.length > 0 && <Menu.Divider key={`line ${ids[0]}`} />,
          ...ids.map((id) => (
            <Menu.Item
              key={id}
              color={id === 'remove' ? 'red' : undefined}
              rightSection={<Kbd size="xs">{usualKey(id)}</Kbd>}
              onClick={() => run(id)}
            >
              {SHORTCUTS[id].title}
            </Menu.Item>
          )),
          index === 0 && opened?.isOnCanvas && !room.isReadOnly && (
            <Menu.Item key="here" onClick={pasteHere}>
              Paste here
            </Menu.Item>
          ),
        ])}
      </Menu.Dropdown>
    </Menu>
  );
});
