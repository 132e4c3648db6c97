import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { checkpointText } from '../../../src/core/batch/peerFiles';
import { emptyResult } from '../../../src/adapters/batch/batchFolder';
import { BatchSums, statisticsText } from '../../../src/core/batch/statistics';
import { taskOutcome } from '../../../src/core/batch/taskOutcome';
import { trajectoryLine } from '../../../src/core/batch/trajectoryLine';
import { Event } from '../../../src/protocol/events/event';

/**
 * A run, and the files that functions of Hermes Agent (batch_runner.py, agent/trajectory.py; Python 3.11) wrote from
 * the same messages: replies with native reasoning, with a scratchpad and with neither, two calls in a reply, a JSON
 * result with numbers that Python formats differently, and letters of many scripts.
 */
const fixture = (name: string): string =>
  fs.readFileSync(path.join(process.env['REPOSITORY']!, 'test/fixtures/hermes-batch', name), 'utf8');

const noon = new Date(2026, 0, 2, 12, 0, 0).getTime();
const history = (JSON.parse(fixture('log.json')) as unknown[]).map((event) => Event.parse(event));

/** Splits a line into the bytes before the tool counts, and the non-zero counts. */
function parts(line: string): { readonly before: string; readonly counts: unknown } {
  const at = line.indexOf('"tool_stats": ');
  const { tool_stats: stats, tool_error_counts: errors } = JSON.parse(line) as Record<string, Record<string, object>>;
  const used = Object.entries(stats!).filter(([, count]) => (count as { count: number }).count > 0);
  const counts = used.map(([tool, count]) => [tool, Object.entries(count), errors![tool]]);
  // The text of the system turn differs between programs.
  const system = /(?<="conversations": \[\{"from": "system", "value": )"(?:[^"\\]|\\.)*"/;
  return { before: line.slice(0, at).replace(system, '""'), counts: counts.sort() };
}

describe('batch files compared to those of Hermes Agent', () => {
  it('have the same trajectory line up to the tool statistics, and the same counts for used tools', () => {
    const told = { ...taskOutcome(history), index: 3, batch: 1, toolsets: ['terminal', 'file'] };
    const line = trajectoryLine(history, { ...told, completed: true }, noon);
    const theirs = fixture('batch_1.jsonl');
    assert.equal(parts(line).before, parts(theirs).before);
    assert.deepEqual(parts(line).counts, parts(theirs).counts);
    assert.match(
      line,
      /"tool_stats": \{(?:"\w+": \{"count": \d+, "success": \d+, "failure": \d+\}, )*"\w+": \{"count"/,
    );
    assert.ok(line.endsWith('}}\n') && theirs.endsWith('}}\n'));
  });

  it('have the same checkpoint', () => {
    const batches = new Map([
      [1, { processed: 1, skipped: 0, discarded_no_reasoning: 0 }],
      [0, { processed: 10, skipped: 2, discarded_no_reasoning: 1 }],
    ]);
    const text = checkpointText({ runName: 'größe 1', completed: [12, 3, 7], batches }, noon);
    assert.equal(text, fixture('checkpoint.json'));
  });

  it('have the same statistics of tools and reasoning', () => {
    const task = { index: 3, id: 'a', named: true, prompt: 'Do.' };
    const sums = new BatchSums();
    sums.add({ ...emptyResult(task, 1), ...taskOutcome(history) });
    const facts = {
      runName: 'a',
      distribution: '',
      totalPrompts: 1,
      totalBatches: 1,
      batchSize: 1,
      model: '',
      seconds: 1,
    };
    const inside = /"tool_statistics": [\s\S]*?"turns_without_reasoning": \d+\n {2}\}/;
    const ours = inside.exec(statisticsText(facts, sums, noon))?.[0];
    assert.equal(ours, inside.exec(fixture('statistics.json'))?.[0]);
  });
});
