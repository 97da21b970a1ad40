import { NavLink, Select, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { liesIn, MESSAGES_PATH } from '../shell/menu.ts';
import { useWaiting, Waiting } from '../shell/Waiting.tsx';
import { SETTINGS_ENTRIES, SETTINGS_GROUPS, type SettingsEntry } from './settings-index.ts';
import classes from './settings-layout.module.css';

/** Elements whose text names a setting. */
const NAMES = 'label, [class*="InputWrapper-label"]';

/** The element that a label names, as far as it is on the page. */
function findSetting(root: HTMLElement, label: string): HTMLElement | undefined {
  const nameOf = ({ textContent }: Element) => (textContent ?? '').replace(/[*\s]+$/, '').trim();
  return [...root.querySelectorAll<HTMLElement>(NAMES)].find((element) => nameOf(element).startsWith(label));
}

/** Brings a setting into sight and focuses its control. */
function showSetting(element: HTMLElement): void {
  element.scrollIntoView({ block: 'center' });
  const control = element instanceof HTMLLabelElement ? element.control : null;
  const place = element.closest<HTMLElement>('[class*="InputWrapper-root"], section, form') ?? element;
  const others = [...place.querySelectorAll<HTMLElement>('input, textarea, button, a')];
  // Inputs of file buttons are hidden.
  const focusable = control ?? others.find((each) => each.checkVisibility());
  focusable?.focus({ preventScroll: true });
}

/** Shows a setting once its screen has loaded. @returns stops waiting */
function whenShown(root: HTMLElement, label: string, done: () => void): () => void {
  const look = () => {
    const found = findSetting(root, label);
    if (!found) return false;
    showSetting(found);
    done();
    return true;
  };
  if (look()) return () => undefined;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}

const keyOf = ({ path, label, isField }: SettingsEntry) => (isField ? `${path} ${label}` : path);

/** Search among all settings, which goes to the one chosen. */
function SettingsSearch({ onChoose }: { onChoose(entry: SettingsEntry): void }) {
  const screenOf = (path: string) => SETTINGS_ENTRIES.find((entry) => entry.path === path)!.label;
  const data = SETTINGS_GROUPS.flatMap(({ screens }) =>
    screens.map(({ path }) => ({
      group: screenOf(path),
      items: SETTINGS_ENTRIES.filter((entry) => entry.path === path).map((entry) => ({
        value: keyOf(entry),
        label: entry.label,
      })),
    })),
  );
  return (
    <Select
      aria-label="Find a setting"
      placeholder="Find a setting"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={null}
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage="No setting matches"
      maxDropdownHeight={420}
      comboboxProps={{ width: 280, position: 'bottom-start', keepMounted: false }}
      data={data}
      value={null}
      onChange={(key) => {
        const chosen = SETTINGS_ENTRIES.find((entry) => keyOf(entry) === key);
        if (chosen) onChoose(chosen);
      }}
    />
  );
}

/** The settings: groups of screens and a search on the left, the chosen screen beside them. */
export const SettingsLayout = observer(() => {
  const session = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const content = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<SettingsEntry | null>(null);
  const mayView = session.may('settings', 'view_any');
  const waiting = useWaiting();
  useEffect(() => {
    if (wanted?.path !== pathname) return;
    return whenShown(content.current!, wanted.label, () => setWanted(null));
  }, [wanted, pathname]);
  if (!mayView) return <Outlet />;
  const choose = (entry: SettingsEntry) => {
    navigate(entry.path);
    setWanted(entry.isField ? entry : null);
  };
  // The screen with the longest path that contains this one: forms lie below their lists.
  const current = SETTINGS_ENTRIES.filter(({ path }) => liesIn(pathname, path))
    .toSorted((one, other) => other.path.length - one.path.length)
    .at(0)?.path;
  return (
    <div className={classes.layout}>
      <div className={classes.side}>
        <SettingsSearch onChoose={choose} />
        <nav aria-label="Settings" className={classes.groups}>
          {SETTINGS_GROUPS.map(({ title, screens }) => (
            <div key={title}>
              <Text size="xs" c="dimmed" px="sm" pt={12} pb={4}>
                {title}
              </Text>
              {screens.map(({ label, path }) => (
                <NavLink
                  key={path}
                  component={Link}
                  to={path}
                  label={label}
                  active={path === current}
                  aria-current={path === current ? 'page' : undefined}
                  rightSection={path === MESSAGES_PATH && waiting.count > 0 && <Waiting count={waiting.count} />}
                />
              ))}
            </div>
          ))}
        </nav>
      </div>
      <div ref={content} className={classes.content}>
        <Outlet />
      </div>
    </div>
  );
});
