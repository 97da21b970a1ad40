import { Fragment, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { roomLanguage } from '../parts/room-language.ts';
import { elementNaming } from '../texts/element-name.ts';
import { languageTag } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { RoomHost } from '../visit/room-controls.ts';
import styles from './overlay.module.css';

/** Seconds left of a timed sequence at which screen readers say so. */
const TOLD = [300, 60] as const;
/** Milliseconds to wait for further news, so that a new room and its first place are said at once. */
const TOGETHER = 150;

/** Minutes in words, in the visitor's language. */
const minutesText = (seconds: number): string =>
  new Intl.NumberFormat(languageTag, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(seconds / 60);

/** A sentence, and the name in it if that is in the room's language. */
interface News {
  text: string;
  name?: string;
}

/** A sentence with the language of the name in it. */
function Sentence({ text, name }: News) {
  const at = name ? text.lastIndexOf(name) : -1;
  if (!name || at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <span lang={roomLanguage()} dir="auto">
        {name}
      </span>
      {text.slice(at + name.length)}
    </>
  );
}

const NOTHING: readonly News[] = [];

/** Announces changes that are otherwise only visible: the visitor's place, media that plays, and the time left. */
export function Announcements({ host }: { host: RoomHost }) {
  const { entered, endpoint, timer } = useSyncExternalStore(host.store.subscribe, host.store.get);
  const [spoken, setSpoken] = useState(NOTHING);
  const news = useRef<{ waiting: News[]; timeout?: ReturnType<typeof setTimeout> }>({ waiting: [] }).current;
  const announce = (text: string, name?: string) => {
    if (!news.waiting.some((each) => each.text === text)) news.waiting.push({ text, ...(name && { name }) });
    clearTimeout(news.timeout);
    // Screen readers ignore a text that replaces an equal one.
    setSpoken(NOTHING);
    news.timeout = setTimeout(() => setSpoken(news.waiting.splice(0)), TOGETHER);
  };
  const latest = useRef(announce);
  latest.current = announce;

  useEffect(() => {
    /** Id of the element that the visitor pressed last, and its last announced state. */
    let pressed = 0;
    let said = '';
    return host.events.subscribe((event) => {
      const { scene } = host.stage ?? {};
      if (event.type === 'pressed') {
        pressed = event.element.id;
        said = '';
      }
      if (event.type !== 'scene' || !scene || !host.store.get().entered || !('element_id' in event.event)) return;
      const { type, element_id: id } = event.event;
      const element = id === null ? undefined : scene.elementOf(scene.entityOf(id) ?? 0);
      if (!element) return;
      const name = elementNaming.name(element, '');
      const own = name === elementNaming.kind(element) ? undefined : name;
      if (type === 'place.changed') latest.current(say('arrivedAt', { name }), own);
      // Media that starts by itself is heard anyway.
      const state =
        type === 'media.play' ? 'playing' : type === 'media.pause' || type === 'media.stop' ? 'paused' : null;
      if (state === null || id !== pressed || state === said) return;
      said = state;
      latest.current(say(state, { name }), own);
    });
  }, [host]);

  const id = endpoint?.id;
  const title = endpoint?.room?.title;
  const room = useRef<number>(undefined);
  useEffect(() => {
    if (!entered || id === undefined || title === undefined) return;
    // The entrance names the first room.
    if (room.current !== undefined && room.current !== id) latest.current(say('arrivedAt', { name: title }), title);
    room.current = id;
  }, [entered, id, title]);

  const before = useRef<number | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = timer;
    const limit = last === null || timer === null ? undefined : TOLD.find((each) => last > each && timer <= each);
    if (entered && limit) latest.current(`${say('timeLeft')}: ${minutesText(limit)}`);
  }, [entered, timer]);

  return (
    <p className={styles.spoken} role="status">
      {spoken.map((each, index) => (
        <Fragment key={each.text}>
          {index > 0 && '. '}
          <Sentence {...each} />
        </Fragment>
      ))}
    </p>
  );
}
