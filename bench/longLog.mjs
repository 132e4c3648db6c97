/**
 * Creates steps of three events, condensed every 400 steps, as in a run of that length. `lines`: of each result. The
 * log ends after a complete step.
 *
 * @param {number} events
 * @param {(step: number) => number} lines
 */
export function longLog(events, lines = () => 12) {
  const log = [];
  const add = (event) => void log.push({ ...event, seq: log.length, at: log.length * 1000 });
  add({
    type: 'task_started',
    task: 'Do it.',
    title: 'Do it.',
    systemPrompt: 'Be good. '.repeat(200),
    model: { name: 'm', provider: 'bench', contextWindow: 128_000 },
    tools: ['run_command'],
    cwd: '/home/dev/project',
    confirmation: 'risky',
    limits: { steps: 0, cost: 0, seconds: 0 },
  });
  let kept = 1;
  for (let step = 0; log.length + 3 <= events; step++) {
    const actionId = `call_${step}`;
    add({
      type: 'agent_response',
      readUpTo: log.length,
      text: 'Next I look at what that file holds, and at how it is used.',
      actions: [
        {
          id: actionId,
          tool: 'run_command',
          input: { command: `sed -n 1,40p src/file-${step}.ts` },
          summary: `Run sed -n 1,40p src/file-${step}.ts`,
          group: 0,
          risk: { level: 'low', reasons: [] },
          effect: 'executes',
        },
      ],
      usage: { inputTokens: 9000, outputTokens: 80, cachedTokens: 8000, cost: 0.004 },
      model: 'm',
      finishReason: 'tool_calls',
      durationMs: 900,
      firstTokenMs: 200,
    });
    add({ type: 'action_started', actionId });
    add({
      type: 'observation',
      actionId,
      outcome: 'ok',
      durationMs: 12,
      content: Array.from(
        { length: lines(step) },
        (_, line) => `const value${step}x${line} = compute('name-${step}-${line}');`,
      ).join('\n'),
      details: {
        kind: 'command',
        end: 'exited',
        exitCode: 0,
        durationMs: 12,
        cwd: '/home/dev/project',
        tty: false,
        outputBytes: 600,
      },
    });
    if (step % 400 === 399 && log.length < events) {
      const forgotten = Array.from({ length: log.length - 60 - kept }, (_, index) => kept + index);
      kept = log.length - 60;
      add({ type: 'condensation', forgotten, summary: 'Many files were looked at.', reasons: ['tokens'] });
    }
  }
  while (log.length < events) add({ type: 'notice', level: 'info', text: 'Nothing is left to do.' });
  return log;
}
