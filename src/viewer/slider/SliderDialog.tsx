import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { Slide, VisitActions } from '../visit/visit-store.ts';
import { SlideView, SlideWords } from './SlideContent.tsx';
import styles from './slider.module.css';

interface Props {
  slide: Slide;
  actions: VisitActions;
}

const SLIDER_KEYS: Record<string, 'next' | 'previous'> = { ArrowRight: 'next', ArrowLeft: 'previous' };

/** Whether a key belongs to what has the focus: a film's own controls are moved with the arrows too. */
const isTaken = ({ target }: KeyboardEvent) => target instanceof HTMLMediaElement;

/**
 * The slides of a group over the room, one at a time, around and around. The scene has their order: this shows the one
 * that it names, and asks for the next.
 */
export function SliderDialog({ slide: { element, index, count }, actions }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    next.current?.focus();
    // Closing gives the focus back to where it was.
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.slider}
      aria-label={say('slider')}
      onCancel={(event) => {
        event.preventDefault();
        actions.slide('close');
      }}
      onKeyDown={(event) => {
        const way = SLIDER_KEYS[event.key];
        if (!way || isTaken(event)) return;
        event.preventDefault();
        actions.slide(way);
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) actions.slide('close');
      }}
    >
      <div className={styles.sheet}>
        <figure className={styles.slide} lang="" key={element.id}>
          <div className={styles.view}>
            <SlideView element={element} />
          </div>
          <figcaption aria-live="polite">
            <SlideWords element={element} />
          </figcaption>
        </figure>
        <footer>
          <button type="button" onClick={() => actions.slide('previous')} aria-label={say('previousSlide')}>
            <Icon name="previous" />
          </button>
          <p role="status" aria-label={say('slideOf', { number: index + 1, count })}>
            {index + 1} / {count}
          </p>
          <button type="button" ref={next} onClick={() => actions.slide('next')} aria-label={say('nextSlide')}>
            <Icon name="next" />
          </button>
          <button type="button" onClick={() => actions.slide('close')} aria-label={say('close')}>
            <Icon name="close" />
          </button>
        </footer>
      </div>
    </dialog>
  );
}
