import { Viewer } from '@photo-sphere-viewer/core';
import { VirtualTourPlugin } from '@photo-sphere-viewer/virtual-tour-plugin';
import '@photo-sphere-viewer/core/index.css';
import '@photo-sphere-viewer/virtual-tour-plugin/index.css';

const count = Number(new URLSearchParams(location.search).get('count'));
const nodes = Array.from({ length: count }, (_, nth) => ({
  id: String(nth),
  panorama: `/place-${nth}.jpg`,
  name: String(nth),
  links: [nth - 1, nth + 1]
    .filter((to) => to >= 0 && to < count)
    .map((to) => ({ nodeId: String(to), position: { yaw: to > nth ? 0 : Math.PI, pitch: 0 } })),
}));
const viewer = new Viewer({
  container: document.getElementById('viewer')!,
  plugins: [VirtualTourPlugin.withConfig({ preload: true, positionMode: 'manual', startNodeId: '0', nodes })],
});
const tour = viewer.getPlugin<VirtualTourPlugin>(VirtualTourPlugin);
viewer.addEventListener('ready', () => {
  window.goTo = (nth) => void tour.setCurrentNode(String(nth));
});
