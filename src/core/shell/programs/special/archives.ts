import { takes } from '../../calls/options';
import { literal } from '../../syntax/value';
import { doubt, note, refuse, sayOfWrites, touch } from '../../effects/scope';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge } from '../../calls/manual';

/** `tar xzf a.tgz` is `tar -xzf a.tgz`; unpacking writes here, listing writes nothing. */
export const judgeTar: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const [first, ...rest] = words;
  const bundled = first?.kind === 'literal' && /^[a-zA-Z]+$/.test(first.text);
  const all = bundled
    ? [literal(`-${first.text.replace('f', '')}${first.text.includes('f') ? 'f' : ''}`, first.source), ...rest]
    : words;
  if (bundled && /[CTXIFsKVN]/.test(first.text))
    doubt(scope, first.source, 'These letters of "tar" are not judged as safe.');
  const letters = all
    .filter(({ text }) => /^-[a-zA-Z]+$/.test(text))
    .map(({ text }) => text)
    .join('');
  const lists = (/t/.test(letters) || all.some(({ text }) => text === '--list')) && !/[xcru]/.test(letters);
  const creates = /[cru]/.test(letters) || all.some(({ text }) => text === '--create');
  const { judge, ...plain } = manual;
  const options = [...(manual.options ?? []), ...(creates ? whenItPacks : whenItUnpacks)];
  judgeByManual(
    { ...plain, options, ...(!creates && { operands: { rest: 'text' } }), ...(lists && { level: 'low' }) },
    name,
    all,
    scope,
    flow,
    whole,
  );
  if (all.some(({ text }) => /^(host|[\w.@-]+):/.test(text))) refuse(scope, whole, 'It reaches another machine.');
  return 'done';
};

const whenItPacks = [takes('list', '-C --directory')];
const whenItUnpacks = [takes('read', '-f --file')];

export const judgeUnzip: Judge = ({ words, scope, whole, manual, name, flow }) => {
  const { judge, ...plain } = manual;
  const looks = words.some(({ text }) => /^-[qvltp]*[lvtZp]/.test(text));
  if (!looks && words.length > 0) note(scope, 'medium', whole, 'It unpacks files.');
  judgeByManual({ ...plain, level: looks ? 'low' : 'medium' }, name, words, scope, flow, whole);
  return 'done';
};

/** With `-c`, `-l` or `-t` it only reads. */
export const judgePacks: Judge = ({ words, scope, whole, manual, name, flow }) => {
  const { judge, ...plain } = manual;
  const looks = words.some(({ text }) => /^-[dkvqn]*[clt]|^--(stdout|list|test)$/.test(text));
  judgeByManual(
    looks ? { ...plain, level: 'low', operands: { rest: 'read' } } : plain,
    name,
    words,
    scope,
    flow,
    whole,
  );
  return 'done';
};

export const judgeRsync: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const before = scope.effects.length;
  const plain = words.filter(({ text }) => !text.startsWith('-'));
  if (plain.some(({ text }) => text.includes(':'))) refuse(scope, whole, 'It reaches another machine.');
  const target = plain.at(-1)?.source ?? '';
  const sources = plain
    .slice(0, -1)
    .map(({ source }) => source)
    .join(' and ');
  const removesSources = words.some(({ text }) => text.startsWith('--remove'));
  if (removesSources || words.some(({ text }) => text.startsWith('--del')))
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      reason: 'It deletes files.',
      says: removesSources
        ? `Deletes the files of ${sources} when they are copied.`
        : `Deletes what is in ${target} and not in ${sources}.`,
    });
  for (const word of plain.slice(0, -1)) touch(scope, 'reads', word);
  const { judge, ...others } = manual;
  judgeByManual(others, name, words, scope, flow, whole);
  const isElsewhere = (text: string): boolean => /^(?:[\w.-]*@)?[\w.-]+:/.test(text);
  const copies = `Copies ${sources} to ${target}.`;
  const sentence = isElsewhere(target) ? `Copies ${sources} to another machine, ${target.split(':')[0]}.` : copies;
  sayOfWrites(scope, before, ({ where, path }, culprit) => {
    if (culprit !== target && isElsewhere(path)) return 'Copies files from another machine.';
    return where === 'inside' || isElsewhere(path) ? sentence : undefined;
  });
  return 'done';
};
