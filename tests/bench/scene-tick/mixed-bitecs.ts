import { addComponent, addEntity, createWorld, query } from 'bitecs';
import { DAY } from '../../../engine/document/constants.ts';
import { createCameraView, readPose } from '../../../engine/scene/view/camera-pose.ts';
import { CLIP, LENS, type MixedWork, mixedCameraX, mixedCameraZ, SHIFT, sphereInView, weigh } from './mixed-work.ts';
import { ALWAYS, CAMERA_Y, type Contestant, timeAt } from './work.ts';

/** Baseline: bitecs as documented, with one query per system and full updates each tick. */
export function create(work: MixedWork): Contestant {
  const size = work.count + 1;
  const doubles = () => new Float64Array(size);
  const singles = () => new Float32Array(size);
  const Place = { x: doubles(), y: doubles(), z: doubles(), sine: doubles(), cosine: doubles() };
  const Parent = { entity: new Int32Array(size) };
  const World = { x: singles(), y: singles(), z: singles() };
  const Window = { from: doubles(), till: doubles(), open: new Uint8Array(size).fill(1) };
  const Proximity = { outer: doubles(), inner: doubles(), volume: singles().fill(1) };
  const InView = { radius: doubles() };
  const Timed = { length: doubles(), loops: new Uint8Array(size), at: doubles() };
  const Animated = { x: doubles() };
  const world = createWorld();
  const view = createCameraView();
  const camera = { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS };
  const ids: number[] = [];
  for (let i = 0; i < work.count; i++) {
    const e = addEntity(world);
    ids.push(e);
    for (const c of [Place, Parent, World]) addComponent(world, e, c);
    Place.x[e] = work.x[i]!;
    Place.y[e] = work.y[i]!;
    Place.z[e] = work.z[i]!;
    Place.sine[e] = Math.sin(work.turn[i]!);
    Place.cosine[e] = Math.cos(work.turn[i]!);
    Parent.entity[e] = work.parent[i]! < 0 ? 0 : ids[work.parent[i]!]!;
    if (work.till[i] !== ALWAYS) addComponent(world, e, Window);
    Window.from[e] = work.from[i]!;
    Window.till[e] = work.till[i]!;
    if (work.outer[i]! > 0) addComponent(world, e, Proximity);
    Proximity.outer[e] = work.outer[i]!;
    Proximity.inner[e] = work.inner[i]!;
    if (work.viewed[i]) addComponent(world, e, InView);
    InView.radius[e] = work.viewed[i] ? work.radius[i]! : -1;
    if (work.length[i]! > 0) addComponent(world, e, Timed);
    Timed.length[e] = work.length[i]!;
    Timed.loops[e] = work.loops[i]!;
    if (work.animated[i]) addComponent(world, e, Animated);
    Animated.x[e] = work.x[i]!;
  }
  // The root: the identity transform.
  Place.cosine[0] = 1;

  const windows = (now: number) => {
    const { from, till, open } = Window;
    for (const e of query(world, [Window]))
      open[e] = (from[e]! <= till[e]! ? now >= from[e]! && now < till[e]! : now >= from[e]! || now < till[e]!) ? 1 : 0;
  };
  const animation = (phase: number) => {
    for (const e of query(world, [Animated, Place])) Place.x[e] = Animated.x[e]! + phase * SHIFT;
  };
  const transforms = () => {
    const { sine, cosine } = Place;
    for (const e of query(world, [Place, Parent, World])) {
      const group = Parent.entity[e]!;
      World.x[e] = cosine[group]! * Place.x[e]! + sine[group]! * Place.z[e]! + World.x[group]!;
      World.y[e] = Place.y[e]! + World.y[group]!;
      World.z[e] = cosine[group]! * Place.z[e]! - sine[group]! * Place.x[e]! + World.z[group]!;
    }
  };
  const proximity = () => {
    const { outer, inner, volume } = Proximity;
    for (const e of query(world, [Proximity, World])) {
      const dx = World.x[e]! - view.x;
      const dy = World.y[e]! - view.y;
      const dz = World.z[e]! - view.z;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const radius = InView.radius[e]!;
      if (!Window.open[e] || distance >= outer[e]!) volume[e] = 0;
      else if (radius >= 0 && !sphereInView(view, World.x[e]!, World.y[e]!, World.z[e]!, radius)) volume[e] = 0;
      else volume[e] = distance < inner[e]! ? 1 : (outer[e]! - distance) / (outer[e]! - inner[e]!);
    }
  };
  const timed = (now: number) => {
    const { length, loops, at } = Timed;
    for (const e of query(world, [Timed])) {
      const since = Window.till[e] === ALWAYS ? now : (now - Window.from[e]! + DAY) % DAY;
      at[e] = !Window.open[e] ? 0 : loops[e] ? since % length[e]! : Math.min(since, length[e]!);
    }
  };
  return {
    tick(tick) {
      const now = timeAt(tick) % DAY;
      camera.position.x = mixedCameraX(tick);
      camera.position.z = mixedCameraZ(tick);
      readPose(view, camera);
      windows(now);
      animation((timeAt(tick - 1) % CLIP) / CLIP);
      transforms();
      proximity();
      timed(now);
    },
    checksum() {
      let sum = 0;
      for (const e of ids) sum += weigh(Proximity.volume[e]!, Window.open[e]!, World.x[e]!, Timed.at[e]!);
      return sum;
    },
  };
}
