import { strict as assert } from 'node:assert';
import { formatNamed } from '../../../../src/core/trajectory/formats/formats';
import type { Event, NewEvent } from '../../../../src/protocol/events/event';
import { randomRun } from '../randomRun';
import { agentResponse, taskStarted } from '../../../support/newEvents';
import { writeAtOnce } from '../../../../src/core/trajectory/format';

const report = (history: readonly Event[]): string =>
  writeAtOnce(formatNamed('html'), history, { version: '1.2.3', session: 'session' })[0]!.text;
const hostile =
  '</title></style><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>"\'\u202e\u001b[31m';

const run: NewEvent[] = [
  taskStarted(hostile, {
    systemPrompt: hostile,
    model: { name: hostile, provider: 'p', contextWindow: null },
    cwd: hostile,
  }),
  agentResponse(`Text \`${hostile}\`\n\`\`\`\n${hostile}\n\`\`\``, {
    readUpTo: 1,
    reasoning: { text: hostile },
    usage: { inputTokens: 1200, outputTokens: 34, cachedTokens: 0, cost: 0.5 },
    model: hostile,
    finishReason: 'tool_calls',
    durationMs: 1500,
    firstTokenMs: null,
    actions: [
      {
        id: 'a',
        tool: hostile,
        input: { command: hostile },
        summary: hostile,
        purpose: hostile,
        group: 0,
        risk: { level: 'high', reasons: [hostile] },
      },
      {
        id: 'b',
        tool: 'edit_file',
        input: { path: hostile },
        summary: 'Edit it',
        group: 1,
        risk: { level: 'low', reasons: [] },
      },
    ],
  }),
  { type: 'confirmation_requested', actionIds: ['a'] },
  { type: 'confirmation_resolved', actionIds: ['a'], approved: true, by: 'person', comment: hostile },
  {
    type: 'observation',
    actionId: 'a',
    outcome: 'error',
    content: hostile,
    durationMs: 20,
    details: { kind: 'command', end: 'exited', exitCode: 3, durationMs: 20, cwd: '/', tty: false, outputBytes: 3 },
  },
  {
    type: 'observation',
    actionId: 'b',
    outcome: 'ok',
    content: 'Edited.',
    details: {
      kind: 'edit',
      changes: [
        {
          path: hostile,
          kind: 'modified',
          added: 1,
          removed: 1,
          hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${hostile}`, `+${hostile}`] }],
        },
      ],
    },
  },
  { type: 'notice', level: 'warning', text: hostile },
  { type: 'condensation', forgotten: [1], summary: hostile },
  {
    type: 'finished',
    status: 'failed',
    summary: hostile,
    problem: { what: hostile, why: 'Because.', next: 'Do this.' },
  },
];
const history = run.map((event, seq): Event => ({ ...event, seq, at: 1_790_000_000_000 + seq * 1000 }));

describe('the report of a run', () => {
  it('shows the pictures that the model was shown, and none that may hold more than a picture', () => {
    const images = [
      { mediaType: 'image/png', data: 'aGk=' },
      { mediaType: 'image/svg+xml', data: 'aGk=' },
      { mediaType: 'image/gif', data: '"><script>' },
    ];
    const page = report(history.map((event) => (event.type === 'task_started' ? { ...event, images } : event)));
    assert.deepEqual(page.match(/<img[^>]*>/g), [
      '<img class="picture" src="data:image/png;base64,aGk=" alt="Picture 1">',
    ]);
  });

  it('runs nothing and loads nothing, whatever the run holds', async () => {
    for (const whole of [
      report(history),
      ...(await Promise.all([1, 2, 3, 4, 5, 6].map(async (seed) => report(await randomRun(seed))))),
    ]) {
      // Images are embedded as data URLs.
      const page = whole.replace(
        /<img class="picture" src="data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/=]+" alt="Picture \d+">/g,
        '',
      );
      assert.doesNotMatch(
        page,
        /<script|<img|<iframe|<link|<object|<base|<form|\son\w+\s*=\s*["']|javascript:|@import|url\(/i,
      );
      assert.doesNotMatch(page.replace(/&[a-z#0-9]+;/g, ''), /(?:src|href)="(?!#)/);
      assert.match(
        page,
        /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;">|<meta http-equiv="Content-Security-Policy" content="default-src 'none'/,
      );
      const open = (tag: string): number =>
        page.split(new RegExp(`<${tag}[ >]`)).length - page.split(`</${tag}>`).length;
      for (const tag of ['details', 'summary', 'div', 'pre', 'li', 'ol', 'span', 'a', 'p', 'figure', 'code'])
        assert.equal(open(tag), 0, `${tag} is not closed as often as opened`);
    }
  });

  it('lists each file that was changed, with links to the steps that did it', () => {
    const edit = (id: string, path: string, added: number): NewEvent[] => [
      {
        type: 'agent_response',
        readUpTo: 1,
        text: '',
        usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, cost: 0 },
        model: 'm',
        finishReason: 'tool_calls',
        durationMs: 1,
        firstTokenMs: null,
        actions: [
          { id, tool: 'edit_file', input: { path }, summary: '', group: 0, risk: { level: 'low', reasons: [] } },
        ],
      },
      {
        type: 'observation',
        actionId: id,
        outcome: 'ok',
        content: 'Edited.',
        details: { kind: 'edit', changes: [{ path, kind: 'modified', added, removed: 1, hunks: [] }] },
      },
    ];
    const events = [run[0]!, ...edit('x', 'src/a.ts', 2), ...edit('y', 'src/b.ts', 1), ...edit('z', 'src/a.ts', 3)];
    const page = report(events.map((event, seq): Event => ({ ...event, seq, at: 1_790_000_000_000 + seq })));
    const lines = /<section class="changed"[^]*?<\/section>/.exec(page)![0].match(/<li>[^]*?<\/li>/g)!;
    const told = lines.map((line) => line.replace(/<[^>]*>/g, '').trim());
    assert.deepEqual(told, ['src/a.ts +5 −2 steps 1 3', 'src/b.ts +1 −1 step 2']);
    for (const line of lines)
      for (const [, target] of line.matchAll(/href="#([^"]+)"/g))
        assert.ok(page.includes(`<li id="${target}">`), `${target} is a step of this page`);
    assert.deepEqual(
      lines.map((line) => [...line.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)),
      [['step-1', 'step-3'], ['step-2']],
    );
  });

  it('says what was done, how risky it was, who consented and what came of it', () => {
    const page = report(history);
    for (const words of [
      'high risk',
      'approved by a person',
      'failed with exit code 3, 20 ms',
      'Failed',
      'Because. Do this.',
      '1.2k in, 34 out',
      '$0.50',
      '1 earlier event condensed',
      '<span class="add">+',
      '<span class="del">-',
      'id="step-1"',
    ])
      assert.ok(page.includes(words), words);
    assert.match(
      page,
      /<span class="unseen">U\+202E<\/span><span class="unseen">U\+001B<\/span>\[31m/,
      'letters that nobody sees are shown',
    );
  });

  it('leaves no empty place for a model that nobody named', () => {
    const unnamed = history.map((event): Event => (event.type === 'agent_response' ? { ...event, model: '' } : event));
    assert.doesNotMatch(report(unnamed), /<span><\/span>/);
  });

  it('leaves the middle of huge outputs out and says how much', () => {
    const long = history.map((event): Event =>
      event.type === 'observation' && event.actionId === 'a' ? { ...event, content: 'x'.repeat(1_000_000) } : event,
    );
    assert.match(report(long), /… 960000 characters omitted here; the log contains them …/);
    assert.ok(report(long).length < 200_000);
  });

  it('draws so many diagrams that it stays small, and leaves the rest as code', () => {
    const answers = Array.from({ length: 3 }, (_, step) => {
      const blocks = Array.from(
        { length: 100 },
        (_each, index) => `\`\`\`mermaid\ngraph LR\nA --> B${step}x${index}\n\`\`\``,
      );
      return agentResponse(blocks.join('\n\n'), { readUpTo: 1 });
    });
    const page = report([run[0]!, ...answers].map((event, seq): Event => ({ ...event, seq, at: seq })));
    assert.equal(page.match(/<div class="diagram"/g)?.length, 200);
    assert.match(page, /<div class="diagram"[^]*B1x99[^]*<pre>graph LR\nA --&gt; B2x0<\/pre>/);
    assert.equal(page.match(/<pre>graph LR\n/g)?.length, 300, 'the text of each is there');
  });

  it('can be made of nothing', () => assert.match(report([]), /<h1>A run<\/h1>/));
});
