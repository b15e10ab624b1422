/**
 * Switches off telemetry in onnxruntime. Unless this variable is set when it is loaded, Microsoft's builds send events about each
 * process to Microsoft and write files for that into the cache and temporary folders (onnxruntime, pull request 27379). A worker
 * gets a copy of the environment, so the thread that starts workers must call this.
 */
export function refuseTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
