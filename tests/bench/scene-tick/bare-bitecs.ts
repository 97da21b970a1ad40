import { addComponent, addEntity, createWorld, query } from 'bitecs';
import { CAMERA_Y, type Contestant, cameraX, cameraZ, secondAt, type Work } from './work.ts';

/** Baseline: bitecs as documented, with typed-array components, one query per system, and full updates each tick. */
export function create(work: Work): Contestant {
  const size = work.count + 1;
  const singles = () => new Float32Array(size);
  const doubles = () => new Float64Array(size);
  const Position = { x: doubles(), y: doubles(), z: doubles() };
  const Rotation = { x: singles(), y: singles(), z: singles(), w: singles() };
  const Scale = { factor: singles() };
  const Velocity = { x: doubles() };
  const Window = { from: doubles(), till: doubles(), active: new Uint8Array(size) };
  const Proximity = { outer: singles(), inner: singles(), volume: singles() };
  const Parent = { entity: new Int32Array(size) };
  const World = { matrix: new Float32Array(size * 16) };
  const world = createWorld({ second: 0 });
  const ids: number[] = [];
  for (let i = 0; i < work.count; i++) {
    const e = addEntity(world);
    ids.push(e);
    for (const c of [Position, Rotation, Scale, Window, Proximity, Parent, World]) addComponent(world, e, c);
    if (work.speed[i] !== 0) addComponent(world, e, Velocity);
    Position.x[e] = work.x[i]!;
    Position.y[e] = work.y[i]!;
    Position.z[e] = work.z[i]!;
    Rotation.y[e] = Math.sin(work.turn[i]! / 2);
    Rotation.w[e] = Math.cos(work.turn[i]! / 2);
    Scale.factor[e] = work.scale[i]!;
    Velocity.x[e] = work.speed[i]!;
    Window.from[e] = work.from[i]!;
    Window.till[e] = work.till[i]!;
    Proximity.outer[e] = work.outer[i]!;
    Proximity.inner[e] = work.inner[i]!;
    Parent.entity[e] = work.parent[i]! < 0 ? 0 : ids[work.parent[i]!]!;
  }

  const windows = () => {
    const entities = query(world, [Window]);
    const { from, till, active } = Window;
    const now = world.second;
    for (let k = 0; k < entities.length; k++) {
      const e = entities[k]!;
      active[e] = now >= from[e]! && now < till[e]! ? 1 : 0;
    }
  };
  const movement = () => {
    const entities = query(world, [Position, Velocity]);
    for (let k = 0; k < entities.length; k++) {
      const e = entities[k]!;
      Position.x[e]! += Velocity.x[e]!;
    }
  };
  const transforms = () => {
    const entities = query(world, [Position, Rotation, Scale, Parent, World]);
    const W = World.matrix;
    for (let k = 0; k < entities.length; k++) {
      const e = entities[k]!;
      const x = Position.x[e]!;
      const y = Position.y[e]!;
      const z = Position.z[e]!;
      const ax = Rotation.x[e]!;
      const ay = Rotation.y[e]!;
      const az = Rotation.z[e]!;
      const aw = Rotation.w[e]!;
      const s = Scale.factor[e]!;
      const xx = ax * (ax + ax);
      const xy = ax * (ay + ay);
      const xz = ax * (az + az);
      const yy = ay * (ay + ay);
      const yz = ay * (az + az);
      const zz = az * (az + az);
      const wx = aw * (ax + ax);
      const wy = aw * (ay + ay);
      const wz = aw * (az + az);
      const m0 = (1 - (yy + zz)) * s;
      const m1 = (xy + wz) * s;
      const m2 = (xz - wy) * s;
      const m4 = (xy - wz) * s;
      const m5 = (1 - (xx + zz)) * s;
      const m6 = (yz + wx) * s;
      const m8 = (xz + wy) * s;
      const m9 = (yz - wx) * s;
      const m10 = (1 - (xx + yy)) * s;
      const o = e * 16;
      const p = Parent.entity[e]!;
      if (p === 0) {
        W[o] = m0;
        W[o + 1] = m1;
        W[o + 2] = m2;
        W[o + 4] = m4;
        W[o + 5] = m5;
        W[o + 6] = m6;
        W[o + 8] = m8;
        W[o + 9] = m9;
        W[o + 10] = m10;
        W[o + 12] = x;
        W[o + 13] = y;
        W[o + 14] = z;
      } else {
        const q = p * 16;
        const a0 = W[q]!;
        const a1 = W[q + 1]!;
        const a2 = W[q + 2]!;
        const a4 = W[q + 4]!;
        const a5 = W[q + 5]!;
        const a6 = W[q + 6]!;
        const a8 = W[q + 8]!;
        const a9 = W[q + 9]!;
        const a10 = W[q + 10]!;
        W[o] = a0 * m0 + a4 * m1 + a8 * m2;
        W[o + 1] = a1 * m0 + a5 * m1 + a9 * m2;
        W[o + 2] = a2 * m0 + a6 * m1 + a10 * m2;
        W[o + 4] = a0 * m4 + a4 * m5 + a8 * m6;
        W[o + 5] = a1 * m4 + a5 * m5 + a9 * m6;
        W[o + 6] = a2 * m4 + a6 * m5 + a10 * m6;
        W[o + 8] = a0 * m8 + a4 * m9 + a8 * m10;
        W[o + 9] = a1 * m8 + a5 * m9 + a9 * m10;
        W[o + 10] = a2 * m8 + a6 * m9 + a10 * m10;
        W[o + 12] = a0 * x + a4 * y + a8 * z + W[q + 12]!;
        W[o + 13] = a1 * x + a5 * y + a9 * z + W[q + 13]!;
        W[o + 14] = a2 * x + a6 * y + a10 * z + W[q + 14]!;
      }
      W[o + 15] = 1;
    }
  };
  const proximity = (tick: number) => {
    const entities = query(world, [World, Proximity, Window]);
    const W = World.matrix;
    const { outer, inner, volume } = Proximity;
    const { active } = Window;
    const cx = cameraX(tick);
    const cz = cameraZ(tick);
    for (let k = 0; k < entities.length; k++) {
      const e = entities[k]!;
      const o = e * 16 + 12;
      const dx = W[o]! - cx;
      const dy = W[o + 1]! - CAMERA_Y;
      const dz = W[o + 2]! - cz;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (active[e] === 0 || distance >= outer[e]!) volume[e] = 0;
      else volume[e] = distance <= inner[e]! ? 1 : (outer[e]! - distance) / (outer[e]! - inner[e]!);
    }
  };
  return {
    tick(tick) {
      world.second = secondAt(tick);
      windows();
      movement();
      transforms();
      proximity(tick);
    },
    checksum() {
      const { matrix } = World;
      let sum = 0;
      for (const e of ids)
        sum += Proximity.volume[e]! + Window.active[e]! + matrix[e * 16 + 12]! * 1e-3 + matrix[e * 16 + 5]!;
      return sum;
    },
  };
}
