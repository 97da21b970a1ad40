import { useEffect } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import type { Vector } from '../../../engine/document/fields.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { headingOf, positionInRoom } from '../../../engine/document/places.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import {
  type CameraPlace,
  cameraPlace,
  isStatic,
  type LinkedView,
  poseLink,
  publicPath,
  readPoseLink,
  viewPointLink,
} from '../address/page-place.ts';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState, VisitStore } from '../visit/visit-store.ts';

/** Time in milliseconds the camera rests before the URL is updated. */
const ADDRESS_DELAY = 400;
/** Distance in units within which the visitor is at a view point. */
const NEAR = 50;
/** Difference in degrees between directions, or fields of view, that count as the same. */
const SAME_VIEW = 0.5;

const difference = (a: Vector, b: Vector): Vector => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });

/** Whether a view is the one that a view point shows on arrival. */
function isArrivalView(
  { config, file }: ElementOf<'view_point'>,
  from: Vector,
  { heading, pitch }: LinkedView,
): boolean {
  if (file && config.arrival_view === 'keep') return false;
  const own = headingOf(difference(config.target_position, from));
  return Math.abs(own.heading - heading) < SAME_VIEW && Math.abs(own.pitch - pitch) < SAME_VIEW;
}

/** URL hash of the visitor's view: from the current view point, or from anywhere else. */
function linkTo({ viewPoint, viewPoints }: VisitState, { camera, scene }: Stage, place: CameraPlace): string {
  const point = viewPoints.find(({ id }) => id === viewPoint);
  if (!point) return poseLink(place);
  const from = positionInRoom(scene.room.elements, point);
  const away = difference(place.position, from);
  if (Math.hypot(away.x, away.y, away.z) > NEAR) return poseLink(place);
  const view = headingOf(difference(place.target, place.position));
  const fov = camera.getEffectiveFOV();
  const isZoomed = Math.abs(fov - camera.fov) > SAME_VIEW;
  if (!isZoomed && isArrivalView(point, from, view)) return viewPointLink(point.id);
  return viewPointLink(point.id, { ...view, ...(isZoomed && { fov }) });
}

/** Writes the visitor's view into the URL hash. */
export function writeView(state: VisitState, { stage }: VisitActions): void {
  if (stage) history.replaceState(history.state, '', linkTo(state, stage, cameraPlace(stage.pose)));
}

/** Keeps the visitor's position in the URL hash, so that reloading returns there. */
export function useAddress(store: VisitStore, actions: VisitActions): void {
  const { endpoint, isPreview } = store.get();
  useEffect(() => {
    const { stage } = actions;
    if (isPreview || !endpoint?.room || !stage) return;
    const begin = cameraPlace(stage.pose);
    let written = poseLink(begin);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const place = cameraPlace(stage.pose);
      // The camera returns from an image that is shown up close; the page's URL may be that of the next room.
      if (store.get().dialog?.kind === 'image' || store.get().leaving !== null) return;
      const link = linkTo(store.get(), stage, place);
      // Keep a hash set by a room link.
      const isOurs = location.hash === '' || readPoseLink(location.hash) !== null;
      if (link === written || !isOurs) return;
      written = link;
      history.replaceState(history.state, '', link);
    };
    const stop = actions.events.subscribe(({ type }) => {
      if (type !== 'moved' || !store.get().entered) return;
      clearTimeout(timer);
      timer = setTimeout(follow, ADDRESS_DELAY);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [endpoint, isPreview, store, actions]);
}

/** Closes what covers the room, topmost first. @returns false if nothing does, or if only its own buttons close it */
function uncover({ dialog, slide, fullPage }: VisitState, actions: VisitActions): boolean {
  if (dialog?.kind === 'content' && dialog.required) return false;
  if (dialog) actions.closeDialog();
  else if (slide) actions.slide('close');
  else if (fullPage !== null) actions.closeFullPage();
  else return false;
  return true;
}

/**
 * Makes the browser's Back button close a dialog, slide or full-page video instead of leaving the room. The history entry
 * for that stays until the visitor goes back, because removing it would race with a link that the dialog follows.
 */
export function useBackToRoom(store: VisitStore, actions: VisitActions): void {
  const { isPreview } = store.get();
  useEffect(() => {
    if (isPreview) return;
    const isAhead = () => history.state?.layer === true;
    let wasAhead = isAhead();
    let path = publicPath();
    const look = () => {
      // Entries of links within the page have no such mark: they aren't a way back.
      if (history.state?.layer === undefined) history.replaceState({ ...history.state, layer: false }, '');
      const { dialog, slide, fullPage, entered } = store.get();
      if (entered && (dialog || slide || fullPage !== null) && !isAhead())
        history.pushState({ ...history.state, layer: true }, '');
      wasAhead = isAhead();
      path = publicPath();
    };
    const pop = (event: PopStateEvent) => {
      const isBack = wasAhead && history.state?.layer === false && publicPath() === path;
      wasAhead = isAhead();
      if (!isBack) return;
      // The visit would return to where the camera was when the entry was added.
      event.stopImmediatePropagation();
      if (!uncover(store.get(), actions)) history.back();
    };
    const stop = store.subscribe(look);
    addEventListener('popstate', pop, { capture: true });
    look();
    return () => {
      stop();
      removeEventListener('popstate', pop, { capture: true });
    };
  }, [isPreview, store, actions]);
}

/** Same-origin paths that are not rooms. */
const NO_ROOM = /^\/(?:admin|api|assets|embed|media)(?:\/|$)/;

/** Public path of the room a click leads to; null for other links and clicks. */
function roomOf(event: MouseEvent): string | null {
  const { target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element))
    return null;
  const link = target.closest<HTMLAnchorElement>('.stage-panel a[href], dialog a[href]');
  if (!link || link.origin !== location.origin || link.hasAttribute('download')) return null;
  if ((link.target && link.target !== '_self') || link.search || link.hash) return null;
  return /^(?:\/[\w-]+){0,2}\/?$/.test(link.pathname) && !NO_ROOM.test(link.pathname) ? link.pathname : null;
}

/** Makes links in administrators' HTML navigate within the visit, without a page load. */
export function useInnerLinks(actions: VisitActions): void {
  useEffect(() => {
    const press = (event: MouseEvent) => {
      const path = roomOf(event);
      if (path === null) return;
      event.preventDefault();
      if (event.target instanceof Element && event.target.closest('dialog')) actions.closeDialog();
      actions.follow({ type: 'space', type_config: { endpoint_url: path } } as Navigation);
    };
    document.addEventListener('click', press);
    return () => document.removeEventListener('click', press);
  }, [actions]);
}

/** Legacy copy through a selection, the only way in iframes without clipboard permission. */
function copySelected(text: string): boolean {
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  const { activeElement } = document;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies a link to this view, always of the room's own page, even from an embed. */
export async function copyView(state: VisitState, actions: VisitActions): Promise<void> {
  const { flags } = state;
  const { stage } = actions;
  if (!stage) return;
  const page = isStatic ? location.pathname : publicPath() + (flags.isEmbed ? '' : location.search);
  const address = new URL(page + linkTo(state, stage, cameraPlace(stage.pose)), location.origin).href;
  if (await copy(address)) {
    actions.tell(say('linkCopied'));
  } else if (flags.isEmbed) {
    actions.tell(address, true);
  } else {
    history.replaceState(history.state, '', address);
    actions.tell(say('linkNotCopied'));
  }
}
