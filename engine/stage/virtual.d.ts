declare module 'virtual:basis-worker' {
  /** Address of the worker that unpacks KTX2 pictures; the build makes it. */
  const url: string;
  export default url;
}
