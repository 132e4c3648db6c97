import { formsOf } from './secretForms';
import { finishedLength, MASK, maskShapes } from './secretShapes';

const shortest = 8;
/** Longer values are known piece by piece. A multiple of three, so that base64 of the pieces is that of the whole. */
const longest = 240;

/** Values that hide nothing, whatever they are called. */
const plain = new Set('password passw0rd changeme changeit postgres postgresql username localhost development production testing staging undefined anonymous required optional disabled enabled internal external default1 example1 12345678 123456789 1234567890 00000000'.split(' '));

/** The values that this process knows to be secret, and their masks. A value that is learned is known from then on. */
export class Secrets {
  readonly #values = new Set<string>();
  readonly #forms = new Map<string, string[]>();
  #any: RegExp | undefined;
  #longest = 0;

  /** Counts what was learned, for those that keep masked text. */
  get version(): number { return this.#values.size; }

  /** Values of less than 8 characters are left out: they would be found everywhere. */
  learn(...values: readonly (string | undefined)[]): void {
    const before = this.#values.size;
    for (const value of values) for (const part of partsOf(value?.trim() ?? '')) this.#values.add(part);
    if (this.#values.size === before) return;
    const forms = [...new Set([...this.#values].flatMap(formsOf))].filter(form => form.length >= shortest).sort((a, b) => b.length - a.length);
    this.#longest = forms[0]!.length;
    this.#forms.clear();
    for (const form of forms) this.#forms.set(form[0]!, [...(this.#forms.get(form[0]!) ?? []), form]);
    this.#any = new RegExp(forms.map(form => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  }

  /** Without the values that are known. For texts that must stay as they are otherwise, such as what an action will do. */
  readonly maskKnown = (text: string): string => (this.#any && text.length >= shortest ? text.replace(this.#any, MASK) : text);

  /** Without the values that are known and without what looks like a secret. */
  readonly mask = (text: string): string => (text.length < shortest ? text : maskShapes(this.maskKnown(text)));

  /** Where the end of the text may be the beginning of a known value; the text's length where not. */
  unfinishedFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const forms = this.#forms.get(text[at]!);
      if (forms?.some(form => form.length > text.length - at && form.startsWith(text.slice(at)))) return at;
    }
    return text.length;
  }

  /** Masks a text that comes in pieces. */
  stream(): MaskedStream { return new MaskedStream(this); }
}

/** Masks a text that comes in pieces: what may be half of a secret is held back until the other half is there. */
export class MaskedStream {
  #held = '';
  #inKey = false;

  constructor(private readonly secrets: Secrets) {}

  push(text: string): string {
    const [all, opened] = this.#outsideKeys(this.secrets.maskKnown(this.#held + text));
    if (this.#inKey) return this.secrets.mask(all) + (opened ? MASK : '');
    const sure = Math.min(finishedLength(all), this.secrets.unfinishedFrom(all));
    this.#held = all.slice(sure);
    return this.secrets.mask(all.slice(0, sure));
  }

  /** What is held still, at the end of the text. */
  end(): string {
    const rest = this.#inKey ? '' : this.#held;
    this.#held = '';
    this.#inKey = false;
    return this.secrets.mask(rest);
  }

  /** A private key may be longer than what is held back: from its beginning on, it is left out up to its end. */
  #outsideKeys(text: string): [outside: string, opened: boolean] {
    let rest = text;
    if (this.#inKey) {
      const end = keyEnd.exec(rest);
      if (!end) {
        this.#held = rest.slice(-64);
        return ['', false];
      }
      this.#inKey = false;
      rest = rest.slice(end.index + end[0].length);
    }
    const begin = openKey.exec(rest);
    if (!begin) return [rest, false];
    this.#inKey = true;
    this.#held = rest.slice(begin.index + begin[0].length).slice(-64);
    return [rest.slice(0, begin.index), true];
  }
}

const keyEnd = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
/** The beginning of a private key whose end is not there. */
const openKey = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?![\s\S]*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)/;

/** What this process knows: one for all, since a key that one session learned must not be told by another. */
export const secrets = new Secrets();

function* partsOf(value: string): Generator<string> {
  for (const line of value.split(/\r?\n/)) {
    const whole = line.trim();
    if (whole.length < shortest || plain.has(whole.toLowerCase()) || /^-----(?:BEGIN|END) /.test(whole)) continue;
    for (let at = 0; at < whole.length; at += longest) if (at === 0 || whole.length - at >= shortest) yield whole.slice(at, at + longest);
  }
}
