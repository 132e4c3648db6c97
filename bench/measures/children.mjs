import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { at } from '../../scripts/repository.mjs';
import { median } from '../statistics.mjs';

const steps = 10;
/** How long the model takes for a reply. */
const thinkingMs = 50;

/**
 * Measures child agents of one run: ten steps each, with a model that takes 50 ms; one alone, eight in parallel, and
 * eight of which one waits for its model until all others are done.
 */
export async function measureChildren({ quick }) {
  const runs = quick ? 1 : 5;
  const times = async (count, stuck) => {
    const found = [];
    for (let run = 0; run < runs; run++) found.push(await oneRun(count, stuck));
    return median(found);
  };
  const alone = await times(1, false);
  const eight = await times(8, false);
  const seven = await times(8, true);
  return [
    { measure: `1 subagent, ${steps} steps at ${thinkingMs} ms`, unit: 'ms', value: alone },
    { measure: '8 subagents in parallel', unit: 'ms', value: eight },
    { measure: '8 subagents compared with 1', unit: '×', aim: 2, value: eight / alone },
    { measure: '7 subagents beside a stalled one, compared with 8', unit: '×', aim: 1.2, value: seven / eight },
  ];
}

/** Plays the model: the parent gives `count` children a task each. With `stuck`, the first child waits for the others. */
class PlayedModel {
  began;
  ended;
  ends = 0;

  constructor(count, stuck) {
    this.count = count;
    this.stuck = stuck;
    this.others = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  async answer({ messages }) {
    const task = String(messages.find(({ role }) => role === 'user').content);
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const child = /Task (\d+)\./.exec(task)?.[1];
    if (child === undefined) return this.answerParent(turn);
    const isStuck = this.stuck && child === '0';
    await new Promise((resolve) => setTimeout(resolve, thinkingMs));
    if (isStuck && turn === 0) await this.others;
    if (turn < steps && !isStuck) return call('run_command', { command: `echo ${child}-${turn}` });
    if (!isStuck) this.noteEnd();
    return words(`${child} is done.`);
  }

  answerParent(turn) {
    if (turn > 0) return words('Done.');
    this.began = performance.now();
    const tasks = Array.from({ length: this.count }, (_, number) => ({ title: `${number}`, task: `Task ${number}.` }));
    return call('delegate', { tasks });
  }

  noteEnd() {
    if (++this.ends !== (this.stuck ? this.count - 1 : this.count)) return;
    this.ended = performance.now();
    this.release();
  }
}

/** Time from the parent's first reply until the last child that is not stuck has ended, in ms. */
async function oneRun(count, stuck) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  const [home, work] = ['home', 'work'].map((name) => path.join(root, name));
  for (const folder of [home, work]) fs.mkdirSync(folder);
  const model = new PlayedModel(count, stuck);
  const server = http.createServer((incoming, response) => {
    const pieces = [];
    incoming
      .on('data', (piece) => pieces.push(piece))
      .on('end', async () => {
        const answer = await model.answer(JSON.parse(Buffer.concat(pieces).toString()));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(answer);
      });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { PATH, LANG = 'C.UTF-8' } = process.env;
    const args = [
      'run',
      'Share the work.',
      '--base-url',
      `http://127.0.0.1:${server.address().port}/v1`,
      '--model',
      'loopback',
      '--confirm',
      'never',
      '--json',
      '--trust-folder',
      '--toolsets',
      'default,delegation',
      '--log',
      path.join(home, 'log.jsonl'),
    ];
    const child = spawn(process.execPath, [at('dist/cli.js'), ...args], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH, LANG, HOME: home, XDG_STATE_HOME: home, TMPDIR: root, SHELL: '/bin/bash' },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    clearTimeout(timer);
    if (code !== 0 || model.ended === undefined)
      throw new Error(
        `The run with ${count} subagents exited with ${code}; ${model.ends} of them finished${stuck ? ' beside the stalled one' : ''}.`,
      );
    return model.ended - model.began;
  } finally {
    server.closeAllConnections();
    server.close();
    fs.rmSync(root, { recursive: true, force: true });
  }
}

const event = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'loopback', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const call = (name, input) =>
  `${event({ role: 'assistant', content: '', tool_calls: [{ index: 0, id: `call_${Math.random().toString(36).slice(2)}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }] })}${event({}, 'tool_calls')}data: [DONE]\n\n`;
const words = (content) => `${event({ role: 'assistant', content })}${event({}, 'stop')}data: [DONE]\n\n`;
