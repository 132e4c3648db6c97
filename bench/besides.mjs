import { runAgent } from './run.mjs';
import { median } from './statistics.mjs';

/**
 * Runs the floor and Waymark in turns, so that whatever else the machine does hits both. Answers a function that takes
 * one number out of each run and gives { value, floor }, the medians over the runs.
 */
export async function besides(model, calls, runs, around) {
  const results = { floor: [], waymark: [] };
  for (let run = 0; run < runs; run++) {
    for (const agent of run % 2 ? ['waymark', 'floor'] : ['floor', 'waymark'])
      results[agent].push(await runAgent(agent, model, calls, around));
  }
  return (pick) => {
    const [value, floor] = ['waymark', 'floor'].map((agent) => {
      const numbers = results[agent].map(pick).filter(Number.isFinite);
      return numbers.length > 0 ? median(numbers) : undefined;
    });
    return { value, floor };
  };
}
