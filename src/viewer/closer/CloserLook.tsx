import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { alternativeOf, creditOf, longTextsOf } from '../../../engine/document/alternative.ts';
import type { Element } from '../../../engine/document/element.ts';
import { PANORAMA_TILE, panoramaOf } from '../../../engine/document/panorama.ts';
import { type ImageSize, imageSizes } from '../../../engine/document/small-copy.ts';
import { sourceOf } from '../../../engine/document/source.ts';
import { slideTextOf } from '../../../engine/scene/events/slider.ts';
import { moveInFront } from '../../../engine/stage/camera/close-up.ts';
import { directionOf } from '../../contract/viewer-texts/limits.ts';
import { Icon } from '../parts/Icon.tsx';
import { roomLanguage } from '../parts/room-language.ts';
import { language } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import styles from './closer.module.css';
import { useZoom } from './use-zoom.ts';
import { fittedSize, maxScale, type Size, shownTiles } from './zoom-view.ts';

/** Space around the image for controls, in CSS pixels. */
const MARGIN = { side: 24, end: 76 };
/** Milliseconds in which a press beside the image doesn't close it: it may be the second of a double press. */
const SETTLING = 600;

/** The sources of an image: its sizes, smallest first, and tiles if it is wider than the largest. */
function sourcesOf({ file, ...element }: Element) {
  const url = sourceOf({ file, ...element } as Element);
  const sizes = imageSizes(url, file);
  const known = file?.url === url ? panoramaOf(file) : null;
  if (!known?.tiles) return { sizes, tiles: null };
  const whole: ImageSize = { width: known.width!, url: known.url };
  return { sizes: [...sizes.slice(0, -1), whole], tiles: known.tiles };
}

/** Size of the element, less the space for controls. */
function useArea() {
  const ref = useRef<HTMLDivElement>(null);
  const [area, setArea] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const { clientWidth, clientHeight } = ref.current!;
      setArea({
        width: Math.max(1, clientWidth - MARGIN.side * 2),
        height: Math.max(1, clientHeight - MARGIN.end * 2),
      });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current!);
    measure();
    return () => observer.disconnect();
  }, []);
  return { ref, area };
}

interface Props {
  element: Element;
  /** Whether it opens from a slide, not from the room. */
  isSlide: boolean;
  actions: VisitActions;
}

/** An image up close: the camera moves in front of it, then it can be magnified. Its texts stand beside or below it. */
export function CloserLook({ element, isSlide, actions }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const { ref, area } = useArea();
  const [{ sizes, tiles }] = useState(() => sourcesOf(element));
  const { width: across, height: down } = element.file ?? {};
  const [pixels, setPixels] = useState<Size | null>(across && down ? { width: across, height: down } : null);
  const fitted = fittedSize(pixels ?? area, area);
  const [opened] = useState(() => performance.now());
  const most = maxScale(pixels?.width ?? 0, fitted.width, devicePixelRatio);
  const { view, zoomIn, zoomOut, fit, press, gestures } = useZoom(ref, { fitted, area, most }, () => {
    if (performance.now() - opened > SETTLING) actions.closeDialog();
  });
  const name = alternativeOf(element) || say('picture');
  const { title, text } = slideTextOf(element);
  const credit = creditOf(element);
  const { description } = longTextsOf(element);
  const descriptionId = useId();
  const hasWords = [title, text, credit, description].some((words) => words !== '');
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    close.current?.focus();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    const { stage } = actions;
    if (!stage || isSlide) return;
    const box = ref.current!.getBoundingClientRect();
    const back = moveInFront(stage, element.id, {
      left: box.left + MARGIN.side,
      top: box.top + MARGIN.end,
      width: box.width - MARGIN.side * 2,
      height: box.height - MARGIN.end * 2,
    });
    return () => {
      if (stage === actions.stage) back?.();
    };
  }, [element, isSlide, actions, ref]);
  const size = { width: fitted.width * view.scale, height: fitted.height * view.scale };
  const wanted = size.width * devicePixelRatio;
  const source = sizes.find(({ width }) => width >= wanted) ?? sizes.at(-1)!;
  const shown = tiles && wanted > source.width ? shownTiles(view, fitted, area, tiles, PANORAMA_TILE) : [];
  const level = `${Math.round(view.scale * 100)} %`;
  const percent = (part: number) => `${part * 100}%`;
  return (
    <dialog
      ref={dialog}
      className={styles.look}
      aria-label={title || name}
      data-words={hasWords}
      data-moves={!isSlide && actions.stage?.rig.glides === true}
      onCancel={(event) => {
        event.preventDefault();
        actions.closeDialog();
      }}
      onKeyDown={(event) => {
        if (!press(event)) return;
        event.preventDefault();
        // The room behind listens for these keys, too.
        event.stopPropagation();
      }}
    >
      <div className={styles.pane}>
        <div className={styles.view} ref={ref} data-zoomed={view.scale > 1} {...gestures}>
          <div
            className={styles.image}
            style={{ ...size, translate: `${view.x - size.width / 2}px ${view.y - size.height / 2}px` }}
          >
            <img
              src={sizes[0]!.url}
              alt={name}
              aria-details={description ? descriptionId : undefined}
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
                if (!pixels && width > 0) setPixels({ width, height });
              }}
            />
            {source !== sizes[0] && <img src={source.url} alt="" draggable={false} />}
            {shown.map(({ column, row, left, top, width, height }) => (
              <img
                key={`${column}-${row}`}
                src={tiles!.urlOf(column, row)}
                alt=""
                draggable={false}
                style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
              />
            ))}
          </div>
        </div>
        <fieldset className={styles.tools} aria-label={say('controls')}>
          <button
            type="button"
            aria-label={say('zoomOut')}
            title={say('zoomOut')}
            disabled={view.scale <= 1}
            onClick={zoomOut}
          >
            <Icon name="minus" />
          </button>
          <button
            type="button"
            className={styles.level}
            title={say('zoomFit')}
            aria-label={`${say('zoomFit')}, ${level}`}
            onClick={fit}
          >
            <span role="status">{level}</span>
          </button>
          <button
            type="button"
            aria-label={say('zoomIn')}
            title={say('zoomIn')}
            disabled={view.scale >= most}
            onClick={zoomIn}
          >
            <Icon name="plus" />
          </button>
        </fieldset>
      </div>
      {hasWords && (
        <div className={styles.words} lang={roomLanguage()} dir="auto">
          {title && <h2>{title}</h2>}
          {credit && <p className={styles.credit}>{credit}</p>}
          {text && <p>{text}</p>}
          {description && (
            <details id={descriptionId}>
              <summary lang={language} dir={directionOf(language)}>
                {say('description')}
              </summary>
              <p>{description}</p>
            </details>
          )}
        </div>
      )}
      <button
        ref={close}
        type="button"
        className={styles.close}
        aria-label={say('close')}
        title={say('close')}
        onClick={() => actions.closeDialog()}
      >
        <Icon name="close" />
      </button>
    </dialog>
  );
}
