declare module 'gltf-validator' {
  interface ValidationMessage {
    code: string;
    message: string;
    severity: 0 | 1 | 2 | 3;
    pointer?: string;
  }
  interface ValidationReport {
    issues: { numErrors: number; numWarnings: number; messages: ValidationMessage[] };
    info?: {
      animationCount?: number;
      materialCount?: number;
      drawCallCount?: number;
      totalVertexCount?: number;
      totalTriangleCount?: number;
      extensionsUsed?: string[];
      resources?: { image?: { width?: number; height?: number } }[];
    };
  }
  interface ValidationOptions {
    uri?: string;
    format?: 'gltf' | 'glb';
    maxIssues?: number;
    ignoredIssues?: string[];
    externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
  }
  const validator: { validateBytes(bytes: Uint8Array, options?: ValidationOptions): Promise<ValidationReport> };
  export default validator;
}
