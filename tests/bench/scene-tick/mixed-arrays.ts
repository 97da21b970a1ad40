import { DAY } from '../../../engine/document/constants.ts';
import { createCameraView, readPose } from '../../../engine/scene/view/camera-pose.ts';
import { CLIP, LENS, type MixedWork, mixedCameraX, mixedCameraZ, SHIFT, sphereInView, weigh } from './mixed-work.ts';
import { ALWAYS, CAMERA_Y, type Contestant, timeAt } from './work.ts';

/** Baseline without a library: one pass over typed arrays that recomputes every element. */
export function create(work: MixedWork): Contestant {
  const { count, parent, x, y, z, turn, radius, from, till, outer, inner, viewed, length, loops, animated } = work;
  const sine = turn.map(Math.sin);
  const cosine = turn.map(Math.cos);
  const px = new Float32Array(count);
  const py = new Float32Array(count);
  const pz = new Float32Array(count);
  const visible = new Uint8Array(count);
  const volume = new Float32Array(count).fill(1);
  const at = new Float64Array(count);
  const view = createCameraView();
  const camera = { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS };
  return {
    tick(tick) {
      const time = timeAt(tick);
      const now = time % DAY;
      camera.position.x = mixedCameraX(tick);
      camera.position.z = mixedCameraZ(tick);
      readPose(view, camera);
      const phase = (timeAt(tick - 1) % CLIP) / CLIP;
      for (let i = 0; i < count; i++) {
        const open = from[i]! <= till[i]! ? now >= from[i]! && now < till[i]! : now >= from[i]! || now < till[i]!;
        visible[i] = open ? 1 : 0;
        const lx = animated[i] ? x[i]! + phase * SHIFT : x[i]!;
        const group = parent[i]!;
        if (group < 0) {
          px[i] = lx;
          py[i] = y[i]!;
          pz[i] = z[i]!;
        } else {
          px[i] = cosine[group]! * lx + sine[group]! * z[i]! + px[group]!;
          py[i] = y[i]! + py[group]!;
          pz[i] = cosine[group]! * z[i]! - sine[group]! * lx + pz[group]!;
        }
        const far = outer[i]!;
        if (far > 0) {
          const dx = px[i]! - view.x;
          const dy = py[i]! - view.y;
          const dz = pz[i]! - view.z;
          const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
          if (!open || distance >= far) volume[i] = 0;
          else if (viewed[i] && !sphereInView(view, px[i]!, py[i]!, pz[i]!, radius[i]!)) volume[i] = 0;
          else volume[i] = distance < inner[i]! ? 1 : (far - distance) / (far - inner[i]!);
        }
        const clip = length[i]!;
        if (clip > 0) {
          const since = till[i] === ALWAYS ? now : (now - from[i]! + DAY) % DAY;
          at[i] = !open ? 0 : loops[i] ? since % clip : Math.min(since, clip);
        }
      }
    },
    checksum() {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += weigh(volume[i]!, visible[i]!, px[i]!, at[i]!);
      return sum;
    },
  };
}
