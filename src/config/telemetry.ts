/**
 * Turns off the telemetry of onnxruntime. Microsoft's builds send events to Microsoft if this variable is not set when they are
 * loaded (onnxruntime, pull request 27379). Call this function in the thread that starts workers.
 */
export function disableModelTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
