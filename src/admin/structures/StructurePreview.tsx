import { Anchor, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { compareStructural, computedStruct, makeAutoObservable, reaction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { DAY } from '../../../engine/document/constants.ts';
import { previewFramePath, previewPath } from '../../contract/editor-path.ts';
import { startOf } from '../../contract/opening.ts';
import { useSession } from '../../ui/session/session-context.ts';
import type { EntryStep, PreviewedStructure, StructurePreviewSource } from '../../ui/structure-preview.ts';
import { Quiet } from '../frame/text.tsx';
import { useKeptFocus } from '../frame/use-kept-focus.ts';
import classes from './structures.module.css';
import type { StructuresStore } from './structures-store.ts';

const STEPS: Record<EntryStep, string> = { token: 'Token form', countdown: 'Countdown', entrance: 'Entrance' };

/** Public path with the form's slug. @param path the saved path */
const placeOf = (slug: string, path = '/'): string => path.replace(/[^/]*$/, slug);

/** Content of a form's preview: the draft, at a step before the room. */
class PreviewSource implements StructurePreviewSource {
  readonly #store: StructuresStore;
  /** The step that the user chose; null for the one that visitors meet first. */
  chosen: EntryStep | null = null;
  #last: PreviewedStructure | undefined;
  readonly #now = (performance.timeOrigin + performance.now()) / 1000;

  constructor(store: StructuresStore) {
    this.#store = store;
    makeAutoObservable(this, { shown: computedStruct });
  }

  /** The next start in seconds since 1970; null without a countdown. */
  get opensAt(): number | null {
    const { draft, entry } = this.#store;
    if (!draft.show_countdown) return null;
    const start_time_utc_offset = draft.time_zone === null ? (entry?.start_time_utc_offset ?? null) : null;
    const start = { ...draft, is_timed: true, start_time_utc_offset };
    const [today, tomorrow] = [0, DAY].map((ahead) => startOf({ ...start, current_time: this.#now + ahead }, null));
    return today != null && today > this.#now ? today : draft.start_date === null ? (tomorrow ?? null) : null;
  }

  /** The steps of a visitor, in order. */
  get steps(): EntryStep[] {
    const steps: EntryStep[] = ['entrance'];
    if (this.opensAt !== null) steps.unshift('countdown');
    if (this.#store.draft.is_protected) steps.unshift('token');
    return steps;
  }

  get step(): EntryStep {
    const { steps, chosen } = this;
    return chosen !== null && steps.includes(chosen) ? chosen : steps[0]!;
  }

  choose(step: EntryStep): void {
    this.chosen = step;
  }

  get shown(): PreviewedStructure {
    const { draft, entry } = this.#store;
    const isOwnRoom = draft.room_id === entry?.room_id;
    const poster = isOwnRoom ? (entry?.poster_url ?? null) : null;
    const { name, accent_color } = draft;
    return { name, step: this.step, opensAt: this.opensAt, poster, accent_color, room: this.#store.shownRoom };
  }

  get(): PreviewedStructure {
    // Equal values are the same object, also before the first subscription.
    if (!compareStructural(this.#last, this.shown)) this.#last = this.shown;
    return this.#last!;
  }

  subscribe(listener: () => void): () => void {
    return reaction(() => this.shown, listener);
  }
}

const Frame = observer(({ roomId, source }: { roomId: number; source: PreviewSource }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  useKeptFocus(frame, true);
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    window.enfiladeStructure = source;
    setOffered(true);
    return () => {
      window.enfiladeStructure = undefined;
    };
  }, [source]);
  if (!isOffered) return null;
  // It takes no input: a visit would play sound, and take focus from the form.
  return <iframe ref={frame} title="Preview of the structure" src={previewFramePath(roomId)} inert />;
});

/** A structure as visitors meet it, with the unsaved values of its form. Nothing loads before it is in sight. */
export const StructurePreview = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const [source] = useState(() => new PreviewSource(store));
  const { ref, inViewport } = useInViewport();
  const [wasSeen, setSeen] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (inViewport) setSeen(true);
  }, [inViewport]);
  const { draft } = store;
  const { room_id, is_visible, makes_room } = draft;
  if (!session.may('rooms', 'view_any')) return null;
  const isShown = room_id !== null && !makes_room;
  return (
    <Paper ref={ref} component="section" aria-label="Preview" withBorder className={classes.look}>
      <Group justify="space-between" gap="xs" px="md" py={8}>
        <Text size="sm" fw={500}>
          Preview
        </Text>
        {isShown && (
          <Group gap="sm">
            <Anchor component="button" type="button" size="sm" c="dimmed" onClick={() => setTurn(turn + 1)}>
              Reload
            </Anchor>
            <Anchor size="sm" c="dimmed" href={previewPath(room_id)} target="_blank" rel="noopener">
              Open in tab
            </Anchor>
          </Group>
        )}
      </Group>
      <Group gap="xs" px="md" pb={8} wrap="nowrap">
        <Text size="sm" truncate>
          {draft.name || 'Untitled'}
        </Text>
        <Quiet truncate>{placeOf(draft.slug, store.entry?.path)}</Quiet>
      </Group>
      <div className={classes.stage}>
        {isShown ? (
          wasSeen && <Frame key={`${room_id} ${turn}`} roomId={room_id} source={source} />
        ) : (
          <Quiet p="md" ta="center">
            {makes_room ? 'The new space is shown here after saving.' : 'Select a space to see the preview.'}
          </Quiet>
        )}
      </div>
      {isShown && source.steps.length > 1 && (
        <SegmentedControl
          aria-label="Step"
          size="xs"
          m={8}
          value={source.step}
          data={source.steps.map((value) => ({ value, label: STEPS[value] }))}
          onChange={(value) => source.choose(value as EntryStep)}
        />
      )}
      {!is_visible && (
        <Quiet px="md" py={8}>
          Hidden: visitors see “Page not found”.
        </Quiet>
      )}
    </Paper>
  );
});
