import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { roomLanguage } from '../parts/room-language.ts';
import { inReadingDirection } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { Slide, VisitActions } from '../visit/visit-store.ts';
import { SlideView, SlideWords } from './SlideContent.tsx';
import styles from './slider.module.css';

interface Props {
  slide: Slide;
  actions: VisitActions;
}

const SLIDER_KEYS: Record<string, 'next' | 'previous'> = { ArrowRight: 'next', ArrowLeft: 'previous' };

/** Whether the focused element uses the arrow keys itself, such as a video. */
const isTaken = ({ target }: KeyboardEvent) => target instanceof HTMLMediaElement;

/**
 * Slider dialog over the room, wrapping around. The scene owns the order: this shows its current slide and requests the
 * next one.
 */
export function SliderDialog({ slide: { element, index, count }, actions }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    next.current?.focus();
    // Closing restores focus.
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
        const way = SLIDER_KEYS[inReadingDirection(event.key)];
        if (!way || isTaken(event)) return;
        event.preventDefault();
        actions.slide(way);
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) actions.slide('close');
      }}
    >
      <div className={styles.sheet}>
        <figure className={styles.slide} lang={roomLanguage()} dir="auto" key={element.id}>
          <div className={styles.view}>
            <SlideView element={element} onLook={() => actions.lookCloser(element)} />
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
