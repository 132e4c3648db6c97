// A secret that the program receives from four sources, and thirty turns that try to leak it. No stored, shown or sent
// data may contain it in any form.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { writeAtOnce } from '../../src/core/trajectory/format';
import { writtenFormats } from '../../src/core/trajectory/formats/formats';
import { PanelChannel, type ShownContent } from '../../src/extension/panel/panelChannel';
import type { ToPanel } from '../../src/protocol/panel/panel';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { failure, reply, toolCall, type Answering, type RecordedRequest } from '../support/modelServer';

/** Assembled at run time, so that this file does not contain the secrets either. */
const canary = (name: string): string => ['ztest', name, '4f9Kq', 'Zx7&Lw+3/Tb', 'e81'].join('_');
const canaries = {
  key: canary('apikey'),
  environment: canary('parent'),
  dotenv: canary('dotenv'),
  quoted: canary('quoted'),
};

/**
 * Returns every encoding that these tests search for, made with Node's own functions instead of those of the program.
 */
function writtenForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inner = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, -4),
  );
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...inner,
  ];
}

function findingsIn(place: string, text: string): string[] {
  return Object.entries(canaries).flatMap(([name, secret]) =>
    writtenForms(secret).flatMap((form, index) => {
      const at = text.indexOf(form);
      return at < 0 ? [] : [`${place}: ${name} in form ${index}: …${text.slice(Math.max(0, at - 60), at + 20)}…`];
    }),
  );
}

/** Without usage, so that the server is not asked for the model's context size. */
const call = (tool: string, input: object): Answering => toolCall(tool, input, { usage: null });
const bash = (command: string): Answering => call('run_command', { command });
const inPieces =
  'node -e \'const s=require("fs").readFileSync(".env","utf8").split("\\n")[0];let i=0;const t=setInterval(()=>{process.stdout.write(s.slice(i,i+3));i+=3;if(i>=s.length){clearInterval(t);console.log()}},8)\'';

const turns: Answering[] = [
  bash('env'),
  bash('cat .env'),
  bash('export'),
  bash('base64 .env'),
  bash('base64 -w0 .env'),
  bash('xxd -p .env | tr -d "\\n"'),
  bash('od -An -tx1 .env | tr -d " \\n"'),
  bash('node -p \'encodeURIComponent(require("fs").readFileSync(".env","utf8"))\''),
  bash('node -p \'JSON.stringify(require("fs").readFileSync(".env","utf8"))\''),
  bash(inPieces),
  bash('cat .env >&2; (exit 3)'),
  bash('set -a; . ./.env; set +a; env | sort; echo "$SERVICE_KEY"'),
  bash('echo "$SERVICE_KEY" | base64; printf %s "x$SERVICE_KEY" | base64 -w0'),
  bash('for i in $(seq 4000); do echo "line $i $SERVICE_KEY"; done'),
  bash('grep -rn KEY . --include=".env*"'),
  bash('cp .env copy.txt; cat copy.txt'),
  bash('tr "\\n" " " < .env'),
  bash('cat /proc/self/environ | tr "\\0" "\\n"'),
  bash('node -e \'throw new Error("no access with " + process.env.SERVICE_KEY)\''),
  bash('ls "$SERVICE_KEY"'),
  call('read_file', { path: '.env' }),
  call('read_file', { path: 'copy.txt' }),
  call('search_text', { pattern: 'ztest' }),
  call('list_files', { path: '.' }),
  call('run_command', { command: 'cat .env', tty: true }),
  call('read_file', { path: `missing-${canaries.key}.txt` }),
  call('write_file', { path: 'note.txt', content: `the key is ${canaries.key}` }),
  bash('seq 400000; cat .env; seq 400000'),
  bash('head -c 12000000 /dev/zero | tr "\\0" "x" | fold -w 80; cat .env'),
  // The server leaks the key in a reply and in errors.
  reply(`Your key is ${canaries.key}, or ${Buffer.from(canaries.key).toString('base64')}.`, { usage: null }),
];
const echoed: Answering[] = [
  failure(401, `Incorrect API key provided: ${canaries.key}. ${'x'.repeat(240)} ${encodeURIComponent(canaries.key)}`),
];

describe('known secrets', function () {
  this.timeout(180_000);
  before(ensureBuilt);

  it('are in no log, output, request, transcript, panel message or export after thirty turns that try to reveal them', () =>
    onMachine([...turns, ...echoed, ...echoed], async (machine) => {
      const { workspace, log } = machine;
      fs.writeFileSync(
        path.join(workspace.root, '.env'),
        `SERVICE_KEY='${canaries.dotenv}'\nANYTHING="${canaries.quoted}"\n`,
      );
      const environment = { OPENAI_API_KEY: canaries.key, PARENT_TOKEN: canaries.environment };
      const work = async (task: string, ...options: string[]) =>
        machine.start(machine.args(task, '--confirm', 'never', ...options), environment).ended;

      const first = await work('Tell what you find.', '--max-steps', '60', '--json');
      const second = await work(`Go on, and mind ${canaries.dotenv}.`);
      const third = await work('Once more.', '--json');

      const events = machine.events();
      const answered = events.filter(({ type }) => type === 'observation');
      assert.equal(
        answered.length,
        turns.length - 1,
        events.map((event) => JSON.stringify(event).slice(0, 200)).join('\n'),
      );
      const masked = answered.filter((event) => JSON.stringify(event).includes('[masked secret]')).length;
      assert.ok(masked >= 18, `only ${masked} results hold a mask: the secrets were not there to be told`);
      assert.ok(first.stdout.includes('[masked secret]'));

      const panel: ToPanel[] = [];
      const shown: ShownContent = {
        id: 'one',
        history: events,
        inFlight: [],
        draft: '',
        facts: () => ({}) as ReturnType<ShownContent['facts']>,
      };
      const channel = new PanelChannel({
        post: (message) => panel.push(message),
        shownSession: () => shown,
        handlers: { ready: () => undefined } as unknown as ConstructorParameters<typeof PanelChannel>[0]['handlers'],
        onProblem: (problem) => assert.fail(String(problem)),
      });
      await channel.receive({ type: 'ready', cursor: 0 });
      assert.ok(JSON.stringify(panel).includes('[masked secret]'));

      const kept = fs
        .readdirSync(path.dirname(log), { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(path.dirname(log), name))
        .filter((file) => fs.statSync(file).isFile());
      assert.ok(
        kept.some((file) => file.includes('.outputs') && fs.statSync(file).size > 10_000_000),
        'the long output was not kept',
      );
      const sent = machine.server.requests.map((request: RecordedRequest) => request.text);
      const places: [string, string][] = [
        ...kept.map((file) => [path.basename(file), fs.readFileSync(file, 'utf8')] as [string, string]),
        ...sent.map((text, index) => [`request ${index}`, text] as [string, string]),
        ...[first, second, third].flatMap(
          ({ stdout, stderr }, run) =>
            [
              [`stdout ${run}`, stdout],
              [`stderr ${run}`, stderr],
            ] as [string, string][],
        ),
        ['panel', JSON.stringify(panel)],
        ...writtenFormats.flatMap((format) =>
          writeAtOnce(format, events, { version: '1', session: 'one' }).map(({ text }): [string, string] => [
            `export as ${format.name}`,
            text,
          ]),
        ),
      ];
      assert.ok(sent.length > 30 && kept.length > 3);
      assert.deepEqual(places.flatMap(([place, text]) => findingsIn(place, text)).slice(0, 10), []);
      assert.equal(
        fs.readFileSync(path.join(workspace.root, '.env'), 'utf8').includes(canaries.dotenv),
        true,
        'the file itself stays as it is',
      );
    }));
});
