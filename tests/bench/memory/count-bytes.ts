declare global {
  interface Window {
    /** Bytes of all textures, buffers and renderbuffers that exist. */
    gpuBytes(): number;
  }
}

/**
 * Counts the bytes that a page allocates on the GPU, from before its first script. Runs in the page, so it can't
 * reference outer variables.
 */
export function countBytes(): void {
  const { prototype } = WebGL2RenderingContext;
  type Call = (this: WebGL2RenderingContext, ...given: never[]) => unknown;
  const calls = prototype as unknown as Record<string, Call>;
  /** Bytes by object, and for textures by target and level. */
  const sizes = new Map<object, Map<string, number>>();
  const set = (object: unknown, part: string, bytes: number) => {
    if (!object) return;
    const parts = sizes.get(object as object) ?? new Map<string, number>();
    sizes.set(object as object, parts.set(part, bytes));
  };
  window.gpuBytes = () => {
    let sum = 0;
    for (const parts of sizes.values()) for (const bytes of parts.values()) sum += bytes;
    return sum;
  };
  const after = (name: string, count: (gl: WebGL2RenderingContext, given: unknown[]) => void) => {
    const whole = calls[name]!;
    calls[name] = function (this: WebGL2RenderingContext, ...given: never[]) {
      const result = whole.apply(this, given);
      count(this, given);
      return result;
    };
  };
  const { TEXTURE_2D, TEXTURE_CUBE_MAP, TEXTURE_3D, TEXTURE_2D_ARRAY } = prototype;
  const bindings: Record<number, number> = {
    [TEXTURE_2D]: prototype.TEXTURE_BINDING_2D,
    [TEXTURE_CUBE_MAP]: prototype.TEXTURE_BINDING_CUBE_MAP,
    [TEXTURE_3D]: prototype.TEXTURE_BINDING_3D,
    [TEXTURE_2D_ARRAY]: prototype.TEXTURE_BINDING_2D_ARRAY,
  };
  const FACES = 6;
  const isFace = (target: number) =>
    target >= prototype.TEXTURE_CUBE_MAP_POSITIVE_X && target < prototype.TEXTURE_CUBE_MAP_POSITIVE_X + FACES;
  const textureOf = (gl: WebGL2RenderingContext, target: number) =>
    gl.getParameter(bindings[isFace(target) ? TEXTURE_CUBE_MAP : target] ?? prototype.TEXTURE_BINDING_2D);
  /** Bytes per pixel, by internal format; four for all others. */
  const PIXELS: Record<number, number> = {
    [prototype.R8]: 1,
    [prototype.RG8]: 2,
    [prototype.RGB]: 4,
    [prototype.R16F]: 2,
    [prototype.RG16F]: 4,
    [prototype.RGBA16F]: 8,
    [prototype.RGBA32F]: 16,
    [prototype.DEPTH_COMPONENT16]: 2,
  };
  const pixel = (format: number) => PIXELS[format] ?? 4;
  after('texImage2D', (gl, given) => {
    const [target, level, format] = given as [number, number, number];
    const source = given.at(-1) as { width?: number; height?: number; videoWidth?: number; videoHeight?: number };
    const isSized = given.length >= 9;
    const width = isSized ? (given[3] as number) : (source.videoWidth ?? source.width ?? 0);
    const height = isSized ? (given[4] as number) : (source.videoHeight ?? source.height ?? 0);
    set(textureOf(gl, target), `${target} ${level}`, width * height * pixel(format));
  });
  after('compressedTexImage2D', (gl, given) => {
    const [target, level] = given as [number, number];
    const data = given.at(-1) as ArrayBufferView;
    set(textureOf(gl, target), `${target} ${level}`, data.byteLength ?? 0);
  });
  /** Sum of all levels: each has a quarter of the one above. */
  const chain = (bytes: number, levels: number) => (bytes * (1 - 0.25 ** levels)) / 0.75;
  after('texStorage2D', (gl, given) => {
    const [target, levels, format, width, height] = given as [number, number, number, number, number];
    const faces = target === TEXTURE_CUBE_MAP ? FACES : 1;
    set(textureOf(gl, target), 'storage', chain(width * height * pixel(format) * faces, levels));
  });
  after('texStorage3D', (gl, given) => {
    const [target, levels, format, width, height, depth] = given as [number, number, number, number, number, number];
    set(textureOf(gl, target), 'storage', chain(width * height * depth * pixel(format), levels));
  });
  after('generateMipmap', (gl, [target]) => {
    const texture = textureOf(gl, target as number);
    const parts = sizes.get(texture);
    // Storage already has room for its levels.
    if (!parts || parts.has('storage')) return;
    let base = 0;
    for (const [part, bytes] of parts) if (part.endsWith(' 0')) base += bytes;
    parts.set('mipmaps', base / 3);
  });
  after('bufferData', (gl, [target, given]) => {
    const isIndex = target === prototype.ELEMENT_ARRAY_BUFFER;
    const binding = isIndex ? prototype.ELEMENT_ARRAY_BUFFER_BINDING : prototype.ARRAY_BUFFER_BINDING;
    const buffer = target === prototype.UNIFORM_BUFFER ? null : gl.getParameter(binding);
    set(buffer, 'data', typeof given === 'number' ? given : ((given as ArrayBufferView | null)?.byteLength ?? 0));
  });
  const renderbuffer = (gl: WebGL2RenderingContext) => gl.getParameter(prototype.RENDERBUFFER_BINDING);
  after('renderbufferStorage', (gl, given) => {
    const [, format, width, height] = given as [number, number, number, number];
    set(renderbuffer(gl), 'storage', width * height * pixel(format));
  });
  after('renderbufferStorageMultisample', (gl, given) => {
    const [, samples, format, width, height] = given as [number, number, number, number, number];
    set(renderbuffer(gl), 'storage', Math.max(1, samples) * width * height * pixel(format));
  });
  for (const name of ['deleteTexture', 'deleteBuffer', 'deleteRenderbuffer'])
    after(name, (_, [object]) => sizes.delete(object as object));
}
