import { Button, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type MissingLink, missingWays } from '../../../engine/document/tour-edits.ts';
import { oneWayLinks, tourLinks, withoutWayIn, withoutWayOut } from '../../../engine/document/tour-links.ts';
import { SidePanel } from '../layout/SidePanel.tsx';
import { useEditor } from '../session/editor-context.ts';
import classes from './tour-tools.module.css';
import { toolsOf } from './tour-tools.ts';

interface Problem {
  key: string;
  placeId: number;
  text: string;
  /** Links that solve it. */
  missing: readonly MissingLink[];
}

/** Places without a way out or in, and one-way links, each with a press that goes there and one that solves it. */
export const TourCheck = observer(() => {
  const editor = useEditor();
  const tools = toolsOf(editor);
  const { tour } = tools;
  const { room, isReadOnly } = editor.document;
  const ids = tour.places.map(({ id }) => id);
  const nameOf = (id: number) => tour.nameOf(tour.find(id)!);
  const links = tourLinks(room.elements);
  const at = (kind: string, id: number, text: string): Problem => ({
    key: `${kind} ${id}`,
    placeId: id,
    text,
    missing: missingWays(room.elements, id),
  });
  const oneWay = new Map(oneWayLinks(links).map((link) => [`${link.from} ${link.to}`, link]));
  const groups: { title: string; problems: Problem[] }[] = [
    { title: 'No way out', problems: withoutWayOut(ids, links).map((id) => at('out', id, nameOf(id))) },
    {
      title: 'No way in',
      problems: withoutWayIn(ids, links, room.config.start_view_point_id).map((id) => at('in', id, nameOf(id))),
    },
    {
      title: 'One-way links',
      problems: [...oneWay.values()].map(({ from, to }) => ({
        key: `${from} ${to}`,
        placeId: from,
        text: `${nameOf(from)} → ${nameOf(to)}`,
        missing: [{ from: tour.find(to)!, to: tour.find(from)! }],
      })),
    },
  ].filter(({ problems }) => problems.length > 0);
  return (
    <SidePanel title="Check tour" closeLabel="Close the tour check" onClose={() => tools.show(null)}>
      <div className={classes.body}>
        {groups.length === 0 && (
          <Text size="sm" role="status">
            Every place has a way in and out, and every link leads back.
          </Text>
        )}
        {groups.map(({ title, problems }) => (
          <section key={title} aria-label={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <ul className={classes.list}>
              {problems.map(({ key, placeId, text, missing }) => (
                <li key={key} className={classes.problem}>
                  <button type="button" className={classes.goTo} onClick={() => tour.stand(placeId)}>
                    {text}
                  </button>
                  {!isReadOnly && missing.length > 0 && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Add the way back: ${text}`}
                      onClick={() => void tour.addLinks(missing)}
                    >
                      Add way back
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </SidePanel>
  );
});
