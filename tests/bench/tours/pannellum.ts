import 'pannellum/build/pannellum.css';
import 'pannellum/build/pannellum.js';

/** The part of pannellum that is used here; its script declares a global. */
declare const pannellum: {
  viewer(
    id: string,
    options: object,
  ): {
    on(event: 'load', listener: () => void): void;
    loadScene(id: string, pitch: 'same', yaw: 'same', hfov: 'same'): void;
  };
};

const count = Number(new URLSearchParams(location.search).get('count'));
const sceneOf = (nth: number) => ({
  type: 'equirectangular',
  panorama: `/place-${nth}.jpg`,
  hotSpots: [nth - 1, nth + 1]
    .filter((to) => to >= 0 && to < count)
    .map((to) => ({ type: 'scene', sceneId: String(to), pitch: 0, yaw: to > nth ? 0 : 180 })),
});
const viewer = pannellum.viewer('viewer', {
  default: { firstScene: '0', autoLoad: true, sceneFadeDuration: 350 },
  scenes: Object.fromEntries(Array.from({ length: count }, (_, nth) => [nth, sceneOf(nth)])),
});
viewer.on('load', () => {
  window.goTo = (nth) => viewer.loadScene(String(nth), 'same', 'same', 'same');
});
