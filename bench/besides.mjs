import { runAgent } from './run.mjs';
import { median } from './statistics.mjs';

const agents = ['floor', 'durableFloor', 'waymark'];

/**
 * Alternates runs of the floors and of Waymark, so that other load on the machine affects all. Returns a function that
 * extracts one number from each run and returns { value, floor, durable }, the medians over the runs.
 */
export async function besides(model, calls, runs, around) {
  const results = Object.fromEntries(agents.map((agent) => [agent, []]));
  for (let run = 0; run < runs; run++) {
    for (const agent of run % 2 ? agents.toReversed() : agents)
      results[agent].push(await runAgent(agent, model, calls, around));
  }
  return (pick) => {
    const [floor, durable, value] = agents.map((agent) => {
      const numbers = results[agent].map(pick).filter(Number.isFinite);
      return numbers.length > 0 ? median(numbers) : undefined;
    });
    return { value, floor, durable };
  };
}
