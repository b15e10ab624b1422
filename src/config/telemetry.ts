/** Stops onnxruntime from sending events to Microsoft (its pull request 27379). Call it before onnxruntime loads. */
export function disableModelTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
