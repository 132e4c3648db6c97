// A model on 127.0.0.1 that answers at once, so that the time between its answer
// and the next request is the agent's own.
import http from 'node:http';

/** Starts the server: { baseUrl, play, stop }. One script is played at a time. */
export async function startModel() {
  let current;
  const server = http.createServer((incoming, response) => {
    const pieces = [];
    incoming
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => current.request(Buffer.concat(pieces), response));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    play: (...script) => (current = new Play(...script)),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * `calls`: one { tool, input, expect } per step, `expect` a text that the result must hold; then comes a final answer.
 * Times are milliseconds of this process's clock. `onLast` is called while the agent waits for that final answer.
 */
class Play {
  /** For each request: how long after the answer before it, undefined for the first. */
  gaps = [];
  requestBytes = [];
  firstAt;
  problem;
  /** When the last answer was sent. */
  sentAt;

  /** `thinkMs`: how long the model takes for its first answer. */
  constructor(calls, onLast, thinkMs = 0) {
    this.calls = calls;
    this.onLast = onLast;
    this.thinkMs = thinkMs;
  }

  get done() {
    return this.requestBytes.length === this.calls.length + 1;
  }

  request(body, response) {
    const now = performance.now();
    const step = this.requestBytes.push(body.length) - 1;
    this.firstAt ??= now;
    if (this.sentAt !== undefined) this.gaps.push(now - this.sentAt);
    const expected = this.calls[step - 1]?.expect;
    if (expected && !lastResult(body).includes(expected))
      this.problem ??= `Step ${step} did not answer with “${expected}”.`;
    const last = step >= this.calls.length;
    if (last) this.onLast?.();
    const answer = () => this.#answer(response, step, body.length);
    if (step === 0 && this.thinkMs > 0) setTimeout(answer, this.thinkMs);
    else answer();
  }

  #answer(response, step, length) {
    const last = step >= this.calls.length;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tokens = Math.round(length / 4); // A server that counts much less than was sent would be taken for one that cuts.
    response.end(last ? finalAnswer(tokens) : toolCall(step, this.calls[step], tokens), () => {
      this.sentAt = performance.now();
    });
  }
}

/** The newest result only: reading whole requests would make the measurement heavier than what it measures. */
const lastResult = (body) => JSON.parse(body.toString()).messages.at(-1).content;

const event = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'loopback', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ending = (finish, tokens) =>
  `${event({}, finish)}data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'loopback', choices: [], usage: { prompt_tokens: tokens, completion_tokens: 5 } })}\n\ndata: [DONE]\n\n`;
const toolCall = (step, { tool, input }, tokens) =>
  event({
    role: 'assistant',
    content: '',
    tool_calls: [
      { index: 0, id: `call_${step}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } },
    ],
  }) + ending('tool_calls', tokens);
const finalAnswer = (tokens) => event({ role: 'assistant', content: 'Done.' }) + ending('stop', tokens);
