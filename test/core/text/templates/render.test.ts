import { strict as assert } from 'node:assert';
import { Float } from '../../../../src/core/text/templates/engine';
import { render } from '../../../../src/core/text/templates/render';
import { TemplateProblem } from '../../../../src/core/text/templates/parse';

const variables = {
  yes: true,
  nothing: null,
  two: new Float(2),
  half: 0.5,
  count: 3,
  tiny: 1e-7,
  huge: new Float(1e16),
  text: '😀a',
  quoted: "a'b",
  list: [true, null, "a'b", 'q', 'x\n\\', 1.5],
  output: { output: 'abc', returncode: 0, exception_info: '' },
  json: { b: 1, a: "<'&é>\x7f😀", c: [true, null, 0.25, 1e-7], d: {} },
  tools: [{ name: 'bash' }, { name: 'finish' }],
};
const rendered = (source: string) => render(source, variables, 'the test');

async function problemIn(source: string): Promise<TemplateProblem> {
  const thrown: unknown = await rendered(source).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof TemplateProblem, String(thrown));
  return thrown;
}

/** Output of jinja2 3.1.6 for Python with StrictUndefined and the same variables. */
const asInPython: Record<string, string> = {
  '{{ yes }} {{ nothing }} {{ two }} {{ half }} {{ count }}': 'True None 2.0 0.5 3',
  '{{ tiny }} {{ huge }} {{ tiny * 10 }}': '1e-07 1e+16 1e-06',
  '{{ list }}': `[True, None, "a'b", 'q', 'x\\n\\\\', 1.5]`,
  '{{ output }}': "{'output': 'abc', 'returncode': 0, 'exception_info': ''}",
  '{{ json | tojson }}':
    '{"a": "\\u003c\\u0027\\u0026\\u00e9\\u003e\\u007f\\ud83d\\ude00", "b": 1, "c": [true, null, 0.25, 1e-07], "d": {}}',
  '{{ {"b": [1, {}], "a": []} | tojson(indent=2) }}': '{\n  "a": [],\n  "b": [\n    1,\n    {}\n  ]\n}',
  '{{ two | tojson }}': '2.0',
  '{{ yes ~ two ~ nothing ~ "x" }}': 'True2.0Nonex',
  '{{ text | length }} {{ text[:1] }} {{ text[-1:] }}': '2 😀 a',
  '{{ output.output | length - 2 }}': '1',
  '{{ list | join("-") }}': "True-None-a'b-q-x\n\\-1.5",
  '{{ 1 == "1" }} {{ 1 == 1.0 }} {{ yes == 1 }} {{ [1, [2]] == [1, [2]] }} {{ nothing == "" }} {{ 1 != "1" }}':
    'False True True True False True',
  '{{ half | round }} {{ 2.347 | round(2) }} {{ count | round }}': '0.0 2.35 3',
  '{{ missing | default("d") }}{{ missing | d }}{{ "" | default("e", true) }}{{ output.extra | default("f") }}': 'def',
  '{% if missing is defined %}x{% else %}y{% endif %}{{ output.extra is undefined }}': 'yTrue',
  '{% for tool in tools %}{{ loop.index }}{{ tool.name }}{{ "" if loop.last else ", " }}{% endfor %}': '1bash, 2finish',
  '{% for i in range(2, 6, 2) %}{{ i }}{% else %}none{% endfor %}{% for i in [] %}{% else %}none{% endfor %}': '24none',
  '{% macro greet(name, sign="!") %}Hi {{ name }}{{ sign }}{% endmacro %}{{ greet("a") }}{{ greet("b", sign="?") }}':
    'Hi a!Hi b?',
  '{% set x = 1 %}{% set y %}in {{ x }}{% endset %}{{ y }}': 'in 1',
  '{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}': '3',
  '{{ "x" if not yes }}|': '|',
  'a  \n  {%- if yes -%}  b  {%- endif -%}  \n c\n': 'abc',
  '{% if yes %}\nkept\n{% endif %}\nend\n\n': '\nkept\n\nend\n',
  'a{# no #}b{#- no -#} c': 'abc',
  '{% raw %}{{ kept }} {% if %}{% endraw %}|{%- raw -%}  {{x}}  {%- endraw -%}  |': '{{ kept }} {% if %}|{{x}}|',
  '{{ "}}" }}{{ {"a": {"b": 1}}.a.b }}': '}}1',
  '{{ tools | map(attribute="name") | join(", ") }}': 'bash, finish',
  '{{ output.get("nope", "none") }} {{ "ret" in output }} {{ "returncode" in output }}': 'none False True',
};

describe('a template', () => {
  for (const [source, expected] of Object.entries(asInPython)) {
    it(`${JSON.stringify(source)} reads as in Python`, async () => assert.equal(await rendered(source), expected));
  }

  it('cannot reach what objects inherit', async () => {
    for (const source of [
      '{{ text.constructor }}',
      '{{ output.constructor }}',
      '{{ output["__proto__"] }}',
      '{{ list.constructor.constructor("return 1")() }}',
      '{{ range.constructor }}',
    ]) {
      assert.match((await problemIn(source)).message, /does not exist/, source);
    }
  });

  it('prints values as they are, whatever stands in them', async () => {
    assert.equal(await render('{{ task }}', { task: '{{ secret }} {% if %}' }, 'x'), '{{ secret }} {% if %}');
  });

  it('may use variables with the names of built-in ones', async () => {
    assert.equal(await render('{{ range }} {{ namespace }}', { range: 'a', namespace: 'b' }, 'x'), 'a b');
  });

  const broken: [source: string, line: number, variable: string | undefined, why: RegExp][] = [
    ['one\n{{ taks }}', 2, 'taks', /The variable taks does not exist\./],
    ['{{ outptu }}', 1, 'outptu', /Did you mean output\?/],
    ['\n\n{{ output.retruncode }}', 3, 'output.retruncode', /Did you mean output\.returncode\?/],
    ['{% if yes %}\n{% if missing %}\n{% endif %}{% endif %}', 2, 'missing', /missing does not exist/],
    ['{% if not yes %}\na\n{% elif missing %}{% endif %}', 3, 'missing', /missing/],
    ['{% for i in [1] %}\n{{ i }}\n{{ missing }}\n{% endfor %}', 3, 'missing', /missing/],
    ['{% macro m() %}\n{{ missing }}{% endmacro %}\n\n{{ m() }}', 2, 'missing', /missing/],
    ['{% macro m(a) %}\n{{ a }}{% endmacro %}\n\n{{ m(1) ~ missing }}', 4, 'missing', /missing/],
    ['{# a\nb #}\n{{ missing == 1 }}', 3, 'missing', /missing/],
    ['{% raw %}\n{{ x }}\n{% endraw %}\n{{ missing }}', 4, 'missing', /missing/],
    ['a\n{{ missing.part | default("x") }}', 2, 'missing', /missing/],
    ['{{ tools[7] }}', 1, undefined, /The value here does not exist/],
    ['\n{{ yes', 2, undefined, /\{\{ is not closed/],
    ['\n\n{{ "yes }}', 3, undefined, /is not closed/],
    ['a\n{% if yes %}\nb', 2, undefined, /The block if is not closed.*\{% endif %\}/],
    ['{% for a in list %}\n{% endif %}', 2, undefined, /endif closes a block that is not open here.*for of line 1/],
    ['\n{% endfor %}', 2, undefined, /endfor closes a block/],
    ['{% include "x" %}', 1, undefined, /no statement include/],
    ['\n{{ yes | }}\n{{ yes }}', 2, undefined, /cannot be parsed: Unexpected: \}\}\./],
    ['\n{{ yes no }}', 2, undefined, /cannot be parsed: Expected closing expression, not Identifier\./],
    ['\n{{ 1 ? 2 }}', 2, undefined, /cannot be parsed: Unexpected character/],
    ['\n{{ text | frobnicate }}', 2, undefined, /The filter frobnicate cannot be used here/],
    ['\n{{ half.a.b }}', 2, 'half.a', /half\.a does not exist/],
    ['\n{{ nothing + 1 }}', 2, undefined, /null/],
    ['{{ range(10 ** 9) | length }}', 1, undefined, /more than 100000 items/],
    ['{{ [] | first }}', 1, undefined, /does not exist/],
    ['a\n{% break %}', 2, undefined, /no loop/],
  ];
  for (const [source, line, variable, why] of broken) {
    it(`${JSON.stringify(source)} names line ${line}${variable ? ` and ${variable}` : ''}`, async () => {
      const problem = await problemIn(source);
      assert.deepEqual(
        { line: problem.line, variable: problem.variable, where: problem.where },
        { line, variable, where: 'the test' },
      );
      assert.match(problem.message, why);
      assert.match(problem.message, new RegExp(`^the test, line ${line}: `));
      assert.doesNotMatch(problem.message, /Value\b|\bI\b|!|undefined\b/);
    });
  }
});
