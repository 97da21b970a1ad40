import {
  AmbientLight,
  BoxGeometry,
  CanvasTexture,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  WebGLRenderer,
} from 'three';

declare global {
  interface Window {
    plain: {
      count: number;
      /** Number of objects that follow the pointer. */
      moving: number;
      /** Whether they match an editor's room: pictures with the room's light and antialiasing. */
      areAlike: boolean;
      /** Size of the canvas in pixels. */
      width: number;
      height: number;
    };
  }
}

/** Draws boxes or pictures with three.js; some of them follow the pointer. Runs in a page. */
const { count, moving, areAlike, width, height } = window.plain;
const renderer = new WebGLRenderer({ antialias: areAlike, alpha: areAlike });
renderer.setSize(width, height);
document.body.append(renderer.domElement);
const scene = new Scene();
const camera = new PerspectiveCamera(50, width / height, 0.1, 5000);
camera.position.z = 400;

function picture(): MeshStandardMaterial {
  const canvas = document.createElement('canvas');
  canvas.width = 128;
  canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#8844cc';
  context.fillRect(0, 0, 128, 64);
  return new MeshStandardMaterial({ map: new CanvasTexture(canvas), transparent: true, alphaTest: 0.01 });
}

const geometry = areAlike ? new PlaneGeometry(100, 50) : new BoxGeometry(50, 50, 1);
const material = areAlike ? picture() : new MeshBasicMaterial();
if (areAlike) scene.add(new AmbientLight());
const meshes = Array.from({ length: count }, (_, index) => {
  const mesh = new Mesh(geometry, material);
  mesh.position.set(
    ((index % 40) - 20) * 60,
    (Math.floor(index / 40) % 10) * 60 - 270,
    -Math.floor(index / 400) * 150 - 200,
  );
  return mesh;
});
scene.add(...meshes);
renderer.render(scene, camera);
let x = 0;
addEventListener('pointermove', ({ clientX }) => {
  for (const mesh of meshes.slice(0, moving)) mesh.position.x += clientX - x;
  x = clientX;
  requestAnimationFrame(() => renderer.render(scene, camera));
});
