import { runAgent } from './run.mjs';
import { median } from './statistics.mjs';

const agents = ['floor', 'durableFloor', 'waymark'];

/**
 * Runs the floors and Waymark in turns, so that whatever else the machine does hits all. Answers a function that takes one number
 * out of each run and gives { value, floor, durable }, the medians over the runs.
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
