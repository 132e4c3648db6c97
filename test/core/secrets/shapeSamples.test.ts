import assert from 'node:assert/strict';
import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { FloodMask } from '../../../src/core/secrets/floodMask';
import { Secrets } from '../../../src/core/secrets/secrets';
import { MASK, maskShapes, mayHoldShape, issuedTokens } from '../../../src/core/secrets/secretShapes';

/** Pseudo-random integers from 0 to below `below`, identical in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Dice = ReturnType<typeof dice>;

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Generates a text that matches a part of a regular expression. Lookarounds and boundaries add nothing. */
function sampleOf(node: AST.Element | AST.Pattern | AST.Alternative, roll: Dice): string {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return sampleOf(node.alternatives[roll(node.alternatives.length)]!, roll);
    case 'Alternative':
      return node.elements.map((element) => sampleOf(element, roll)).join('');
    case 'Quantifier': {
      const most = Math.min(node.max, node.min + 20);
      const times = node.min + roll(most - node.min + 1);
      return Array.from({ length: times }, () => sampleOf(node.element, roll)).join('');
    }
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const matches = new RegExp(`^${node.raw}$`);
      const choices = ascii.filter((character) => matches.test(character));
      return choices[roll(choices.length)]!;
    }
    case 'Assertion':
      return '';
    default:
      throw new Error(`Nothing is known of ${node.raw}.`);
  }
}

/** Texts that are such a token as a whole. Lookarounds in the expression may exclude some. */
function samplesOf(shape: string, count: number): string[] {
  const pattern = new RegExpParser().parsePattern(shape);
  const whole = new RegExp(`^(?:${shape})$`);
  const roll = dice(shape.length * 7919);
  const tried = Array.from({ length: count * 4 }, () => sampleOf(pattern, roll));
  return tried.filter((text) => whole.test(text)).slice(0, count);
}

const block = 32_768;
const plain = 'the quick brown fox\n'.repeat(block);

function flood(text: string): string {
  const mask = new FloodMask(new Secrets());
  return mask.push(text) + mask.end();
}

describe('a flood finds each shape of a secret', () => {
  for (const { shape } of issuedTokens) {
    it(`in texts that are made from ${shape}`, () => {
      const samples = samplesOf(shape, 40);
      assert.ok(samples.length >= 10, `${samples.length} samples`);
      for (const sample of samples)
        for (const text of [sample, `"${sample}"`, `\n${sample}\r\n`, `=${sample} `, `é${sample}é`, `x.${sample}`]) {
          if (maskShapes(text) === text) continue; // the full path does not mask it either
          assert.ok(mayHoldShape(text), JSON.stringify(text));
        }
      assert.ok(
        samples.some((sample) => maskShapes(sample).includes(MASK)),
        'the full path masks none of them',
      );
    });
  }

  it('in each letter case that the full path masks', () => {
    const value = 'q7Rt91zKmW3xYpL5';
    const names = ['api_key', 'api-key', 'apikey', 'access_key', 'account-key', 'secret', 'secret_key', 'token'];
    names.push('password', 'passwd', 'passphrase', 'credential', 'credentials');
    const texts = [...names.map((name) => `${name} = "${value}`), `bearer ${value}`, `basic\t${value}`];
    const mixed = (text: string): string =>
      text.replace(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter));
    for (const lower of texts) {
      const head = lower.slice(0, -value.length);
      for (const text of [head, head.toUpperCase(), mixed(head)].map((each) => each + value)) {
        assert.ok(maskShapes(text).includes(MASK), text);
        assert.ok(mayHoldShape(text), text);
      }
    }
  });

  it('on both sides of the border of two blocks', function () {
    this.timeout(120_000);
    for (const { shape } of issuedTokens) {
      const [sample = ''] = samplesOf(shape, 1);
      for (const inFirst of [1, Math.floor(sample.length / 2), sample.length - 1]) {
        const before = plain.slice(0, block - inFirst - 1);
        const text = `${before} ${sample}\n${plain.slice(0, block)}`;
        const masked = flood(text);
        assert.ok(masked.includes(MASK) && masked === maskShapes(text), `${sample}, ${inFirst} of it first`);
      }
    }
  });
});
