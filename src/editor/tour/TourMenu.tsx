import { Menu } from '@mantine/core';
import { IconMap2, IconTools } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEditor } from '../session/editor-context.ts';
import classes from './tour.module.css';
import { toolsOf } from './tour-tools.ts';

/** Buttons of the tour view: the plan, and the menu of tools. */
export const TourMenu = observer(() => {
  const editor = useEditor();
  const tools = toolsOf(editor);
  const { tour, panel } = tools;
  const { isReadOnly } = editor.document;
  const isHere = tour.find(tour.current) !== undefined;
  return (
    <>
      <button
        type="button"
        className={classes.action}
        aria-pressed={panel === 'plan'}
        onClick={() => tools.show(panel === 'plan' ? null : 'plan')}
      >
        <IconMap2 size={14} aria-hidden />
        Plan
      </button>
      <Menu position="top-end" withinPortal shadow="md">
        <Menu.Target>
          <button type="button" className={classes.action}>
            <IconTools size={14} aria-hidden />
            Tools
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => tools.show('check')}>Check tour</Menu.Item>
          {!isReadOnly && (
            <>
              <Menu.Divider />
              <Menu.Item disabled={!isHere || tour.places.length < 2} onClick={() => tools.begin('align')}>
                Align heading
              </Menu.Item>
              <Menu.Item disabled={!isHere} onClick={() => tools.begin('level')}>
                Level horizon
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item disabled={tools.hotspots.length === 0} onClick={() => tools.show('copy')}>
                Copy hotspots to places…
              </Menu.Item>
              <Menu.Item onClick={() => tools.show('nadir')}>Nadir for all…</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
});
