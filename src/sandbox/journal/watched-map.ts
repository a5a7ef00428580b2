/**
 * A map that records which rows were set or deleted since the last call of `takeTouched`, so finding them does not read
 * the others.
 */
export class WatchedMap<Key, Row> extends Map<Key, Row> {
  /** The touched rows in their earlier state; undefined for a new row. */
  readonly #before = new Map<Key, Row | undefined>();

  /** A watched map with the same rows, all untouched. */
  static of<Key, Row>(rows: ReadonlyMap<Key, Row>): WatchedMap<Key, Row> {
    const map = new WatchedMap<Key, Row>();
    for (const [key, row] of rows) map.set(key, row);
    map.takeTouched();
    return map;
  }

  /** The rows touched since the last call, in their earlier state. */
  takeTouched(): ReadonlyMap<Key, Row | undefined> {
    const touched = new Map(this.#before);
    this.#before.clear();
    return touched;
  }

  override set(key: Key, row: Row): this {
    this.#touch(key);
    return super.set(key, row);
  }

  override delete(key: Key): boolean {
    this.#touch(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.#touch(key);
    super.clear();
  }

  #touch(key: Key): void {
    if (!this.#before.has(key)) this.#before.set(key, this.get(key));
  }
}
