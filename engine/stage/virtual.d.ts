declare module 'virtual:basis-worker' {
  /** URL of the worker that decodes KTX2 textures; created by the build. */
  const url: string;
  export default url;
}
