import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';

declare global {
  interface Window {
    /** How many there are. */
    boxes: number;
    /** How many of them follow the pointer. */
    moving: number;
  }
}

/** Boxes drawn by three.js, some of which follow the pointer. Runs in a page. */
const renderer = new WebGLRenderer({ antialias: false });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new Scene();
const camera = new PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 5000);
camera.position.z = 400;
const geometry = new BoxGeometry(50, 50, 1);
const material = new MeshBasicMaterial();
const boxes = Array.from({ length: window.boxes }, (_, index) => {
  const box = new Mesh(geometry, material);
  box.position.set(
    ((index % 40) - 20) * 60,
    (Math.floor(index / 40) % 10) * 60 - 270,
    -Math.floor(index / 400) * 150 - 200,
  );
  return box;
});
scene.add(...boxes);
renderer.render(scene, camera);
let x = 0;
addEventListener('pointermove', ({ clientX }) => {
  for (const box of boxes.slice(0, window.moving)) box.position.x += clientX - x;
  x = clientX;
  requestAnimationFrame(() => renderer.render(scene, camera));
});
