// @ts-check
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/extension/panel/panelChannel': ['PanelChannel'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

const tokens = 150;
const betweenMs = 12;

/** Measures what the host sends to the panel for each token of a reply, in a short conversation and in a long one. */
export async function measurePanel() {
  const { PanelChannel } = await load();
  const [short, long] = await Promise.all([bytesPerToken(PanelChannel, 10), bytesPerToken(PanelChannel, 5000)]);
  return [
    { measure: 'Host to panel, per token, after 10 events', unit: 'bytes', value: short },
    { measure: 'Host to panel, per token, after 5,000 events', unit: 'bytes', value: long },
    { measure: 'Host to panel, per token: 5,000 events compared with 10', unit: '×', aim: 1.05, value: long / short },
  ];
}

/** @param {Modules['PanelChannel']} PanelChannel */
async function bytesPerToken(PanelChannel, events) {
  const history = Array.from({ length: events }, (_, seq) => ({
    seq,
    at: seq,
    type: 'user_message',
    text: `message ${seq}`,
  }));
  let bytes = 0;
  const channel = new PanelChannel({
    post: (message) => {
      bytes += Buffer.byteLength(JSON.stringify(message));
    },
    shownSession: () => ({ id: 's', history, draft: '', inFlight: [], facts: () => ({}) }),
    handlers: { ready() {} },
    onProblem: (error) => {
      throw error;
    },
  });
  await channel.receive({ type: 'ready', sessionId: 's', cursor: events });
  bytes = 0;
  for (let token = 0; token < tokens; token++) {
    channel.delta({ kind: 'text', text: 'word ' });
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  channel.detach();
  return bytes / tokens;
}
