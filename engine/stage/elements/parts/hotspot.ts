import {
  CanvasTexture,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  SRGBColorSpace,
  Vector2,
  Vector3,
} from 'three';
import type { ElementOf } from '../../../document/element.ts';
import type { ElementView, StageContext } from '../../context.ts';
import { directionOf, loadTextFont, TEXT_FAMILY } from '../../rendering/canvas-text.ts';

type ButtonConfig = ElementOf<'button'>['config'];
type Icon = ButtonConfig['hotspot_icon'];
type FloorShape = Exclude<ButtonConfig['hotspot_shape'], 'mark'>;

/** Icons as SVG paths of lines in a square of 24. */
const ICONS: Record<Icon, string> = {
  walk: 'M13.4 2.6a1.7 1.7 0 1 1-.1 0M12.6 8 11 14l3.6 3 1 4.6M11 14l-3 7.6M12.6 8l-4 2L7 13.6M12.6 8l2.6 3.6 3 1',
  stairs: 'M3 20h5v-4.5h4.5V11H17V6.5h4',
  door: 'M6 21V4h10v17M3.5 21h17M13 12.5v.1',
  info: 'M9.5 10.5H12V18M9 18h6M12 5.8v.4',
  image: 'M4 5h16v14H4zM4 16l5.5-5.5L14 15l2.5-2.5L20 16M15.5 8.5v.1',
  video: 'M8 5.5v13L19 12z',
  sound: 'M4 9.5h4L13 5v14l-5-4.5H4zM16.5 9a4.5 4.5 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11',
  link: 'M10 14 20 4M13.5 4H20v6.5M17 14v6H4V7h6',
};
/** Outlines of floor shapes in a square of 24, the visitor's side down. */
const FLOOR_SHAPES: Record<FloorShape, string> = {
  arrow: 'M12 3.5 21 17l-9-4-9 4z',
  ring: 'M12 3a9 9 0 1 0 .01 0',
};

const INK = 'rgb(20 23 28 / 84%)';
const PAPER = '#F7F6F2';

/** Sizes of a mark in CSS pixels: its height is large enough to press with a finger. */
const MARK = { height: 44, icon: 24, padding: 10, font: 16, maxWidth: 280, sharpness: 2 } as const;
/** Side of a floor shape in units (80 cm), and the smallest it may appear, in CSS pixels across and along the floor. */
const FLOOR = { side: 250, across: 64, along: 22, texture: 256 } as const;
/** Smallest sine of the angle to the floor: beyond it, a floor shape would become gigantic. */
const MIN_SINE = 0.05;

function drawIcon(pen: CanvasRenderingContext2D, icon: Icon, x: number, y: number, size: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 24, size / 24);
  pen.lineWidth = 1.9;
  pen.lineCap = pen.lineJoin = 'round';
  pen.stroke(new Path2D(ICONS[icon]));
  pen.restore();
}

/** Shortens a text to a width in CSS pixels. */
function shortened(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let cut = text;
  while (cut && pen.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1).toWellFormed().trimEnd();
  return `${cut}…`;
}

function createCanvas(width: number, height: number, scale: number) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const pen = canvas.getContext('2d')!;
  pen.scale(scale, scale);
  return { canvas, pen };
}

/** A pill with the icon and the label. @returns its size in CSS pixels too */
function drawMark({ hotspot_icon, title }: ButtonConfig) {
  const { height, icon, padding, font, maxWidth } = MARK;
  const style = `600 ${font}px ${TEXT_FAMILY}`;
  const ruler = createCanvas(1, 1, 1).pen;
  ruler.font = style;
  const label = shortened(ruler, title, maxWidth);
  const width = label === '' ? height : padding * 2.6 + icon + padding * 0.8 + ruler.measureText(label).width;
  const { canvas, pen } = createCanvas(width, height, MARK.sharpness);
  pen.fillStyle = INK;
  pen.strokeStyle = PAPER;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.roundRect(1, 1, width - 2, height - 2, height / 2);
  pen.fill();
  pen.stroke();
  const isRtl = directionOf(label) === 'rtl';
  const iconX = label === '' ? padding : isRtl ? width - padding * 1.2 - icon : padding * 1.2;
  drawIcon(pen, hotspot_icon, iconX, (height - icon) / 2, icon);
  pen.fillStyle = PAPER;
  pen.font = style;
  pen.direction = isRtl ? 'rtl' : 'ltr';
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillText(label, isRtl ? padding * 1.4 : iconX + icon + padding * 0.8, height / 2 + 1);
  return { canvas, width, height };
}

/** An arrow, or a ring around the icon, with the label towards the visitor. */
function drawFloorShape({ hotspot_shape, hotspot_icon, title }: ButtonConfig): HTMLCanvasElement {
  const { texture: size } = FLOOR;
  const { canvas, pen } = createCanvas(size, size, 1);
  const [shape, lift] = [hotspot_shape as FloorShape, title ? 0.78 : 1];
  pen.save();
  pen.translate(((1 - lift) / 2) * size, 0);
  pen.scale((size / 24) * lift, (size / 24) * lift);
  const outline = new Path2D(FLOOR_SHAPES[shape]);
  pen.fillStyle = shape === 'ring' ? INK : PAPER;
  pen.strokeStyle = shape === 'ring' ? PAPER : INK;
  pen.lineWidth = 1.6;
  pen.lineJoin = 'round';
  pen.fill(outline);
  pen.stroke(outline);
  pen.restore();
  if (shape === 'ring') {
    pen.strokeStyle = PAPER;
    const icon = size * 0.42 * lift;
    drawIcon(pen, hotspot_icon, (size - icon) / 2, (size * lift - icon) / 2, icon);
  }
  if (title) {
    pen.font = `700 ${size * 0.15}px ${TEXT_FAMILY}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineJoin = 'round';
    pen.lineWidth = size * 0.04;
    pen.strokeStyle = INK;
    pen.fillStyle = PAPER;
    const label = shortened(pen, title, size * 0.96);
    pen.strokeText(label, size / 2, size * 0.88);
    pen.fillText(label, size / 2, size * 0.88);
  }
  return canvas;
}

const screen = new Vector2();
const toEye = new Vector3();
const scale = new Vector3();
const up = new Vector3(0, 1, 0);
const position = new Vector3();
const turn = new Quaternion();
const flat = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);

/** Units per CSS pixel at a distance along the viewing direction. */
function unitsPerPixel({ camera, renderer }: StageContext, depth: number): number {
  renderer.getSize(screen);
  return (2 * depth) / (camera.projectionMatrix.elements[5]! * (screen.y || 1));
}

/** Texture and material of a hotspot, shared by hotspots that look the same. */
interface Look {
  material: MeshBasicMaterial;
  /** Size of a mark in CSS pixels; of a floor shape, 1. */
  width: number;
  height: number;
  dispose(): void;
}

function createLook(config: ButtonConfig): Look {
  const { canvas, width, height } =
    config.hotspot_shape === 'mark' ? drawMark(config) : { canvas: drawFloorShape(config), width: 1, height: 1 };
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  map.anisotropy = 4;
  const material = new MeshBasicMaterial({
    map,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    toneMapped: false,
    fog: false,
  });
  return {
    material,
    width,
    height,
    dispose: () => {
      map.dispose();
      material.dispose();
    },
  };
}

/** Key of the plane that all hotspots share. */
const PLANE = 'hotspot';

/**
 * A button as a hotspot: a mark of constant size that faces the visitor, or a shape on the floor. Drawn by WebGL, so that
 * panoramas show around it and headsets show it too; the stage adds a hidden button for keyboards and screen readers.
 * Its texture is drawn when it is first visible: a tour has many hotspots, and shows those of one place.
 */
export async function drawHotspot(
  context: StageContext,
  { id, config }: ElementOf<'button'>,
  entity: number,
): Promise<ElementView> {
  const { resources } = context;
  const { hotspot_shape, hotspot_icon, title } = config;
  const isMark = hotspot_shape === 'mark';
  const key = `${PLANE} ${hotspot_shape} ${hotspot_icon} ${title}`;
  let look: Look | undefined;
  let drawing: Promise<void> | undefined;
  let isOver = false;
  const mesh = new Mesh<PlaneGeometry, MeshBasicMaterial>(resources.share(PLANE, () => new PlaneGeometry()));
  mesh.visible = false;
  mesh.renderOrder = 3;
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  // The mesh has a world matrix of its own: it follows the camera, not the element's rotation.
  mesh.matrixWorldAutoUpdate = false;
  const object = new Group().add(mesh);

  const drawOnce = () => {
    drawing ??= loadTextFont(title).then(() => {
      if (isOver) return;
      look = resources.share(key, () => createLook(config));
      mesh.material = look.material;
      mesh.visible = true;
      context.invalidate();
    });
    return drawing;
  };
  if (context.scene.isVisible(entity)) await drawOnce();

  /** Faces the camera, in the size of its pixels. */
  const faceCamera = (size: number): void => {
    const { camera } = context;
    const depth = -toEye.subVectors(camera.position, position).dot(camera.getWorldDirection(scale));
    const unit = unitsPerPixel(context, Math.max(depth, camera.near)) * size;
    mesh.matrixWorld.compose(position, camera.quaternion, scale.set(unit * look!.width, unit * look!.height, unit));
  };
  /** Lies on the floor, pointing away from the camera. */
  const lie = (size: number): void => {
    toEye.subVectors(context.camera.position, position);
    const distance = toEye.length() || 1;
    const sine = Math.max(MIN_SINE, Math.abs(toEye.y) / distance);
    const pixel = unitsPerPixel(context, distance);
    const side = Math.max(FLOOR.side * size, FLOOR.across * pixel, (FLOOR.along * pixel) / sine);
    turn.setFromAxisAngle(up, Math.atan2(toEye.x, toEye.z)).multiply(flat);
    mesh.matrixWorld.compose(position, turn, scale.setScalar(side));
  };
  return {
    object,
    target: mesh,
    show: (visible) => {
      if (visible) drawOnce().catch((error: unknown) => context.fail(error, id));
    },
    animate: () => {
      if (!look) return false;
      const size = scale.setFromMatrixScale(object.matrix).x || 1;
      position.setFromMatrixPosition(object.matrix);
      (isMark ? faceCamera : lie)(size);
      // The camera or the element has moved, which draws a frame anyway.
      return false;
    },
    dispose: () => {
      isOver = true;
      resources.unshare(PLANE);
      if (look) resources.unshare(key);
    },
  };
}
