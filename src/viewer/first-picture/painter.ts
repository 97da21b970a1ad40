import type { View } from '../../../engine/stage/camera/opening-view.ts';

/** Full-screen triangle pair, without buffers. */
const VERTEX = `#version 300 es
out vec2 place;
void main() {
  place = vec2(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1);
  gl_Position = vec4(place, 0, 1);
}`;

/**
 * Computes the view direction per pixel and samples the equirectangular picture, whose center is at −z. `lens` holds the
 * tangents of half the fields of view, then azimuth and elevation.
 */
const FRAGMENT = `#version 300 es
precision highp float;
in vec2 place;
uniform sampler2D picture;
uniform vec4 lens;
out vec4 color;
void main() {
  vec3 ray = normalize(vec3(place * lens.xy, -1));
  float c = cos(lens.w), s = sin(lens.w);
  ray = vec3(ray.x, ray.y * c - ray.z * s, ray.y * s + ray.z * c);
  c = cos(lens.z);
  s = sin(lens.z);
  ray = vec3(ray.x * c + ray.z * s, ray.y, ray.z * c - ray.x * s);
  color = textureLod(picture, vec2(atan(ray.x, -ray.z) * 0.15915494 + 0.5, acos(ray.y) * 0.31830989), 0.0);
}`;

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
  readonly #lens: WebGLUniformLocation | null;
  readonly #lensOf: (aspect: number) => Lens;

  /**
   * @param lensOf view for an aspect ratio
   * @throws if WebGL is unavailable
   */
  constructor(lensOf: (aspect: number) => Lens) {
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
    this.#lens = gl.getUniformLocation(program, 'lens');
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
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
    gl.uniform4f(this.#lens, tangent * aspect, tangent, azimuth, elevation);
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
