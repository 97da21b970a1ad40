import { useEffect } from 'react';
import type { Vector } from '../../../engine/document/fields.ts';
import { cameraPlace } from '../address/camera-place.ts';
import { poseLink, readPoseLink } from '../address/pose-link.ts';
import type { VisitActions, VisitStore } from '../visit/visit-store.ts';

/** Time in milliseconds the camera rests before the URL is updated. */
const ADDRESS_DELAY = 400;
/** Distance in units within which the visitor is at a view point. */
const NEAR = 50;

const distance = (a: Vector, b: Vector) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

/**
 * Keeps the visitor's position in the URL hash, so that reloading returns there, and clears the view point once left.
 */
export function useAddress(store: VisitStore, actions: VisitActions): void {
  const { endpoint, isPreview } = store.get();
  useEffect(() => {
    const { stage } = actions;
    if (isPreview || !endpoint?.room || !stage) return;
    const begin = cameraPlace(stage.pose);
    let written = poseLink(begin);
    let arrived = { id: store.get().viewPoint, at: begin.position };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const place = cameraPlace(stage.pose);
      const { viewPoint } = store.get();
      if (viewPoint !== arrived.id) arrived = { id: viewPoint, at: place.position };
      else if (viewPoint !== null && distance(arrived.at, place.position) > NEAR) store.set({ viewPoint: null });
      const { viewPoint: current } = store.get();
      const link = current === null ? poseLink(place) : `#view_point=${current}`;
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
