/**
 * Arranges the nodes of a graph in layers from top to bottom, with few crossings and straight edges. The time is
 * bounded by the number of nodes and of layers that edges pass: no recursion and no search for the optimum.
 */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A position in pixels from the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Size of a node, which may be fixed at the top or bottom. */
export interface Pinned extends Size {
  /** Set for points at which a link enters or leaves: above or below everything else. */
  readonly pin?: 'first' | 'last' | undefined;
}

/** A link between two nodes. `from`, `to`: indexes of nodes. */
export interface Link {
  readonly from: number;
  readonly to: number;
  /** Size of the label; absent if there is none. */
  readonly label?: Size | undefined;
  /** Offset of its ends from the center of the node. */
  readonly fromShift?: number;
  readonly toShift?: number;
}

/** The layout of a graph: its size and where everything is. */
export interface Layers extends Size {
  /** Centers of the nodes. */
  readonly centers: readonly Point[];
  /** Path of each link between its nodes, in its own direction. */
  readonly routes: readonly (readonly Point[])[];
  /** Centers of the labels. */
  readonly labels: readonly (Point | undefined)[];
}

/** A node, or a point at which a link passes a layer. */
interface Place {
  readonly rank: number;
  readonly width: number;
  readonly height: number;
  readonly isNode: boolean;
  x: number;
}

interface Pull {
  readonly place: number;
  readonly shift: number;
  readonly weight: number;
}

const sideGap = 26;
const lineGap = 14;
const sweeps = 10;
/** Maximum number of places that are laid out. */
const maxPlaces = 3000;

/** Returns undefined if links pass too many layers. */
export function layOutInLayers(nodes: readonly Pinned[], links: readonly Link[], rankGap: number): Layers | undefined {
  // Labels have a layer of their own between those of the nodes.
  const step = links.some(({ label }) => label) ? 2 : 1;
  const isTurned = cycleLinks(nodes.length, links);
  const forward = links.map(({ from, to, label, fromShift = 0, toShift = 0 }, link): ForwardLink =>
    isTurned.has(link)
      ? { from: to, to: from, label, fromShift: toShift, toShift: fromShift, isTurned: true }
      : { from, to, label, fromShift, toShift, isTurned: false },
  );
  const ranks = ranksOf(nodes, forward).map((rank) => rank * step);

  const places: Place[] = nodes.map(({ width, height }, node) => ({
    rank: ranks[node]!,
    width,
    height,
    isNode: true,
    x: 0,
  }));
  const above: Pull[][] = places.map(() => []);
  const below: Pull[][] = places.map(() => []);
  const chains: number[][] = [];
  const labelPlaces: (number | undefined)[] = [];
  for (const { from, to, label, fromShift, toShift } of forward) {
    const chain: number[] = [];
    const labelRank = label && Math.floor((ranks[from]! + ranks[to]!) / 2);
    let labelPlace: number | undefined;
    let last = from;
    let shift = fromShift;
    const join = (next: number, nextShift: number): void => {
      const nodes = Number(places[last]!.isNode) + Number(places[next]!.isNode);
      const weight = [8, 3, 2][nodes]!;
      below[last]!.push({ place: next, shift: nextShift - shift, weight });
      above[next]!.push({ place: last, shift: shift - nextShift, weight });
      last = next;
      shift = 0;
    };
    for (let rank = ranks[from]! + 1; rank < ranks[to]!; rank++) {
      if (places.length >= maxPlaces) return undefined;
      const holds = rank === labelRank ? label : undefined;
      if (holds) labelPlace = places.length;
      places.push({ rank, width: holds?.width ?? 0, height: holds?.height ?? 0, isNode: false, x: 0 });
      above.push([]);
      below.push([]);
      chain.push(places.length - 1);
      join(places.length - 1, 0);
    }
    join(to, toShift);
    chains.push(chain);
    labelPlaces.push(labelPlace);
  }

  const layers = orderedLayers(places, above, below);
  positionLayers(layers, places, above, below);

  const middles: number[] = [];
  let y = 0;
  let gap = 0;
  for (const layer of layers) {
    const height = Math.max(0, ...layer.map((place) => places[place]!.height));
    middles.push(y + gap + height / 2);
    y += gap + height;
    // Layers that links only pass through need little space.
    gap = height === 0 ? rankGap / 4 : rankGap / step;
  }
  const left = Math.min(0, ...places.map(({ x, width }) => x - width / 2));
  const right = Math.max(0, ...places.map(({ x, width }) => x + width / 2));
  const pointOf = (place: number): Point => ({ x: places[place]!.x - left, y: middles[places[place]!.rank]! });
  return {
    width: right - left,
    height: y,
    centers: nodes.map((_, node) => pointOf(node)),
    routes: forward.map(({ isTurned }, link) => {
      const points = chains[link]!.map(pointOf);
      return isTurned ? points.reverse() : points;
    }),
    labels: labelPlaces.map((place) => (place === undefined ? undefined : pointOf(place))),
  };
}

interface ForwardLink {
  readonly from: number;
  readonly to: number;
  readonly label: Size | undefined;
  readonly fromShift: number;
  readonly toShift: number;
  readonly isTurned: boolean;
}

/** Returns the links that close a cycle. They are drawn from bottom to top. */
export function cycleLinks(count: number, links: readonly Pick<Link, 'from' | 'to'>[]): ReadonlySet<number> {
  const next: number[][] = Array.from({ length: count }, () => []);
  const hasBefore = new Set<number>();
  links.forEach(({ from, to }, link) => {
    next[from]!.push(link);
    hasBefore.add(to);
  });
  const isTurned = new Set<number>();
  const state = new Uint8Array(count);
  const follow = (start: number): void => {
    const path: { node: number; at: number }[] = [{ node: start, at: 0 }];
    state[start] = 1;
    while (path.length > 0) {
      const step = path.at(-1)!;
      const link = next[step.node]![step.at++];
      if (link === undefined) {
        state[step.node] = 2;
        path.pop();
        continue;
      }
      const { to } = links[link]!;
      if (state[to] === 1) isTurned.add(link);
      else if (state[to] === 0) {
        state[to] = 1;
        path.push({ node: to, at: 0 });
      }
    }
  };
  const all = Array.from({ length: count }, (_, node) => node);
  for (const node of [...all.filter((one) => !hasBefore.has(one)), ...all]) if (state[node] === 0) follow(node);
  return isTurned;
}

/**
 * Places each node one layer below the lowest one that leads to it. A node without incoming links is placed directly
 * above its first target.
 */
function ranksOf(nodes: readonly Pinned[], links: readonly ForwardLink[]): number[] {
  const ranks = nodes.map(() => 0);
  const waitsFor = nodes.map(() => 0);
  const next: number[][] = nodes.map(() => []);
  for (const { from, to } of links) {
    waitsFor[to]!++;
    next[from]!.push(to);
  }
  const isFirst = waitsFor.map((before) => before === 0);
  const ready = isFirst.flatMap((first, node) => (first ? [node] : []));
  for (const node of ready)
    for (const to of next[node]!) {
      ranks[to] = Math.max(ranks[to]!, ranks[node]! + 1);
      if (--waitsFor[to]! === 0) ready.push(to);
    }
  isFirst.forEach((first, node) => {
    if (first && next[node]!.length > 0) ranks[node] = Math.min(...next[node]!.map((to) => ranks[to]!)) - 1;
  });

  const free = ranks.filter((_, node) => !nodes[node]!.pin);
  const highest = Math.min(...free) - (nodes.some(({ pin }) => pin === 'first') ? 1 : 0);
  const lowest = Math.max(...free) + 1;
  return ranks.map((rank, node) => {
    const { pin } = nodes[node]!;
    if (pin === 'first') return 0;
    return (pin === 'last' ? lowest : rank) - highest;
  });
}

/** Returns the places of each layer from left to right. */
function orderedLayers(places: readonly Place[], above: readonly Pull[][], below: readonly Pull[][]): number[][] {
  let layers = traversedLayers(places, above, below);
  let best = layers;
  let fewest = countCrossings(layers, below);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    layers = sweptLayers(layers, isDown ? above : below, isDown);
    const now = countCrossings(layers, below);
    if (now < fewest) {
      fewest = now;
      best = layers;
    }
  }
  return best;
}

/** Traverses along the links, so that connected places start side by side. */
function traversedLayers(places: readonly Place[], above: readonly Pull[][], below: readonly Pull[][]): number[][] {
  const count = Math.max(0, ...places.map(({ rank }) => rank)) + 1;
  const layers: number[][] = Array.from({ length: count }, () => []);
  const visited = new Set<number>();
  const starts = places.flatMap((_, place) => (above[place]!.length === 0 ? [place] : []));
  for (const start of starts) {
    const stack = [start];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (visited.has(place)) continue;
      visited.add(place);
      layers[places[place]!.rank]!.push(place);
      for (const pull of [...below[place]!].reverse()) stack.push(pull.place);
    }
  }
  return layers;
}

/** Sorts each layer by the average position of the linked places in the layer before it, downwards or upwards. */
function sweptLayers(layers: readonly (readonly number[])[], pulls: readonly Pull[][], isDown: boolean): number[][] {
  const swept = layers.map((layer) => [...layer]);
  for (let turn = 1; turn < swept.length; turn++) {
    const rank = isDown ? turn : swept.length - 1 - turn;
    const positions = new Map(swept[isDown ? rank - 1 : rank + 1]!.map((place, index) => [place, index]));
    const wish = new Map(
      swept[rank]!.map((place, index) => {
        const found = pulls[place]!.map((pull) => positions.get(pull.place)!);
        return [place, found.length === 0 ? index : found.reduce((sum, one) => sum + one, 0) / found.length];
      }),
    );
    swept[rank]!.sort((one, other) => wish.get(one)! - wish.get(other)!);
  }
  return swept;
}

/** Counts the crossings of links between neighboring layers, with a Fenwick tree. */
function countCrossings(layers: readonly (readonly number[])[], below: readonly (readonly Pull[])[]): number {
  let count = 0;
  for (let rank = 0; rank + 1 < layers.length; rank++) {
    const positions = new Map(layers[rank + 1]!.map((place, index) => [place, index]));
    const ends = layers[rank]!.flatMap((place) =>
      below[place]!.map((pull) => positions.get(pull.place)!).sort((one, other) => one - other),
    );
    const sums = new Array<number>(positions.size + 1).fill(0);
    ends.forEach((end, before) => {
      let notBehind = 0;
      for (let at = end + 1; at > 0; at -= at & -at) notBehind += sums[at]!;
      count += before - notBehind;
      for (let at = end + 1; at < sums.length; at += at & -at) sums[at]!++;
    });
  }
  return count;
}

/** Sets the `x` of each place: as close to its linked places as the order of its layer allows. */
function positionLayers(
  layers: readonly (readonly number[])[],
  places: readonly Place[],
  above: readonly Pull[][],
  below: readonly Pull[][],
): void {
  for (const layer of layers) positionLayer(layer, places, () => undefined);
  const count = layers.length;
  for (let sweep = 0; sweep < sweeps * 2; sweep++) {
    const isDown = sweep % 2 === 0;
    // The last sweeps consider both directions.
    const pulls = (one: number): readonly Pull[] =>
      sweep >= sweeps ? [...above[one]!, ...below[one]!] : (isDown ? above : below)[one]!;
    for (let turn = 0; turn < count; turn++) {
      const layer = layers[isDown ? turn : count - 1 - turn]!;
      positionLayer(layer, places, (one) => {
        let sum = 0;
        let weight = 0;
        for (const pull of pulls(one)) {
          sum += (places[pull.place]!.x + pull.shift) * pull.weight;
          weight += pull.weight;
        }
        return weight === 0 ? undefined : { x: sum / weight, weight };
      });
    }
  }
}

/**
 * Places the elements of a layer as close as possible to their desired positions. Neighbors that would overlap move
 * together, to the mean of their desired positions.
 */
function positionLayer(
  layer: readonly number[],
  places: readonly Place[],
  wishOf: (place: number) => { x: number; weight: number } | undefined,
): void {
  const offsets: number[] = [];
  layer.forEach((one, index) => {
    const before = layer[index - 1];
    const gap = before === undefined ? 0 : minDistance(places[before]!, places[one]!);
    offsets.push((offsets[index - 1] ?? 0) + gap);
  });
  const blocks: { x: number; weight: number; size: number }[] = [];
  layer.forEach((one, index) => {
    // A place without links keeps its position but gives way to all others.
    const wish = wishOf(one) ?? { x: places[one]!.x, weight: 0.01 };
    let block = { x: wish.x - offsets[index]!, weight: wish.weight, size: 1 };
    for (let last = blocks.at(-1); last && last.x > block.x; last = blocks.at(-1)) {
      blocks.pop();
      const weight = last.weight + block.weight;
      block = {
        x: (last.x * last.weight + block.x * block.weight) / weight,
        weight,
        size: last.size + block.size,
      };
    }
    blocks.push(block);
  });
  let index = 0;
  for (const { x, size } of blocks)
    for (let turn = 0; turn < size; turn++, index++) places[layer[index]!]!.x = x + offsets[index]!;
}

const minDistance = (left: Place, right: Place): number =>
  (left.width + right.width) / 2 + (left.isNode || right.isNode || left.width + right.width > 0 ? sideGap : lineGap);
