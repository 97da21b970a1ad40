import type { PlacedPanorama } from '../../../engine/document/places.ts';
import { rotationOf } from '../../../engine/document/rotation.ts';
import type { View } from '../../../engine/stage/camera/opening-view.ts';
import { PLACE_OF, partUniform } from '../../../engine/stage/surroundings/equirectangular.ts';

/** A triangle that covers the screen, without buffers. `lens` holds the tangents of half the fields of view. */
const VERTEX = `#version 300 es
uniform vec2 lens;
uniform mat3 turn;
out vec3 ray;
void main() {
  vec2 at = vec2(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1);
  ray = turn * vec3(at * lens, -1);
  gl_Position = vec4(at, 0, 1);
}`;

/** Samples the panorama by the direction of each pixel. */
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 ray;
uniform sampler2D image;
uniform vec4 part;
uniform mat3 turned;
out vec4 color;
${PLACE_OF}
void main() {
  color = textureLod(image, placeOf(ray * turned, part), 0.);
}`;

const DEGREES = 180 / Math.PI;

/** Milliseconds between two checks whether the GPU has finished. */
const POLL = 4;

/** View of the picture. */
export interface Lens extends View {
  /** Vertical field of view in degrees. */
  fov: number;
  /** Device pixel ratio. */
  ratio: number;
}

/** Minimal WebGL panorama painter, used until the engine loads. */
export class Painter {
  readonly canvas = document.createElement('canvas');
  /** Maximum texture width of the device, in pixels. */
  readonly maxSize: number;
  readonly #gl: WebGL2RenderingContext;
  readonly #uniform: (name: string) => WebGLUniformLocation | null;
  readonly #lensOf: (aspect: number) => Lens;

  /**
   * @param lensOf view for an aspect ratio
   * @throws if WebGL is unavailable
   */
  constructor(panorama: Omit<PlacedPanorama, 'position'>, lensOf: (aspect: number) => Lens) {
    this.#lensOf = lensOf;
    this.canvas.className = 'first-picture';
    const gl = this.canvas.getContext('webgl2', { antialias: false, depth: false, alpha: false });
    if (!gl) throw new Error('There is no WebGL.');
    this.#gl = gl;
    this.maxSize = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    // biome-ignore lint/correctness/useHookAtTopLevel: a WebGL call, not a hook.
    gl.useProgram(program);
    this.#uniform = (name) => gl.getUniformLocation(program, name);
    const part = partUniform(panorama.file);
    gl.uniform4fv(this.#uniform('part'), part);
    gl.uniformMatrix3fv(this.#uniform('turned'), false, rotationOf(panorama));
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    if (part[2] < 1) gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  }

  /** Switches to another picture. */
  show(picture: TexImageSource): void {
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    this.paint();
  }

  /** Paints at the current canvas size. */
  paint(): void {
    const { canvas } = this;
    const gl = this.#gl;
    const aspect = innerWidth / innerHeight;
    const { fov, ratio, azimuth, elevation } = this.#lensOf(aspect);
    canvas.width = innerWidth * ratio;
    canvas.height = innerHeight * ratio;
    gl.viewport(0, 0, canvas.width, canvas.height);
    const tangent = Math.tan((fov * Math.PI) / 360);
    gl.uniform2f(this.#uniform('lens'), tangent * aspect, tangent);
    const camera = { heading: -azimuth * DEGREES, pitch: elevation * DEGREES, roll: 0 };
    gl.uniformMatrix3fv(this.#uniform('turn'), false, rotationOf(camera));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** Resolves once the GPU has drawn everything. */
  async finished(): Promise<void> {
    const gl = this.#gl;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    while (sync && !gl.isContextLost() && gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED)
      await new Promise((resolve) => setTimeout(resolve, POLL));
  }

  /** Removes the canvas and frees its resources. */
  dispose(): void {
    this.canvas.remove();
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
