/**
 * Microsoft's builds of the native runtime of models send events about each process to Microsoft, and keep files for that in the folders for
 * caches and temporary files, unless this stands in the environment when they are loaded (onnxruntime, pull request 27379). A worker
 * has a copy of the environment: the thread that starts workers has to call it.
 */
export function refuseTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
