import { linearRegression, linearRegressionLine, mean } from 'simple-statistics';

/** Predicts from one value for each predictor. */
export type Predict = (values: readonly number[]) => number;

/**
 * Ordinary least squares with an intercept and several predictors, made of simple-statistics' regression on one: the last
 * predictor is taken out of the response and of the other predictors, and what remains is fitted by them (the theorem of
 * Frisch, Waugh and Lovell).
 * @param predictors a column for each predictor
 * @throws Error when a predictor is constant or follows from the others, or there are too few rows
 */
export function leastSquares(
  predictors: readonly (readonly number[])[],
  response: readonly number[],
): Predict {
  if (response.length < predictors.length + 2)
    throw new Error(`${response.length} rows are too few for ${predictors.length} predictors`);
  const spreads = predictors.map(spread);
  return solve(predictors, response, spreads);
}

function solve(
  predictors: readonly (readonly number[])[],
  response: readonly number[],
  spreads: readonly number[],
): Predict {
  const last = predictors.at(-1);
  if (last === undefined) {
    const average = mean([...response]);
    return () => average;
  }
  if (!(spread(last) > 1e-9 * spreads[predictors.length - 1]!))
    throw new Error(`predictor ${predictors.length} is constant or follows from the others; leave it out`);
  const lineOf = (column: readonly number[]) =>
    linearRegressionLine(linearRegression(last.map((x, i) => [x, column[i]!])));
  const without = (column: readonly number[], line: (x: number) => number) =>
    column.map((value, i) => value - line(last[i]!));
  const others = predictors.slice(0, -1);
  const lines = others.map(lineOf);
  const ofResponse = lineOf(response);
  const rest = solve(
    others.map((column, at) => without(column, lines[at]!)),
    without(response, ofResponse),
    spreads,
  );
  return (values) => {
    const x = values[others.length]!;
    return ofResponse(x) + rest(lines.map((line, at) => values[at]! - line(x)));
  };
}

/** The largest distance from the mean. */
function spread(column: readonly number[]): number {
  const average = mean([...column]);
  return Math.max(...column.map((value) => Math.abs(value - average)));
}
