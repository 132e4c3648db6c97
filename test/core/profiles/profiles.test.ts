import { strict as assert } from 'node:assert';
import { formatFor } from '../../../src/core/model/formats/formatFor';
import type { Profile } from '../../../src/core/ports/profile';
import { profileNamed, profiles, withTemplates } from '../../../src/core/profiles/profiles';
import { toolsFor } from '../../../src/core/tools/toolsFor';
import { says } from '../agent/story';

/** The example reply in a profile's prompt, parsed as a reply of the model. */
function example(profile: Profile, from: string, to: string) {
  const tools = toolsFor({ toolsets: profile.toolsets });
  const { system = '', instance = '' } = profile.templates;
  const text = [system, instance].find((each) => each.includes(from))!;
  const reply = text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from) + from.length) + to.length);
  return { ...formatFor(profile.format, () => false, tools).read(says(reply)), tools };
}

describe('agent profiles', () => {
  it('are found by name, each name once', () => {
    assert.equal(new Set(profiles.map(({ name }) => name)).size, profiles.length);
    for (const profile of profiles) assert.equal(profileNamed(profile.name), profile);
    for (const name of ['waymark', 'mini', 'mini-v1', 'hermes', 'openhands', 'workgraph'])
      assert.equal(profileNamed(name).name, name);
    assert.equal(profiles[0]!.name, 'waymark');
  });

  it('that do not exist are answered with those that do', () => {
    assert.throws(
      () => profileNamed('maxi'),
      /^Error: There is no agent profile "maxi"\. Choose one of waymark, mini, .*workgraph/,
    );
    assert.throws(() => profileNamed('constructor'), /no agent profile/);
  });

  for (const profile of profiles) {
    it(`${profile.name} has tools that exist, and one sentence for a person`, () => {
      assert.ok(toolsFor({ toolsets: profile.toolsets }).length > 0);
      assert.match(profile.description, /^[A-Z].*\.$/);
    });
    if (profile.format.kind === 'fenced' || profile.format.kind === 'tagged') {
      it(`${profile.name} calls a tool that it has`, () => {
        assert.ok(
          'tool' in profile.format &&
            toolsFor({ toolsets: profile.toolsets }).some(
              ({ name }) => 'tool' in profile.format && name === profile.format.tool,
            ),
        );
      });
    }
  }

  const shown: [profile: string, from: string, to: string][] = [
    ['mini-text', '```mswea_bash_command', '\n```'],
    ['mini-xml', '<mswea_bash_command>', '</mswea_bash_command>'],
    ['mini-v1', '```bash', '\n```'],
  ];
  for (const [name, from, to] of shown) {
    it(`${name} shows the model a reply that it can read itself`, () => {
      const { groups, problem } = example(profileNamed(name), from, to);
      assert.equal(problem, undefined);
      assert.deepEqual(
        groups.map((group) => group.map(({ tool, input }) => ({ tool, input }))),
        [[{ tool: 'bash', input: { command: 'the command' } }]],
      );
    });
  }

  for (const [name, from, to] of [
    ['workgraph', '<StructuredResponse>', '</StructuredResponse>'],
    ['workgraph-json', '{\n  "InstantResponse"', '\n}'],
  ] as const) {
    it(`${name} shows the model a reply that it can read itself, with arguments that its tools take`, () => {
      const { groups, problem, text, taskState, tools } = example(profileNamed(name), from, to);
      assert.deepEqual(
        { problem, text, status: taskState?.status },
        { problem: undefined, text: 'what the person reads now', status: 'ongoing' },
      );
      assert.deepEqual(
        groups.map((group) => group.map(({ tool }) => tool)),
        [['read_file'], ['search_text', 'search_text']],
      );
      for (const { tool: wanted, input } of groups.flat()) tools.find((tool) => tool.name === wanted)!.bind(input);
    });
  }

  it('take other words without losing their own', () => {
    const mini = profileNamed('mini');
    const changed = withTemplates(mini, { system: 'Be brief.' }, { system: 's.jinja' });
    assert.deepEqual({ ...changed.templates, system: mini.templates.system }, mini.templates);
    assert.equal(changed.templates.system, 'Be brief.');
    assert.deepEqual(withTemplates(changed, { instance: 'x' }, { instance: 'i.jinja' }).sources, {
      system: 's.jinja',
      instance: 'i.jinja',
    });
    assert.notEqual(mini.templates.system, 'Be brief.');
  });
});
