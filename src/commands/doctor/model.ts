import { type DoctorCheck, good, problem } from './finding.ts';

const MODEL_MS = 60_000;

export const embeddingModelCheck: DoctorCheck = {
  what: 'model',
  async run({ services, signal }) {
    const embedder = await services.embedder();
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(MODEL_MS)]);
    const [vector] = await embedder.embed(['Magpies know themselves in a mirror.'], 'query', deadline);
    const usable = vector?.length === embedder.dimensions && vector.every(Number.isFinite);
    return usable
      ? good(
          `the model ${embedder.name}, which finds texts by their meaning, works (vectors of ${embedder.dimensions} numbers)`,
        )
      : problem(
          `the model ${embedder.name}, which finds texts by their meaning, gives no usable answer`,
          'leave MAGPIE_EMBEDDER unset, which takes the model that comes with Magpie',
        );
  },
};
