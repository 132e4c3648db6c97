import { mayFind, secretSamples } from '../globs';
import { refuse } from '../scope';
import type { Special } from './all';

const secretive = /passw|secret|token|api[_-]?key|private.?key|credential|BEGIN .*KEY|aws_|AKIA/i;

/** Words that begin with a plus are commands of the pager, and those run programs. */
export const pager: Special = ({ words, scope }) => {
  for (const { text, source } of words) if (text.startsWith('+') && !/^\+(\d+|G|F)$/.test(text)) refuse(scope, source, 'It gives the pager a command.');
  return undefined;
};

/** A search of everything for secrets shows them; elsewhere only files count. */
export const grep: Special = ({ words, scope, whole }) => {
  const recursive = words.some(({ text }) => /^-[a-zA-Z]*[rR]|^--(deref|recur)/.test(text));
  const plain = words.filter(({ text }) => !text.startsWith('-'));
  const everything = plain.length < 2 || plain.slice(1).some(({ text }) => /^(\.\/?|\*)$/.test(text));
  const chosen = words.some(({ text }) => /^(--include|-[a-zA-Z]*[lLcq]|--count|--files-with)/.test(text));
  for (const { text } of words) {
    const pattern = /^--include=(.+)$/.exec(text)?.[1];
    if (pattern && (mayFind(pattern, secretSamples, true) || secretSamples.includes(pattern)) && !/^\*\.[a-z]{1,5}$/.test(pattern)) refuse(scope, pattern, 'It searches files that may hold secrets.');
    if (pattern && /^\*\.(env|pem|key|p12|pfx|tfstate|tfvars)$/.test(pattern)) refuse(scope, pattern, 'It searches files that may hold secrets.');
  }
  if (recursive && everything && !chosen && secretive.test(plain[0]?.text ?? '')) refuse(scope, whole, 'It searches everything for secrets.');
  return undefined;
};

/** Searches of hidden files are harmless only in a folder that is named. */
export const ripgrep: Special = ({ words, scope, whole }) => {
  const hidden = words.some(({ text }) => /^-[a-zA-Z]*[u.]|^--(hid|no-ig|unr)/.test(text));
  words.forEach(({ text }, at) => {
    const pattern = /^(-g|--i?glob)$/.test(text) ? words[at + 1]?.text : /^(?:-g|--i?glob=)(.+)$/.exec(text)?.[1];
    if (pattern && !pattern.startsWith('!') && (mayFind(pattern, secretSamples, true) || secretSamples.includes(pattern))) refuse(scope, pattern, 'It searches files that may hold secrets.');
  });
  const folders = words.filter(({ text }) => !text.startsWith('-')).slice(1);
  if (hidden && (folders.length === 0 || folders.some(({ kind, text }) => kind !== 'literal' || /^\.?\/?$/.test(text)))) refuse(scope, whole, 'It searches hidden files, which may hold secrets.');
  return undefined;
};

export const jq: Special = ({ words, scope, whole }) => {
  if (words.some(({ text }) => /\benv\b|\$ENV|\binput_filename\b|\b(include|import)\b|\$__prog|\bload\w*\(|strenv|envsubst/.test(text))) refuse(scope, whole, 'It shows the environment or loads code.');
  return undefined;
};
