import assert from 'node:assert/strict';
import { resolveChoices } from '../../../src/core/session/resolveChoices';
import { profileNamed, profiles } from '../../../src/core/profiles/profiles';
import { readSkill } from '../../../src/core/skills/readSkill';
import { toolFromLog } from '../../../src/core/tools/addedTool';
import type { Tool } from '../../../src/core/ports/tool';
import type { Limits } from '../../../src/protocol/events/event';

const as = (front: string) =>
  readSkill({
    path: '.agent/agents/p.md',
    text: `---\nname: p\ndescription: d\n${front}\n---\nYou are p.`,
    hash: 'h',
  })!;
const added = [
  toolFromLog({
    name: 'mcp_notes_search',
    description: 'd',
    parameters: {},
    from: { source: 'notes', tool: 'search' },
  }),
];
const chosen = { mode: 'confirm', confirmation: 'risky', limits: {} } as const;
const run = (
  usual: string,
  given: {
    readonly limits?: Partial<Limits>;
    readonly toolsets?: readonly string[];
    readonly disabledToolsets?: readonly string[];
  },
  front?: string,
) =>
  resolveChoices(
    { ...chosen, ...given, ...(front !== undefined && { persona: as(front) }) },
    { profile: profileNamed(usual), profileOf: profileNamed, trusted: true, added },
  );

const isWithin = (own: number, most: number): boolean => most === 0 || (own > 0 && own <= most);
const lasting = ['memory', 'session_search'];
const can = (tools: readonly Tool[], ...effects: Tool['effect'][]): boolean =>
  tools.some(({ effect, from, name }) => !from && !lasting.includes(name) && effects.includes(effect));

describe('a run whose persona chooses the profile', () => {
  for (const { name: usual } of profiles) {
    for (const { name: wanted } of profiles) {
      it(`gets no more rights with ${wanted} than with its own ${usual}`, async () => {
        for (const given of [
          {},
          { limits: { steps: 7, seconds: 60 } },
          { disabledToolsets: ['run_command', 'bash', 'terminal', 'added'] },
          { disabledToolsets: ['edit_file', 'write_file', 'apply_patch', 'patch', 'file_editor', 'memory'] },
          { toolsets: ['readOnly'] },
        ]) {
          const [without, own] = [
            await run(usual, given),
            await run(usual, given, `profile: ${wanted}\nlimits: { steps: 10000 }`),
          ];
          assert.equal(own.profile.name, wanted);
          for (const part of ['steps', 'cost', 'seconds'] as const)
            assert.ok(
              isWithin(own.settings.limits[part], without.settings.limits[part]),
              `${part}: ${own.settings.limits[part]} of ${without.settings.limits[part]}`,
            );
          for (const effect of ['writes', 'executes', 'delegates'] as const)
            assert.ok(
              !can(own.tools, effect) || can(without.tools, effect),
              `${effect} after ${JSON.stringify(given)}`,
            );
          assert.ok(!can(own.tools, 'reads') || can(without.tools, 'reads', 'writes', 'executes'));
          for (const { name } of own.tools.filter(({ name: each, from }) => from ?? lasting.includes(each)))
            assert.ok(
              without.tools.some((tool) => tool.name === name),
              name,
            );
          assert.deepEqual(
            [own.settings.mode, own.settings.confirmation],
            [without.settings.mode, without.settings.confirmation],
          );
        }
      });
    }
  }

  it('gets the narrower limits of the two profiles unless the run sets its own', async () => {
    assert.deepEqual((await run('waymark', {}, 'profile: openhands')).settings.limits, {
      steps: 100,
      cost: 5,
      seconds: 0,
    });
    assert.deepEqual((await run('openhands', {}, 'profile: waymark')).settings.limits, {
      steps: 100,
      cost: 5,
      seconds: 0,
    });
    assert.deepEqual((await run('waymark', { limits: { steps: 300 } }, 'profile: waymark')).settings.limits, {
      steps: 300,
      cost: 5,
      seconds: 0,
    });
  });

  it('keeps its choices without a persona', async () => {
    const { profile, settings } = await run('mini', { limits: { steps: 3 } });
    assert.deepEqual([profile.name, settings.limits], ['mini', { steps: 3, cost: 3, seconds: 0 }]);
  });
});
