import path from 'node:path';

/**
 * Returns the display name of a run: its file name without the extensions of trajectory formats, or the folder's name
 * if all logs have the same file name.
 */
export function runName(file: string): string {
  const place = path.resolve(file);
  const own = /^(?:session\.waymark|events)\.jsonl$/.test(path.basename(place)) ? path.dirname(place) : place;
  return (
    path
      .basename(own)
      .replace(/(?:\.(?:waymark|traj|messages|sharegpt|atif|trajectory))?\.(?:jsonl?|html)$/i, '')
      .replace(/[^\w.-]+/g, '-') || 'session'
  );
}
