import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { IconArrowRight, IconPlus, IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import type { SessionStore } from '../../ui/session/session-store.ts';
import { typedAhead, useTypedAhead } from '../../ui/typed-ahead.ts';
import { isOpenTo, MENU, PALETTE_EVENT } from './menu.ts';

const [store, spotlight] = createSpotlight();

/** Debounce in milliseconds. */
const PALETTE_DEBOUNCE = 150;
/** Maximum results per kind. */
const MAX_SUGGESTIONS = 8;
/** Thumbnail width in pixels. */
const POSTER_WIDTH = 48;

/** Finds spaces, structures and templates the user may see. */
async function find(session: SessionStore, words: string) {
  const { client } = session;
  const query = words ? { search: words } : {};
  const [rooms, endpoints, templates] = await Promise.all([
    session.may('rooms', 'view_any')
      ? client.rooms.list({ query: { ...query, per_page: MAX_SUGGESTIONS } })
      : { data: [] },
    session.may('endpoints', 'view_any')
      ? client.endpoints.rows({ query: { ...query, sort: 'name', per_page: MAX_SUGGESTIONS } })
      : { data: [] },
    session.may('templates', 'view_any')
      ? client.templates.list({ query: { ...query, per_page: MAX_SUGGESTIONS } })
      : { data: [] },
  ]);
  const structures = endpoints.data.map(({ id, name, parent_name, poster_url }) => ({
    id,
    name: parent_name === null ? name : `${parent_name} / ${name}`,
    poster_url,
  }));
  return { rooms: rooms.data, structures, templates: templates.data };
}

/** Selects the first result, as Spotlight does when its query changes; Spotlight keeps the selection in the DOM. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Command palette (Ctrl/Cmd+K) for screens, spaces, structures and templates. */
export const Palette = observer(() => {
  const session = useSession();
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const onFocus = useTypedAhead((typed) => setWords((before) => before + typed));
  const [asked] = useDebouncedValue(words, PALETTE_DEBOUNCE);
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<Awaited<ReturnType<typeof find>>>({
    rooms: [],
    structures: [],
    templates: [],
  });

  useEffect(() => {
    // Mounted on request, so open it at once.
    spotlight.open();
    addEventListener(PALETTE_EVENT, spotlight.open);
    return () => removeEventListener(PALETTE_EVENT, spotlight.open);
  }, []);
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    // On errors, the menu still works.
    find(session, asked).then(
      (result) => isCurrent && setFound(result),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [session, asked, isOpen]);

  // Results arrive after Spotlight selected its first entry; select again so that Enter opens the first result shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rerun when results change.
  useEffect(() => {
    if (words) selectFirst();
    else store.updateState((state) => ({ ...state, selected: -1 }));
  }, [found, words]);

  // Results of an earlier query stay visible if they match the current one.
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (name: string) => wanted.every((word) => name.toLowerCase().includes(word));
  const has = (label: string) => label.toLowerCase().includes(words.toLowerCase());
  const action = (id: string, label: string, path: string, icon: React.ReactNode): SpotlightActionData => ({
    id,
    label,
    leftSection: icon,
    onClick: () => navigate(path),
  });
  const screens = MENU.flatMap((part) => [
    ...(part.children.length === 0 ? [part] : []),
    ...part.children.map((way) => ({
      ...way,
      label: way.path === part.path ? part.label : `${part.label}: ${way.label}`,
    })),
  ])
    .filter(({ area, label }) => isOpenTo(session, area) && has(label))
    .map(({ label, path }) => action(`screen ${path}`, label, path, <IconArrowRight size={18} aria-hidden />));
  if (session.may('rooms', 'create') && session.may('endpoints', 'create') && has('New space'))
    screens.unshift(action('new space', 'New space', '/admin/spaces/new', <IconPlus size={18} aria-hidden />));
  const group = <Entry extends { id: number; name: string; title?: string; poster_url: string | null }>(
    label: string,
    kind: string,
    entries: readonly Entry[],
    pathOf: (entry: Entry) => string,
  ): SpotlightActionGroupData => ({
    group: label,
    actions: entries
      .map((entry) => ({ entry, name: entry.title ?? entry.name }))
      .filter(({ name }) => hasAll(name))
      .map(({ entry, name }) =>
        action(`${kind} ${entry.id}`, name, pathOf(entry), <Poster url={entry.poster_url} width={POSTER_WIDTH} />),
      ),
  });
  const groups: SpotlightActionGroupData[] = [
    { group: 'Screens', actions: screens },
    group('Spaces', 'space', found.rooms, ({ id, title, policies }) =>
      policies.update ? `/admin/editor/${id}` : `/admin/spaces?search=${encodeURIComponent(title)}`,
    ),
    group('Structures', 'structure', found.structures, ({ id }) => `/admin/structures/${id}`),
    group('Templates', 'template', found.templates, ({ id, name, policies }) =>
      policies.update ? `/admin/spaces/templates/${id}` : `/admin/spaces/templates?search=${encodeURIComponent(name)}`,
    ),
  ].filter(({ actions }) => actions.length > 0);

  return (
    <Spotlight
      store={store}
      actions={groups}
      shortcut="mod + K"
      query={words}
      onQueryChange={setWords}
      filter={(_, actions) => actions}
      nothingFound="Nothing matches"
      scrollable
      maxHeight={420}
      onSpotlightOpen={() => {
        typedAhead.begin();
        setOpen(true);
      }}
      onSpotlightClose={() => {
        typedAhead.end();
        setOpen(false);
      }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Search or jump to…',
        onFocus,
        'aria-label': 'Search or jump to',
      }}
    />
  );
});
