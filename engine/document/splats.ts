/** Whether a URL is that of Gaussian splats, which have no meshes. */
export const isSplats = (url: string): boolean => /\.spz(?:$|[?#])/i.test(url);

/** Why a file can't be used where the meshes of a model are needed; null if it can. */
export const meshProblem = ({ url }: { url: string }): string | null =>
  isSplats(url) ? "Gaussian splats can't be used here. Choose a GLTF or GLB model." : null;
