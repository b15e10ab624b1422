/**
 * Microsoft's builds of onnxruntime send events to Microsoft unless this variable is set when they are loaded (onnxruntime, pull
 * request 27379). Call this function in the thread that starts workers.
 */
export function disableModelTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
