import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { creditOf } from '../../../engine/document/alternative.ts';
import type { Element } from '../../../engine/document/element.ts';
import { isInRoom } from '../../../engine/document/in-room.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import { roomLanguage } from '../parts/room-language.ts';
import { SafeHtml } from '../parts/SafeHtml.tsx';
import { openElements, serverTime } from '../visit/open-elements.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import styles from './print.module.css';

/** Width of the picture on paper, in CSS pixels. */
const PAPER = 680;

/** Texts of an element; each type has some of them. */
interface Words {
  title?: string;
  text?: string;
  body?: string;
}

/** Texts of an element on paper; nothing for those without. */
function PrintedElement({ element }: { element: Element }) {
  const { title, text, body } = element.config as Words;
  const { reads } = traitsOf(element.element);
  if (reads === 'page_part') return <SafeHtml html={body ?? ''} />;
  if (reads === 'words') return <p>{text}</p>;
  if (reads !== 'picture') return null;
  const lines = [creditOf(element), text].filter(Boolean);
  if (!title && lines.length === 0) return null;
  return (
    <div className={styles.words}>
      {title && <h2>{title}</h2>}
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** The room on paper: its title and texts, below the current view. Present only while the page is printed. */
export function PrintSheet({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const container = document.getElementById('room')!;
    const picture = document.createElement('img');
    const before = () => {
      const { stage } = actions;
      if (!stage) return;
      // A canvas is empty on paper.
      picture.src = stage.snapshot();
      picture.className = 'stage-canvas';
      picture.alt = '';
      const { clientWidth, clientHeight } = container;
      container.style.setProperty('--print-width', `${clientWidth}px`);
      container.style.setProperty('--print-height', `${clientHeight}px`);
      container.style.setProperty('--print-zoom', String(PAPER / clientWidth));
      container.append(picture);
      flushSync(() => setPrinting(true));
    };
    const after = () => {
      picture.remove();
      setPrinting(false);
    };
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, [actions]);
  const room = state.endpoint?.room;
  if (!isPrinting || !room) return null;
  return (
    <article className={styles.sheet} lang={roomLanguage()} dir="auto">
      <h1>{room.title}</h1>
      <p>{state.settings.name}</p>
      <SafeHtml html={room.description} />
      {openElements(room.elements, serverTime(state))
        .filter(isInRoom)
        .map((element) => (
          <PrintedElement key={element.id} element={element} />
        ))}
    </article>
  );
}
