/** Stops onnxruntime from sending events to Microsoft. Call it before onnxruntime is loaded. */
export function disableModelTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
