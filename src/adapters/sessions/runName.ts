import path from 'node:path';

/**
 * What a run is called by its file: the name without the ends that formats give it; the
 * folder's for logs that all have one name.
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
