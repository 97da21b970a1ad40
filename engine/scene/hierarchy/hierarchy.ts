import type { PreOrder, SceneWorld } from '../world.ts';

/**
 * Updates the world matrices of dirty subtrees and lists their entities in `moved`. If nothing was rotated or scaled,
 * only positions are computed.
 */
export function hierarchy(world: SceneWorld): void {
  const { moved, order } = world;
  moved.count = 0;
  if (!world.dirty) return;
  if (world.turned) turnSubtrees(world);
  else moveSubtrees(world);
  order.dirty.fill(0, 0, (order.count >>> 5) + 1);
  world.dirty = false;
  world.turned = false;
  if (moved.count > 0) world.version++;
}

/** The first dirty rank at or after `rank`; the count if none. */
function nextDirty({ dirty, count }: PreOrder, rank: number): number {
  const last = count >>> 5;
  let word = rank >>> 5;
  let bits = dirty[word]! & (-1 << rank);
  while (bits === 0) {
    if (word === last) return count;
    bits = dirty[++word]!;
  }
  return (word << 5) + 31 - Math.clz32(bits & -bits);
}

function moveSubtrees({ order, moved, ChildOf, Transform, WorldMatrix }: SceneWorld): void {
  const { entities, ends, count } = order;
  const { parent } = ChildOf;
  const { position: local } = Transform;
  const { position, linear: m } = WorldMatrix;
  const { list } = moved;
  let found = 0;
  // Siblings are consecutive, so the last parent's matrix is cached in locals.
  let held = 0;
  let m0 = 1;
  let m1 = 0;
  let m2 = 0;
  let m3 = 0;
  let m4 = 1;
  let m5 = 0;
  let m6 = 0;
  let m7 = 0;
  let m8 = 1;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let rank = nextDirty(order, 0); rank < count; rank = nextDirty(order, rank)) {
    const end = ends[rank]!;
    for (; rank < end; rank++) {
      const entity = entities[rank]!;
      const group = parent[entity]!;
      if (group !== held) {
        held = group;
        const from = group * 9;
        m0 = m[from]!;
        m1 = m[from + 1]!;
        m2 = m[from + 2]!;
        m3 = m[from + 3]!;
        m4 = m[from + 4]!;
        m5 = m[from + 5]!;
        m6 = m[from + 6]!;
        m7 = m[from + 7]!;
        m8 = m[from + 8]!;
        mx = position[group * 3]!;
        my = position[group * 3 + 1]!;
        mz = position[group * 3 + 2]!;
      }
      const at = entity * 3;
      const x = local[at]!;
      const y = local[at + 1]!;
      const z = local[at + 2]!;
      position[at] = m0 * x + m3 * y + m6 * z + mx;
      position[at + 1] = m1 * x + m4 * y + m7 * z + my;
      position[at + 2] = m2 * x + m5 * y + m8 * z + mz;
      list[found++] = entity;
    }
  }
  moved.count = found;
}

function turnSubtrees({ order, moved, Dirty, ChildOf, Transform, WorldMatrix, tick }: SceneWorld): void {
  const { position: local } = Transform;
  const { position, linear: m, scale, turnedAt } = WorldMatrix;
  for (let rank = nextDirty(order, 0); rank < order.count; rank = nextDirty(order, rank)) {
    const end = order.ends[rank]!;
    for (; rank < end; rank++) {
      const entity = order.entities[rank]!;
      const group = ChildOf.parent[entity]!;
      const a = group * 9;
      if (Dirty.turned[entity] || (group !== 0 && turnedAt[group] === tick)) {
        multiply(m, a, Transform.linear, entity * 9);
        scale[entity] = greatestScale(m, entity * 9);
        turnedAt[entity] = tick;
        Dirty.turned[entity] = 0;
      }
      const at = entity * 3;
      const from = group * 3;
      const x = local[at]!;
      const y = local[at + 1]!;
      const z = local[at + 2]!;
      position[at] = m[a]! * x + m[a + 3]! * y + m[a + 6]! * z + position[from]!;
      position[at + 1] = m[a + 1]! * x + m[a + 4]! * y + m[a + 7]! * z + position[from + 1]!;
      position[at + 2] = m[a + 2]! * x + m[a + 5]! * y + m[a + 8]! * z + position[from + 2]!;
      moved.list[moved.count++] = entity;
    }
  }
}

function greatestScale(m: Float32Array, at: number): number {
  const x = m[at]! * m[at]! + m[at + 1]! * m[at + 1]! + m[at + 2]! * m[at + 2]!;
  const y = m[at + 3]! * m[at + 3]! + m[at + 4]! * m[at + 4]! + m[at + 5]! * m[at + 5]!;
  const z = m[at + 6]! * m[at + 6]! + m[at + 7]! * m[at + 7]! + m[at + 8]! * m[at + 8]!;
  return Math.sqrt(Math.max(x, y, z));
}

/** Multiplies the world matrix at `a` by the local one at `at` (both 3 × 3) into the world matrix at `at`. */
function multiply(world: Float32Array, a: number, local: Float32Array, at: number): void {
  for (let column = at; column < at + 9; column += 3) {
    const x = local[column]!;
    const y = local[column + 1]!;
    const z = local[column + 2]!;
    world[column] = world[a]! * x + world[a + 3]! * y + world[a + 6]! * z;
    world[column + 1] = world[a + 1]! * x + world[a + 4]! * y + world[a + 7]! * z;
    world[column + 2] = world[a + 2]! * x + world[a + 5]! * y + world[a + 8]! * z;
  }
}
