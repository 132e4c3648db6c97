import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FloodMask } from '../../../src/core/secrets/floodMask';
import { Secrets } from '../../../src/core/secrets/secrets';
import { maskShapes, MASK, mayHoldShape } from '../../../src/core/secrets/secretShapes';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const hex = '0af1'.repeat(10);
const capitals = 'A2B3'.repeat(14);

/** One text for each shape of secret. */
const shapes = [
  `sk-ant-api03-${letters}`,
  `sk-proj-${letters}`,
  `sk-svcacct-${letters}`,
  `rk-${letters}`,
  `pk-${'abcdefgh'.repeat(20)}7`,
  `gsk_${letters}`,
  `xai-${letters}`,
  `pplx-${letters}`,
  `hf_${letters}`,
  `r8_${letters}`,
  `nvapi-${letters}`,
  `tvly-${letters}`,
  `fw_${letters}`,
  `AKIA${capitals.slice(0, 16)}`,
  `ASIA${capitals.slice(0, 16)}`,
  `AIza${letters}`,
  `ya29.${letters}`,
  `GOCSPX-${letters}`,
  ...['doo', 'dop', 'dor'].map((begin) => `${begin}_v1_${hex}`),
  `dapi${hex.slice(0, 32)}`,
  ...['hvs', 'hvb', 'hvr'].map((begin) => `${begin}.${letters}`),
  `tskey-auth-${letters}`,
  `AGE-SECRET-KEY-1${capitals}`,
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((begin) => `${begin}_${letters}`),
  `github_pat_${letters}`,
  ...['glpat', 'gldt', 'glrt', 'glcbt', 'glptt', 'glsoat'].map((begin) => `${begin}-${letters}`),
  `ATATT3${letters}`,
  `ATBB${letters}`,
  `npm_${letters}`,
  `pypi-AgE${letters}`,
  `rubygems_${hex}`,
  `dckr_pat_${letters}`,
  `sbp_${hex}`,
  `xoxb-1234567890-${letters}`,
  `xapp-1-${letters}`,
  ...['sk_live', 'pk_test', 'rk_live'].map((begin) => `${begin}_${letters}`),
  `whsec_${letters}`,
  `SG.${letters}.${letters}`,
  ...['shpat', 'shpca', 'shppa', 'shpss'].map((begin) => `${begin}_${hex.slice(0, 32)}`),
  ...['atp', 'csp', 'idp'].map((kind) => `sq0${kind}-${letters}`),
  `key-${hex.slice(0, 32)}`,
  `${hex.slice(0, 32)}-us12`,
  `SK${hex.slice(0, 32)}`,
  `lin_api_${letters}`,
  `ntn_${letters}`,
  `figd_${letters}`,
  `sntrys_${letters}`,
  `sntryu_${letters}`,
  `glsa_${letters}`,
  `NRAK-${capitals.slice(0, 27)}`,
  `PMAK-${hex}`,
  `123456789:AA${'b4C5d'.repeat(6)}xyz`,
  `M${letters.slice(0, 23)}.a1-b2_.${letters.slice(0, 27)}`,
  `eyJ${letters}.eyJ${letters}.${letters}`,
  `eyJ${letters.repeat(30)}.${letters}.${letters}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${`${letters}\n`.repeat(20)}-----END RSA PRIVATE KEY-----`,
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${`${letters}\n`.repeat(3000)}-----END PGP PRIVATE KEY BLOCK-----`,
  `Authorization: bearer ${letters}`,
  `authorization: Basic${' '.repeat(300)}dXNlcjpwYXNzd29yZDEyMw==`,
  'postgres://me:hunter22@host/db',
  `amqp://user${'é'.repeat(90)}:${'pä55-'.repeat(150)}@host`,
  'https://hooks.slack.com/services/T0000000000/B0000000000/abcdefgh',
  'API_KEY="q7Rt91zKmW3xYpL5"',
  "accessKey :\n 'q7Rt91zKmW3xYpL5'",
  'account-key=q7Rt91zKmW3xYpL5',
  'SECRET: q7Rt91zKmW3xYpL5',
  'token=q7Rt91zKmW3xYpL5',
  'passwd=q7Rt91zKmW3xYpL5',
  'PassPhrase= q7Rt91zKmW3xYpL5',
  'credentials:\u00a0q7Rt91zKmW3xYpL5',
];

const value = 'ztest_Q7/xk+2"vP&91=mL';
const german = 'Käse-und-Brötchen-8842';
const wrapped = (text: string): string => text.replace(/.{64}/g, '$&\n');
const known = [
  value,
  JSON.stringify(value),
  encodeURIComponent(value),
  Buffer.from(value).toString('hex'),
  Buffer.from(`KEY=${value}`.repeat(4)).toString('base64'),
  wrapped(Buffer.from(`A=1\nKEY=${value}\nB=2\n`.repeat(4)).toString('base64')),
  german,
  encodeURIComponent(german),
];

const lines = [
  'y\n',
  '2026-11-21 10:12:13 INFO task-management: disk-usage 81 % of /dev/sda1\n',
  'const token = request.headers.authorization;\n',
  'basic understanding of bearer authentication\n',
  'see https://example.com:8080/path and http://[::1]:80/\n',
  'Grüße aus Köln, 一行の日本語テキスト, 🎉\n',
  '\u001b[32m✓\u001b[39m passes the test of secrets (12 ms)\n',
  '00000010  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n',
  'eyJhbGciOi-----BEGIN CERTIFICATE-----\n',
  `${'abcdefghij'.repeat(700)}\n`,
  `${'0123456789abcdef'.repeat(600)}`,
  'a.b.c.d.e.f.g.h sk- pk_ key= :// -us ',
];

const block = 32_768;

/** Returns the output of a stream that gets the same text in whole blocks: the most expensive and complete way. */
function byStream(secrets: Secrets, text: string): string {
  const stream = secrets.stream();
  let masked = '';
  for (let at = 0; at < text.length; at += block) masked += stream.push(text.slice(at, at + block));
  return masked + stream.end();
}

function byFlood(secrets: Secrets, text: string, piece: number): { masked: string; hasMasked: boolean } {
  const flood = new FloodMask(secrets);
  let masked = '';
  for (let at = 0; at < text.length; at += piece) masked += flood.push(text.slice(at, at + piece));
  masked += flood.end();
  return { masked, hasMasked: flood.hasMasked };
}

const knowing = (...values: string[]): Secrets => {
  const secrets = new Secrets();
  secrets.learn(...values);
  return secrets;
};

describe('a flood is masked', () => {
  it('and every shape of a secret is found by what it holds', () => {
    for (const shape of shapes) {
      const text = `it is ${shape}\n`;
      assert.notEqual(maskShapes(text), text, shape);
      assert.ok(mayHoldShape(text), shape);
    }
  });

  it('and every value that is known is found, wherever it stands', () => {
    const known = new Secrets();
    const plainValues = ['plain-words-here', 'Grüße-aus-Köln', '日本語のパスワード', '\ud83d\ude00emoji-value'];
    known.learn(...plainValues);
    for (const value of plainValues)
      for (const before of ['', 'a', '\n', 'ü', '日', 'plain-words-her'])
        for (const spelled of [value, Buffer.from(value).toString('base64'), encodeURIComponent(value)]) {
          const text = `${before}${spelled}${before}`;
          assert.equal(known.mayHold(text), mayHoldShape(text) || known.isIn(text), text);
          if (spelled === value) assert.ok(known.mayHold(text), text);
        }
  });
  it('and ordinary lines are passed by', () => {
    assert.ok(!mayHoldShape(lines.slice(0, 3).join('').repeat(100)));
    assert.ok(!mayHoldShape('Grüße aus Köln, 一行の日本語テキスト, 🎉\n'.repeat(100)));
  });

  /** Structure of a text of several blocks: its filling, and the secrets near each block border. */
  const planted = fc.record({
    fill: fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 4 }),
    blocks: fc.integer({ min: 1, max: 14 }),
    last: fc.integer({ min: 0, max: block - 1 }),
    plants: fc.array(
      fc.record({
        text: fc.constantFrom(...shapes, ...known),
        border: fc.integer({ min: 0, max: 14 }),
        offset: fc.oneof(fc.integer({ min: -150, max: 20 }), fc.integer({ min: -5000, max: 5000 })),
        around: fc.constantFrom('\n', ' ', 'x', '"'),
      }),
      { maxLength: 4 },
    ),
    piece: fc.constantFrom(1000, 32_768, 50_001, 131_072),
  });

  it('as a stream masks it that gets all of it, wherever a secret stands', function () {
    this.timeout(120_000);
    const secrets = knowing(value, german);
    fc.assert(
      fc.property(planted, ({ fill, blocks, last, plants, piece }) => {
        const length = blocks * block + last;
        const unit = fill.join('');
        let text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
        for (const plant of plants) {
          const at = Math.min(text.length, Math.max(0, plant.border * block + plant.offset));
          text = text.slice(0, at) + plant.around + plant.text + plant.around + text.slice(at);
        }
        const { masked, hasMasked } = byFlood(secrets, text, piece);
        const expected = byStream(secrets, text);
        assert.equal(masked.length, expected.length);
        assert.ok(masked === expected, 'the masked texts differ');
        assert.equal(hasMasked, masked !== text);
      }),
      { numRuns: 100 },
    );
  });

  it('at each place around the border of two blocks', function () {
    this.timeout(120_000);
    const secrets = knowing(value, german);
    const plain = 'the quick brown fox\n'.repeat(2 * block).slice(0, 2 * block);
    for (const secret of ['AKIA' + capitals.slice(0, 16), value, 'token=q7Rt91zKmW3xYpL5', `bearer ${letters}`])
      for (let offset = -secret.length - 2; offset <= 2; offset += 3) {
        const at = block + offset;
        const text = `${plain.slice(0, at)} ${secret} ${plain.slice(at)}`;
        const { masked, hasMasked } = byFlood(secrets, text, 70_000);
        assert.ok(hasMasked && masked.includes(MASK), `${secret} at ${offset}`);
        assert.ok(masked === byStream(secrets, text), `${secret} at ${offset}`);
      }
  });
});
