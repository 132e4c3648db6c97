const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)/i;

/** Why Windows would take this path for another one than it looks, or nothing. Judges the text alone, so it can be asked anywhere. */
export function windowsNameProblem(path: string): string | undefined {
  if (/^[\\/]{2}[?.][\\/]/.test(path)) return 'it names a device or bypasses Windows\u2019 path rules';
  if (/^[\\/]{2}/.test(path)) return 'it is on another machine (a network path)';
  if (/^[a-z]:(?![\\/])/i.test(path)) return 'it depends on the current folder of a drive';
  for (const name of path.replace(/^[a-z]:/i, '').split(/[\\/]/)) {
    if (name === '' || name === '.' || name === '..') continue;
    if (name.includes(':')) return `"${name}" names a hidden stream of a file`;
    if (/[. ]$/.test(name)) return `"${name}" ends with a dot or a space, which Windows drops`;
    if (/^[^.]{1,6}~\d+(\.[^.]{0,3})?$/.test(name)) return `"${name}" may be the short name of another file`;
    if (deviceName.test(name)) return `"${name}" is the name of a device`;
  }
  return undefined;
}
