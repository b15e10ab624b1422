/** Of onnxruntime-web's folder `dist` what Node.js reads: 14 MB of 139. */
export const RUNTIME_FILES: readonly string[] = [
  'ort.node.min.mjs',
  'ort-wasm-simd-threaded.mjs',
  'ort-wasm-simd-threaded.wasm',
];
