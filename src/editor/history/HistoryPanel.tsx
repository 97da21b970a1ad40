import { Button, Menu, Select, Text } from '@mantine/core';
import { IconArrowBackUp, IconHistory, IconUsers } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { IconAction } from '../../ui/IconAction.tsx';
import { locale } from '../../ui/language/language.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { SidePanel } from '../layout/SidePanel.tsx';
import { useEditor } from '../session/editor-context.ts';
import classes from './history.module.css';
import { type HistoryEntry, HistoryStore } from './history-store.ts';

/** Number of changes shown before an entry is expanded. */
const SHOWN = 3;
/** Maximum milliseconds between entries of one user under a shared heading. */
const TOGETHER = 5 * 60_000;

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** Consecutive entries of one user and program without a long pause, newest first. */
interface Spell {
  day: string;
  who: string;
  /** The program, if it was not an editor. */
  how: string;
  isOwn: boolean;
  entries: HistoryEntry[];
}

function spellsOf(all: readonly HistoryEntry[]): Spell[] {
  const spells: Spell[] = [];
  for (const entry of all) {
    const spell = spells.at(-1);
    const on = day.format(new Date(entry.at));
    const isNear = spell && Date.parse(spell.entries.at(-1)!.at) - Date.parse(entry.at) < TOGETHER;
    const isSame = spell?.who === entry.who && spell.how === entry.how && spell.day === on;
    if (isNear && isSame) spell.entries.push(entry);
    else spells.push({ day: on, who: entry.who, how: entry.how, isOwn: entry.isOwn, entries: [entry] });
  }
  return spells;
}

const Entry = observer(({ entry, store }: { entry: HistoryEntry; store: HistoryStore }) => {
  const [isWhole, setWhole] = useState(false);
  const { sentences, more } = entry;
  const shown = isWhole ? sentences : sentences.slice(0, SHOWN);
  const left = sentences.length - shown.length + more;
  const [first = 'Nothing that can be seen was changed'] = shown;
  const canUndo = store.undoOf([entry]).length > 0;
  const at = time.format(new Date(entry.at));
  return (
    <li className={classes.entry}>
      <div className={classes.what}>
        <p>
          {first} <span className={classes.time}>{at}</span>
        </p>
        {shown.slice(1).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {!isWhole && left > 0 && (
          <button type="button" className={classes.more} onClick={() => setWhole(true)}>
            {left} more
          </button>
        )}
        {isWhole && more > 0 && <p className={classes.time}>… and {more} more</p>}
      </div>
      <IconAction
        label={`Undo this: ${first}, ${at}`}
        hint={canUndo ? 'Undo this' : 'Nothing of it is left to undo'}
        isDisabled={!canUndo}
        icon={<IconArrowBackUp size={16} />}
        onClick={() => store.undo([entry])}
      />
    </li>
  );
});

/** The author of a spell, and undoing all of it. */
const SpellHeading = observer(
  ({ spell: { who, how, isOwn, entries }, store }: { spell: Spell; store: HistoryStore }) => {
    const name = [isOwn ? 'You' : who, how].filter((part) => part !== '').join(', ');
    return (
      <div className={classes.spell}>
        <h4 className={classes.who}>{name}</h4>
        {entries.length > 1 && store.undoOf(entries).length > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Undo all ${entries.length}: ${name}`}
            onClick={() => store.undo(entries)}
          >
            Undo all {entries.length}
          </Button>
        )}
      </div>
    );
  },
);

/** Panel over the canvas with all changes to the space, their authors and times; the canvas stays usable. */
export const HistoryPanel = observer(({ onClose }: { onClose(): void }) => {
  const editor = useEditor();
  const { user } = useSession();
  const [store] = useState(() => new HistoryStore(editor, user?.id ?? null));
  const [person, setPerson] = useState<string | null>(null);
  useEffect(() => {
    void store.load();
    return () => store.end();
  }, [store]);
  const names = [...new Set(store.entries.map(({ who }) => who))].sort();
  const spells = spellsOf(store.entries.filter(({ who }) => person === null || who === person));
  return (
    <SidePanel label="History of the space" title="History" closeLabel="Close the history" onClose={onClose}>
      {names.length > 1 && (
        <Select
          size="xs"
          mx={12}
          mb={8}
          aria-label="Whose changes"
          placeholder="Everybody"
          clearable
          data={names}
          value={person}
          onChange={setPerson}
        />
      )}
      <div className={classes.body}>
        {store.state === 'loading' && (
          <Text role="status" size="sm" c="dimmed" p="sm">
            Loading…
          </Text>
        )}
        {store.state === 'failed' && (
          <div role="alert" className={classes.problem}>
            <Text size="sm">The history could not be loaded.</Text>
            <Button size="xs" variant="default" onClick={() => void store.load()}>
              Try again
            </Button>
          </div>
        )}
        {store.state === 'ready' && store.entries.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            Nothing has been changed in the last 30 days.
          </Text>
        )}
        {spells.map((spell, index) => (
          <section key={spell.entries[0]!.seq} aria-label={`${spell.isOwn ? 'You' : spell.who}, ${spell.day}`}>
            {spell.day !== spells[index - 1]?.day && <h3 className={classes.day}>{spell.day}</h3>}
            <SpellHeading spell={spell} store={store} />
            <ol className={classes.list}>
              {spell.entries.map((entry) => (
                <Entry key={entry.seq} entry={entry} store={store} />
              ))}
            </ol>
          </section>
        ))}
        {store.hasMore && (
          <Button className={classes.older} size="xs" variant="default" onClick={() => void store.loadMore()}>
            Show older changes
          </Button>
        )}
      </div>
    </SidePanel>
  );
});

/** Maximum number of listed steps. */
const SHOWN_STEPS = 100;

/** The user's own history as a menu: pressing a step goes to the room after it. Also opens everybody's history. */
export const HistoryMenu = observer(({ onAll }: { onAll(): void }) => {
  const { document } = useEditor();
  const steps = document.steps.slice(-SHOWN_STEPS).toReversed();
  const current = document.steps.findLast(({ isUndone }) => !isUndone)?.id ?? null;
  return (
    <Menu position="bottom-end" width={280} withinPortal>
      <Menu.Target>
        <IconAction label="History" icon={<IconHistory size={18} />} />
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Menu.Item leftSection={<IconUsers size={16} aria-hidden />} onClick={onAll}>
          Changes by everybody…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{steps.length === 0 ? 'You have not changed anything yet.' : 'Your own steps'}</Menu.Label>
        {steps.map(({ id, label, isUndone }) => (
          <Menu.Item
            key={id}
            c={isUndone ? 'dimmed' : undefined}
            disabled={document.isReadOnly}
            fw={id === current ? 600 : undefined}
            aria-current={id === current ? 'step' : undefined}
            onClick={() => document.goTo(id)}
          >
            {label}
          </Menu.Item>
        ))}
        {steps.length > 0 && (
          <Menu.Item
            disabled={document.isReadOnly}
            aria-current={current === null ? 'step' : undefined}
            onClick={() => document.goTo(null)}
          >
            As it was opened
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
});
