import { Color, Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, type Texture } from 'three';
import { IMAGE_SIDE } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';

/**
 * Width and height of a picture in units: a side that is not set follows the picture's ratio, 200 where neither is.
 * @param picture width and height in pixels
 */
export function imageSize(
  element: { width: number | null; height: number | null },
  picture: { width: number; height: number },
): { width: number; height: number } {
  const ratio = picture.width / picture.height;
  if (element.width !== null && element.height !== null) return { width: element.width, height: element.height };
  if (element.width !== null) return { width: element.width, height: element.width / ratio };
  const height = element.height ?? IMAGE_SIDE;
  return { width: height * ratio, height };
}

const materialFor = (map: Texture, ignoreLight: boolean) =>
  ignoreLight
    ? new MeshBasicMaterial({ map, transparent: true, alphaTest: 0.01, toneMapped: false })
    : new MeshStandardMaterial({
        map,
        transparent: true,
        alphaTest: 0.01,
        roughness: 0.9,
        envMapIntensity: 0,
        color: new Color(1, 1, 1),
      });

/** A picture on a plane, drawn from its front. */
export const drawImage: ElementDrawing<ElementOf<'image'>> = async (context, element) => {
  const url = element.config.file_url || element.file?.url;
  if (!url) throw new Error('The image has no file.');
  const texture = await context.resources.texture(url, { maxSize: context.renderer.capabilities.maxTextureSize });
  const { width, height } = imageSize(element, texture.image as ImageBitmap);
  const geometry = new PlaneGeometry(width, height);
  const material = materialFor(texture, element.ignore_light);
  const object = new Mesh(geometry, material);
  object.castShadow = true;
  object.receiveShadow = !element.ignore_light;
  return {
    object,
    dispose: () => {
      geometry.dispose();
      material.dispose();
      context.resources.release(url);
    },
  };
};
