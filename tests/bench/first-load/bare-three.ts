import {
  BackSide,
  LinearFilter,
  LinearSRGBColorSpace,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  TextureLoader,
  WebGLRenderer,
} from 'three';

/** Baseline: a minimal, tuned three.js panorama without antialiasing, mipmaps or color space conversion. */
const renderer = new WebGLRenderer({ antialias: false });
renderer.outputColorSpace = LinearSRGBColorSpace;
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new Scene();
const camera = new PerspectiveCamera(75, innerWidth / innerHeight, 0.1, 2000);
new TextureLoader().load('/panorama.jpg', (map) => {
  map.generateMipmaps = false;
  map.minFilter = LinearFilter;
  scene.add(new Mesh(new SphereGeometry(500, 60, 40), new MeshBasicMaterial({ map, side: BackSide })));
  renderer.setAnimationLoop(() => renderer.render(scene, camera));
});
