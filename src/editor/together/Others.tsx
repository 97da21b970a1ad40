import { Tooltip } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { findElement } from '../../../engine/document/tree.ts';
import { useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-actions.ts';
import { colorOf } from './colors.ts';
import classes from './others.module.css';

/** Faces that the bar has room for. */
const SHOWN = 4;

const initialsOf = (name: string): string =>
  name
    .split(/[\s.@_-]+/)
    .filter((part) => part !== '')
    .slice(0, 2)
    .map((part) => [...part][0]!.toUpperCase())
    .join('');

/** Who else edits the space, in their colors; pressing one selects what they have selected. */
export const OthersHere = observer(() => {
  const { document, line, selection } = useEditor();
  const { others } = line;
  if (others.length === 0) return null;
  return (
    <ul className={classes.others} aria-label="Others who edit this space">
      {others.slice(0, SHOWN).map(({ client, user, color, presence }) => {
        const selected = presence.selection[0];
        const element = selected === undefined ? undefined : findElement(document.room.elements, selected);
        const what = element ? `${user.name}: ${titleOf(element)}` : user.name;
        return (
          <li key={client}>
            <Tooltip label={what}>
              <button
                type="button"
                className={classes.face}
                aria-label={what}
                aria-disabled={!element || undefined}
                onClick={() => element && selection.select(element.id)}
              >
                <span
                  className={classes.initials}
                  data-initials={initialsOf(user.name)}
                  style={{ background: colorOf(color) }}
                />
              </button>
            </Tooltip>
          </li>
        );
      })}
      {others.length > SHOWN && <li className={classes.more}>+{others.length - SHOWN}</li>}
    </ul>
  );
});

/** Who else has an element selected, beside its name in the tree. */
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

/** Says that somebody else is writing in an element. */
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
