import { CAMERA_Y, type Contestant, cameraX, cameraZ, secondAt, type Work } from './work.ts';

/** Baseline without a library: one pass over typed arrays that recomputes every element. */
export function create(work: Work): Contestant {
  const { count, parent, x, y, z, turn, scale, speed, from, till, outer, inner } = work;
  const W = new Float32Array(count * 16);
  const sine = turn.map((angle) => Math.sin(angle / 2));
  const cosine = turn.map((angle) => Math.cos(angle / 2));
  const volume = new Float32Array(count);
  const visible = new Uint8Array(count);
  // All rotations are around y, but the work is that of any rotation: the loop must not profit from the zeros.
  const zeroX = new Float64Array(count);
  const zeroZ = new Float64Array(count);
  return {
    tick(tick) {
      const now = secondAt(tick);
      const cx = cameraX(tick);
      const cz = cameraZ(tick);
      for (let i = 0; i < count; i++) {
        const active = now >= from[i]! && now < till[i]!;
        visible[i] = active ? 1 : 0;
        x[i]! += speed[i]!;
        const px = x[i]!;
        const py = y[i]!;
        const pz = z[i]!;
        const ax = zeroX[i]!;
        const ay = sine[i]!;
        const az = zeroZ[i]!;
        const aw = cosine[i]!;
        const s = scale[i]!;
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
        const o = i * 16;
        let tx = px;
        let ty = py;
        let tz = pz;
        if (parent[i]! < 0) {
          W[o] = m0;
          W[o + 1] = m1;
          W[o + 2] = m2;
          W[o + 4] = m4;
          W[o + 5] = m5;
          W[o + 6] = m6;
          W[o + 8] = m8;
          W[o + 9] = m9;
          W[o + 10] = m10;
        } else {
          const q = parent[i]! * 16;
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
          tx = a0 * px + a4 * py + a8 * pz + W[q + 12]!;
          ty = a1 * px + a5 * py + a9 * pz + W[q + 13]!;
          tz = a2 * px + a6 * py + a10 * pz + W[q + 14]!;
        }
        W[o + 12] = tx;
        W[o + 13] = ty;
        W[o + 14] = tz;
        W[o + 15] = 1;
        const dx = tx - cx;
        const dy = ty - CAMERA_Y;
        const dz = tz - cz;
        const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (!active || distance >= outer[i]!) volume[i] = 0;
        else volume[i] = distance <= inner[i]! ? 1 : (outer[i]! - distance) / (outer[i]! - inner[i]!);
      }
    },
    checksum() {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += volume[i]! + visible[i]! + W[i * 16 + 12]! * 1e-3 + W[i * 16 + 5]!;
      return sum;
    },
  };
}
