import { weightsFrame } from '../../agronomy/models/result-frames.js';
import { host } from '../state/service.js';
import { clientProgram } from '../take/code/code-typescript.js';
import { literal, stringLiteral } from '../take/code/quote.js';
import type { Taken } from '../take/taken.js';
import { averageRequest, weightedAverage, weights, weightsRequest } from './weights-data.js';

/** The weighted series where one is shown, and the weights themselves. */
export function takenWeights(): Taken {
  const average = weightedAverage.loaded.peek().value;
  const explained = weights.loaded.peek().value;
  const table = explained === null ? null : weightsFrame(explained);
  return {
    title: titleOf(),
    shown: average ?? table,
    whole: average === null ? null : table,
    labels: { shown: average === null ? 'Weights' : 'Weighted series', whole: 'Weights' },
    cited: average ?? table,
    request: null,
    names: [],
    notes: [],
    typescript: programOf(),
  };
}

function titleOf(): string {
  const { item_name = '' } = averageRequest.peek() ?? {};
  return `${item_name} weighted by ${weightsRequest.peek()?.crop ?? ''}`;
}

function programOf(): string {
  const [average, asked] = [averageRequest.peek(), weightsRequest.peek()];
  if (asked === null) return '';
  const call =
    average === null
      ? `explainWeights(${stringLiteral(asked.crop)}, ${stringLiteral(asked.metric)}, ${literal(asked.options)})`
      : `computeCropWeightedAverage(${literal(average)})`;
  return clientProgram(host, { body: [`console.log(await client.${call});`] });
}
