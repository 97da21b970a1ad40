import { Kbd, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { Look } from '../../../engine/tools/camera/free-camera.ts';
import { BOOKMARKS, bookmarksOf, goToStart, showView } from '../canvas/camera-views.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { usualKey } from '../keys/shortcuts.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './view-menu.module.css';

const LOOKS: readonly { look: Look; label: string; key?: 'front' | 'side' | 'top' }[] = [
  { look: 'top', label: 'Top', key: 'top' },
  { look: 'bottom', label: 'Bottom' },
  { look: 'front', label: 'Front', key: 'front' },
  { look: 'back', label: 'Back' },
  { look: 'side', label: 'Right', key: 'side' },
  { look: 'left', label: 'Left' },
];

/** Menu of standard views, projection and bookmarks. */
export const ViewMenu = observer(() => {
  const { document, roomId } = useEditor();
  const store = canvasOf(document);
  const bookmarks = bookmarksOf(roomId);
  const { isOrthographic } = store;
  const storage = BOOKMARKS.filter((place) => bookmarks.at(place));
  const projection = isOrthographic ? 'Orthographic' : 'Perspective';
  const free = BOOKMARKS.find((place) => !bookmarks.at(place));
  const keep = (place: number) => store.tools && bookmarks.store(place, store.tools.view);
  if (store.state !== 'ready') return null;
  return (
    <Menu position="bottom-end" withinPortal shadow="md" width={260}>
      <Menu.Target>
        <button type="button" className={classes.views} aria-label={`Views: ${projection}`}>
          {projection}
          <IconChevronDown size={12} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {LOOKS.map(({ look, label, key }) => (
          <Menu.Item
            key={look}
            rightSection={key && <Kbd size="xs">{usualKey(key)}</Kbd>}
            onClick={() => store.tools?.look(look)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Item rightSection={<Kbd size="xs">{usualKey('goToStart')}</Kbd>} onClick={() => goToStart(document)}>
          Start camera
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          rightSection={<Kbd size="xs">{usualKey('projection')}</Kbd>}
          onClick={() => store.toggleProjection()}
        >
          {isOrthographic ? 'Perspective' : 'Orthographic'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Bookmarks, storage in this browser</Menu.Label>
        {storage.map((place) => (
          <Menu.Item
            key={place}
            rightSection={<Kbd size="xs">{place}</Kbd>}
            onClick={() => showView(document, bookmarks.at(place))}
          >
            Go to bookmark {place}
          </Menu.Item>
        ))}
        {free !== undefined && (
          <Menu.Item rightSection={<Kbd size="xs">Ctrl {free}</Kbd>} onClick={() => keep(free)}>
            Save this view as bookmark {free}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
});
