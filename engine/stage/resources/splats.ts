import {
  type PackedSplats,
  SparkRenderer,
  SplatEdit,
  SplatEditRgbaBlendMode,
  SplatEditSdf,
  SplatEditSdfType,
  SplatFileType,
  SplatMesh,
} from '@sparkjsdev/spark';
import { Box3, BoxGeometry, Group, Mesh, MeshBasicMaterial, type Scene, Vector3 } from 'three';
import { SPLAT_LIMITS } from '../../document/constants.ts';
import type { Vector } from '../../document/fields.ts';
import type { StageContext } from '../context.ts';
import { fitFactor } from './box.ts';
import type { Model } from './gltf.ts';
import type { OnArrival } from './load-progress.ts';
import { allowOwnScripts } from './own-scripts.ts';
import { readBody } from './read-body.ts';

/** Splats measured for the bounds of a model, and the part at each end that is left out: captures have strays far away. */
const MEASURED = 20_000;
const STRAYS = 0.005;

/** Maximum milliseconds to wait for the first sort: hidden splats are never sorted. */
const PATIENCE = 3000;

/** Polling interval in milliseconds for the end of a sort. */
const SORTING = 100;

/** Part of a model that is shown, as fractions of its bounds: from left, bottom and back. */
export interface Crop {
  min: Vector;
  max: Vector;
}

/** Draws all splats of a scene in their order; disposed with the last model. */
interface Drawing {
  spark: SparkRenderer;
  users: number;
  /** Called after each sort. */
  ordered: Set<() => void>;
}
const drawings = new WeakMap<Scene, Drawing>();

const limit = () => SPLAT_LIMITS[matchMedia('(pointer: coarse)').matches ? 'phone' : 'desktop'];

function enter({ three, renderer, invalidate }: StageContext): Drawing {
  const known = drawings.get(three);
  if (known) {
    known.users++;
    return known;
  }
  const ordered = new Set<() => void>();
  const onDirty = () => {
    invalidate();
    if (spark.activeSplats > 0) for (const report of ordered) report();
  };
  const spark: SparkRenderer = new SparkRenderer({ renderer, onDirty, lodSplatCount: limit() });
  three.add(spark);
  const drawing = { spark, users: 1, ordered };
  drawings.set(three, drawing);
  return drawing;
}

function leave({ three, invalidate }: StageContext, drawing: Drawing): void {
  if (--drawing.users > 0) return;
  drawings.delete(three);
  const { spark } = drawing;
  three.remove(spark);
  // Disposing it during a sort rejects the result of its worker.
  const free = () => {
    if (spark.sorting) setTimeout(free, SORTING);
    else spark.dispose();
  };
  free();
  invalidate();
}

/** Bounds of the centers of splats, without strays. */
function boundsOf(splats: PackedSplats): Box3 {
  const step = Math.max(1, Math.floor(splats.numSplats / MEASURED));
  const axes: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < splats.numSplats; at += step) {
    const { x, y, z } = splats.getSplat(at).center;
    axes[0].push(x);
    axes[1].push(y);
    axes[2].push(z);
  }
  const bounds = new Box3();
  for (const [axis, values] of axes.entries()) {
    values.sort((one, other) => one - other);
    const left = Math.floor(values.length * STRAYS);
    bounds.min.setComponent(axis, values[left] ?? 0);
    bounds.max.setComponent(axis, values[values.length - 1 - left] ?? 0);
  }
  return bounds;
}

const isWhole = ({ min, max }: Crop) => Math.max(min.x, min.y, min.z) <= 0 && Math.min(max.x, max.y, max.z) >= 1;

/** Hides the splats outside a part of the bounds, in the file's coordinates: x to the left and y down. */
function cropOf(bounds: Box3, crop: Crop): SplatEdit {
  const min = { x: 1 - crop.max.x, y: 1 - crop.max.y, z: crop.min.z };
  const max = { x: 1 - crop.min.x, y: 1 - crop.min.y, z: crop.max.z };
  const size = bounds.getSize(new Vector3());
  const inside = new SplatEditSdf({ type: SplatEditSdfType.BOX, opacity: 0, invert: true });
  inside.position.copy(bounds.min).add(new Vector3().copy(min).add(max).multiplyScalar(0.5).multiply(size));
  inside.scale.copy(new Vector3().copy(max).sub(min).multiplyScalar(0.5).multiply(size));
  const edit = new SplatEdit({ rgbaBlendMode: SplatEditRgbaBlendMode.MULTIPLY, sdfs: [inside] });
  return edit.add(inside);
}

/**
 * Loads Gaussian splats in the SPZ format.
 * @param crop the part that is shown; the bounds stay those of the whole
 * @throws if they can't be loaded or read
 */
export async function loadSplats(
  context: StageContext,
  url: string,
  crop: Crop | undefined,
  onArrival?: OnArrival,
): Promise<Model> {
  allowOwnScripts();
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The model could not be loaded (${response.status}).`);
  const content = await (await readBody(response, onArrival)).arrayBuffer();
  const mesh = new SplatMesh({
    fileBytes: content,
    fileType: SplatFileType.SPZ,
    lodAbove: limit(),
    lod: true,
    raycastable: false,
    editable: true,
  });
  const bounds = await mesh.initialized.then(
    () => boundsOf(mesh.packedSplats!),
    (error: unknown) => {
      mesh.dispose();
      throw error;
    },
  );
  const drawing = enter(context);
  const size = bounds.getSize(new Vector3()).max(new Vector3(1e-3, 1e-3, 1e-3));
  const center = bounds.getCenter(new Vector3());
  if (crop && !isWhole(crop)) mesh.add(cropOf(bounds, crop));
  mesh.position.sub(center);
  // Splats have no surface to hit.
  const body = new Mesh(new BoxGeometry(size.x, size.y, size.z), new MeshBasicMaterial({ visible: false }));
  const upright = new Group().add(mesh);
  upright.rotation.z = Math.PI;
  const object = new Group().add(upright, body);
  const { ordered } = drawing;
  let report = () => {};
  context.resources.wait(
    new Promise<void>((resolve) => {
      report = resolve;
      setTimeout(resolve, PATIENCE);
      ordered.add(report);
    }).finally(() => ordered.delete(report)),
  );
  return {
    object,
    size,
    levels: [],
    level: 0,
    fit: (box) => object.scale.setScalar(fitFactor(size, box)),
    darken: () => undefined,
    shadows: () => undefined,
    play: () => undefined,
    dispose: () => {
      report();
      mesh.dispose();
      body.geometry.dispose();
      body.material.dispose();
      leave(context, drawing);
    },
  };
}
