import {
  AmbientLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  WebGLRenderer,
} from 'three';

declare global {
  interface Window {
    plainImages: {
      places: { position_x: number; position_y: number }[];
      /** Distance of the camera in units. */
      away: number;
      /** Size of the canvas in pixels. */
      width: number;
      height: number;
    };
    /** Draws a frame from a position along the wall. */
    drawPlain?(x: number): void;
  }
}

/** Draws images as plain three.js does: a mesh and a material for each. Runs in a page. */
const { places, away, width, height } = window.plainImages;
const renderer = new WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(width, height);
document.body.append(renderer.domElement);
const scene = new Scene();
scene.add(new AmbientLight());
const camera = new PerspectiveCamera(75, width / height, 0.1, 10_000);
const geometry = new PlaneGeometry(100, 75);
for (const { position_x, position_y } of places) {
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ transparent: true, alphaTest: 0.01 }));
  mesh.position.set(position_x, position_y, 0);
  scene.add(mesh);
}
window.drawPlain = (x) => {
  camera.position.set(x, 0, away);
  renderer.render(scene, camera);
};
