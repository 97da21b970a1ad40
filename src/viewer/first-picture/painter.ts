import type { View } from '../../../engine/stage/camera/opening-view.ts';

/** Two triangles' worth of screen in one, without any buffer. */
const VERTEX = `#version 300 es
out vec2 place;
void main() {
  place = vec2(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1);
  gl_Position = vec4(place, 0, 1);
}`;

/**
 * For each pixel the direction in which it looks, and from that its place in the picture: equirectangular, its middle
 * along −z. `lens` holds the tangents of half the fields of view and then the view's azimuth and elevation.
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

/** What is seen of the picture. */
export interface Lens extends View {
  /** Vertical field of view in degrees. */
  fov: number;
  /** Drawn pixels per CSS pixel. */
  ratio: number;
}

/** Paints a panorama by WebGL and nothing else: what stands before the engine has come. */
export class Painter {
  readonly canvas = document.createElement('canvas');
  /** Widest picture that the device takes, in pixels. */
  readonly maxSize: number;
  readonly #gl: WebGL2RenderingContext;
  readonly #lens: WebGLUniformLocation | null;
  readonly #lensOf: (aspect: number) => Lens;

  /**
   * @param lensOf what is seen on a screen of a width divided by height
   * @throws when there is no WebGL
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
    // biome-ignore lint/correctness/useHookAtTopLevel: a call of WebGL, not a hook.
    gl.useProgram(program);
    this.#lens = gl.getUniformLocation(program, 'lens');
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  }

  /** Paints another picture from now on. */
  show(picture: TexImageSource): void {
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    this.paint();
  }

  /** Paints for the canvas as large as it is now. */
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

  /** Takes the canvas off the page and frees what it held. */
  dispose(): void {
    this.canvas.remove();
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
