import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconEye, IconPointer } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { findElement } from '../../../engine/document/tree.ts';
import type { OtherEditor } from '../../contract/editor-messages.ts';
import { useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-names.ts';
import { colorOf } from './editors-line.ts';
import classes from './others.module.css';

/** Number of avatars that fit into the bar. */
const SHOWN = { wide: 4, narrow: 1 };
const NARROW = '(max-width: 700px)';

const initialsOf = (name: string): string =>
  name
    .split(/[\s.@_-]+/)
    .filter((part) => part !== '')
    .slice(0, 2)
    .map((part) => [...part][0]!.toUpperCase())
    .join('');

const Face = observer(({ other: { client, user, color, presence } }: { other: OtherEditor }) => {
  const { document, follow, selection } = useEditor();
  const selected = presence.selection[0];
  const element = selected === undefined ? undefined : findElement(document.room.elements, selected);
  const what = element ? `${user.name}: ${titleOf(element)}` : user.name;
  const isFollowed = follow.client === client;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={classes.face}
          aria-label={what}
          title={what}
          data-followed={isFollowed || undefined}
        >
          <span
            className={classes.initials}
            data-initials={initialsOf(user.name)}
            style={{ background: colorOf(color), outlineColor: colorOf(color) }}
          />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.name}</Menu.Label>
        <Menu.Item
          leftSection={<IconEye size={16} aria-hidden />}
          disabled={!isFollowed && !presence.camera}
          onClick={() => follow.follow(isFollowed ? null : client)}
        >
          {isFollowed ? 'Stop following' : 'Follow: see what they see'}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPointer size={16} aria-hidden />}
          disabled={!element}
          onClick={() => element && selection.select(element.id)}
        >
          Select what they have selected
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});

/** Avatars of the other editors, in their colors, with actions to follow them or go to their selection. */
export const OthersHere = observer(() => {
  const { others } = useEditor().line;
  const most = SHOWN[useMediaQuery(NARROW) ? 'narrow' : 'wide'];
  if (others.length === 0) return null;
  return (
    <ul className={classes.others} aria-label="Others who edit this space">
      {others.slice(0, most).map((other) => (
        <li key={other.client}>
          <Face other={other} />
        </li>
      ))}
      {others.length > most && <li className={classes.more}>+{others.length - most}</li>}
    </ul>
  );
});

/** Banner over the canvas with the followed user. */
export const Following = observer(() => {
  const { follow } = useEditor();
  const { followed } = follow;
  if (!followed) return null;
  const color = colorOf(followed.color);
  return (
    <div className={classes.following} style={{ borderColor: color }}>
      <p role="status" style={{ background: color }}>
        You see what {followed.user.name} sees.
      </p>
      <button type="button" style={{ background: color }} onClick={() => follow.follow(null)}>
        Stop following
      </button>
    </div>
  );
});

/** Other editors who have an element selected, beside its name in the tree. */
export const OthersAt = observer(({ id }: { id: number }) => {
  const { line } = useEditor();
  const here = line.others.filter(({ presence }) => presence.selection.includes(id));
  return here.map(({ client, user, color, presence }) => {
    const label = presence.writing === id ? `${user.name} is writing here` : `${user.name} has this selected`;
    return (
      <span
        key={client}
        role="img"
        className={classes.dot}
        style={{ background: colorOf(color) }}
        aria-label={label}
        title={label}
      />
    );
  });
});

/** Indicator that another user is editing the text of an element. */
export const OthersWriting = observer(({ id }: { id: number }) => {
  const { line } = useEditor();
  const [first] = line.others.filter(({ presence }) => presence.writing === id);
  if (!first) return null;
  return (
    <p role="status" className={classes.writing} style={{ borderColor: colorOf(first.color) }}>
      {first.user.name} is writing here. Of two who change the same field, the last one wins.
    </p>
  );
});
