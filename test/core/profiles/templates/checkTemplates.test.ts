import { strict as assert } from 'node:assert';
import { profileNamed, withTemplates } from '../../../../src/core/profiles/profiles';
import { checkTemplates, samplesFor } from '../../../../src/core/profiles/templates/checkTemplates';
import { TemplateProblem } from '../../../../src/core/text/templates/parse';
import type { Templates } from '../../../../src/core/ports/profile';
import { facts, run } from './facts';

async function problemIn(templates: Templates): Promise<TemplateProblem> {
  const thrown: unknown = await checkTemplates(
    { name: 'p', templates, sources: { observation: 'file o.jinja', system: 'file s.jinja' } },
    samplesFor(run()),
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof TemplateProblem, String(thrown));
  return thrown;
}

describe('templates before a run', () => {
  it('are accepted where nothing is wrong', async () => {
    const profile = withTemplates(profileNamed('mini'), {
      system:
        '{{ HOME }} {{ step_limit }} {{ cost_limit }} {{ wall_time_limit_seconds }} {{ system }} {{ release }} {{ version }} {{ machine }} {{ model_name }} {{ mode }} {{ n_model_calls }} {{ model_cost }} {{ elapsed_seconds }} {{ task }} {{ extra }}',
      observation:
        '{% if output.more is defined %}{{ output.more }}{% endif %}{% for line in output.output.split("\\n") %}{{ line }}{% endfor %}{% set x = 1 %}{{ x }}{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ tools | map(attribute="name") | list }}',
    });
    await checkTemplates(profile, samplesFor(run({ settings: { extra: 'e' }, env: { HOME: '/h', NONE: undefined } })));
  });

  const hidden: [why: string, source: string, line: number, variable: string][] = [
    [
      'in a branch that no result reaches',
      'a\n{% if output.returncode == 77 %}\n{{ outputs }}\n{% endif %}',
      3,
      'outputs',
    ],
    [
      'in a branch for other results, as an attribute',
      '{% if output.returncode == 77 %}{{ output.stderr }}{% endif %}',
      1,
      'output.stderr',
    ],
    ['as an attribute in brackets', '{% if false %}\n{{ output["stderr"] }}{% endif %}', 2, 'output.stderr'],
    ['in a macro that is not called', '\n{% macro m(a) %}{{ a }}{{ b }}{% endmacro %}', 2, 'b'],
    ['in an argument of a filter', '{% if false %}{{ output.output | replace(x, "b") }}{% endif %}', 1, 'x'],
    ['behind "and"', '{{ false and x }}', 1, 'x'],
    ['in a list and a mapping', '{% if false %}\n\n{{ [{"a": x}] }}{% endif %}', 3, 'x'],
    ['in a loop over nothing', '{% for a in [] %}\n{{ a }}{{ b }}\n{% endfor %}', 2, 'b'],
  ];
  for (const [why, source, line, variable] of hidden) {
    it(`name a variable that does not exist ${why}`, async () => {
      const problem = await problemIn({ observation: source });
      assert.deepEqual(
        { where: problem.where, line: problem.line, variable: problem.variable },
        { where: 'file o.jinja', line, variable },
      );
    });
  }

  it('are tried with short, long and failed results, so that mistakes in what they do with them show', async () => {
    const problem = await problemIn({
      observation: '{% if output.characters > 10000 %}\n{{ output.output | frobnicate }}{% endif %}',
    });
    assert.equal(problem.line, 2);
    assert.match(problem.message, /^file o\.jinja, line 2: The filter frobnicate/);
  });

  it('name the first that is broken, in their order', async () => {
    assert.equal((await problemIn({ system: '{{ a }}', observation: '{{ b }}' })).where, 'file s.jinja');
  });

  it('may use in the system prompt only what is known there', async () => {
    assert.equal((await problemIn({ system: '{{ output.output }}' })).variable, 'output');
    assert.equal((await problemIn({ system: '{{ finish_reason }}' })).variable, 'finish_reason');
  });

  it('cannot have a variable of the run replaced by one of the environment', async () => {
    const { task, system } = run({ env: { task: 'do harm', system: 'other', SHELL: 'sh' } }) as Record<string, string>;
    assert.deepEqual([task, system], [facts().task, facts().platform.system]);
  });
});
