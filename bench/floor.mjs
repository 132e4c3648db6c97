// A minimal agent in Node: streamed chat completions, a shell for each command, exact edits, one line on disk for each
// message. No permissions, no limits, no retries, no panel: a baseline for Waymark's numbers, not a competitor.
//   node bench/floor.mjs BASE_URL LOG_FILE "task"
import { createRequire } from 'node:module';

// `import` of node:http would add 12 MB that nothing needs, and a floor must not include them.
const load = createRequire(import.meta.url);
const { spawn } = load('node:child_process');
const fs = load('node:fs');
const http = load('node:http');

const [, , baseUrl, logFile, task] = process.argv;
const log = fs.openSync(logFile, 'a');
const tool = (name, ...fields) => ({
  type: 'function',
  function: {
    name,
    description: name,
    parameters: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, {}])) },
  },
});
const tools = [tool('run_command', 'command'), tool('edit_file', 'path', 'edits')];
/** With FLOOR_FSYNC=1 every message and every edited file is durable before it counts, as with Waymark. */
const isDurable = process.env.FLOOR_FSYNC === '1';
const agent = new http.Agent({ keepAlive: true });
const messages = [];

const keep = (message) => {
  fs.writeSync(log, `${JSON.stringify(message)}\n`);
  if (isDurable) fs.fdatasyncSync(log);
  messages.push(message);
  return message;
};

const most = 8 * 1024;

/** Runs a command in a new shell; keeps the first and the last 8 KB of its output. */
const run_command = ({ command }) =>
  new Promise((resolve) => {
    const shell = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    let head = '';
    const tail = [];
    let kept = 0;
    shell.stdout.on('data', (bytes) => {
      if (head.length < most) head += bytes.toString('utf8', 0, most - head.length);
      tail.push(bytes);
      kept += bytes.length;
      while (kept - tail[0].length > most) kept -= tail.shift().length;
    });
    shell.on('close', (code) =>
      resolve(`${head}${kept > most ? `\n…\n${Buffer.concat(tail).subarray(-most)}` : ''}\nexit ${code}`),
    );
  });

const edit_file = ({ path, edits: [{ old_text: before, new_text: after }] }) => {
  const text = fs.readFileSync(path, 'utf8');
  const at = text.indexOf(before);
  if (at < 0 || text.includes(before, at + 1)) return 'not found once';
  const edited = text.slice(0, at) + after + text.slice(at + before.length);
  fs.writeFileSync(`${path}.new`, edited, { flush: isDurable });
  fs.renameSync(`${path}.new`, path);
  return 'edited';
};

const tasks = { run_command, edit_file };

function complete() {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify({ model: 'floor', stream: true, messages, tools }));
    const request = http.request(
      `${baseUrl}/chat/completions`,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', 'content-length': body.length } },
      (response) => {
        const message = { role: 'assistant', content: '' };
        let rest = '';
        response
          .setEncoding('utf8')
          .on('data', (text) => {
            const events = (rest + text).split('\n\n');
            rest = events.pop();
            for (const event of events)
              if (!event.endsWith('[DONE]'))
                take(message, JSON.parse(event.slice('data: '.length)).choices[0]?.delta ?? {});
          })
          .on('end', () => resolve(message));
      },
    );
    request.on('error', reject).end(body);
  });
}

function take(message, { content, tool_calls: calls = [] }) {
  message.content += content ?? '';
  for (const {
    index,
    id,
    function: { name, arguments: text },
  } of calls) {
    const known = ((message.tool_calls ??= [])[index] ??= { id, type: 'function', function: { name, arguments: '' } });
    known.function.arguments += text;
  }
}

keep({ role: 'system', content: 'You are a coding agent.' });
keep({ role: 'user', content: task });
for (;;) {
  const { content, tool_calls: calls } = keep(await complete());
  if (!calls) {
    process.stdout.write(`${content}\n`);
    break;
  }
  for (const {
    id,
    function: { name, arguments: text },
  } of calls)
    keep({ role: 'tool', tool_call_id: id, content: await tasks[name](JSON.parse(text)) });
}
agent.destroy();
