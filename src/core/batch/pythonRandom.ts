/**
 * The numbers of Python's `random` after `random.seed(n)`, so that a shuffled dataset has the same order as in
 * mini-swe-agent. Implements the Mersenne Twister MT19937, seeded with `init_by_array` as in Python.
 */
export class PythonRandom {
  readonly #state = new Uint32Array(size);
  #at = size;

  /** `seed`: non-negative integer. */
  constructor(seed: number) {
    this.#seedByNumber(19_650_218);
    const high = Math.floor(seed / 2 ** 32) >>> 0;
    const key = high === 0 ? [seed >>> 0] : [seed >>> 0, high];
    this.#seedByArray(key);
  }

  /** Random number 0 ≤ x < 1 with 53 bits. */
  random(): number {
    const high = this.#next() >>> 5;
    const low = this.#next() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** Returns a copy in random order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = this.#below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
    }
    return mixed;
  }

  /** Random integer 0 ≤ x < `limit`. Like Python, draws bits until the number is small enough. */
  #below(limit: number): number {
    const bits = 32 - Math.clz32(limit);
    let drawn = this.#next() >>> (32 - bits);
    while (drawn >= limit) drawn = this.#next() >>> (32 - bits);
    return drawn;
  }

  #seedByNumber(seed: number): void {
    const state = this.#state;
    state[0] = seed;
    for (let index = 1; index < size; index++) {
      const before = state[index - 1]! ^ (state[index - 1]! >>> 30);
      state[index] = Math.imul(1_812_433_253, before) + index;
    }
  }

  #seedByArray(key: readonly number[]): void {
    const state = this.#state;
    let index = 1;
    let place = 0;
    for (let round = 0; round < Math.max(size, key.length); round++) {
      const before = state[index - 1]! ^ (state[index - 1]! >>> 30);
      state[index] = (state[index]! ^ Math.imul(before, 1_664_525)) + key[place]! + place;
      index = this.#after(index);
      place = (place + 1) % key.length;
    }
    for (let round = 1; round < size; round++) {
      const before = state[index - 1]! ^ (state[index - 1]! >>> 30);
      state[index] = (state[index]! ^ Math.imul(before, 1_566_083_941)) - index;
      index = this.#after(index);
    }
    state[0] = 0x8000_0000;
  }

  #after(index: number): number {
    if (index + 1 < size) return index + 1;
    this.#state[0] = this.#state[size - 1]!;
    return 1;
  }

  #next(): number {
    if (this.#at >= size) this.#twist();
    let number = this.#state[this.#at++]!;
    number ^= number >>> 11;
    number ^= (number << 7) & 0x9d2c_5680;
    number ^= (number << 15) & 0xefc6_0000;
    return (number ^ (number >>> 18)) >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let index = 0; index < size; index++) {
      const mixed = (state[index]! & 0x8000_0000) | (state[(index + 1) % size]! & 0x7fff_ffff);
      const shifted = (mixed >>> 1) ^ ((mixed & 1) === 0 ? 0 : 0x9908_b0df);
      state[index] = state[(index + distance) % size]! ^ shifted;
    }
    this.#at = 0;
  }
}

const size = 624;
const distance = 397;
