/** Only a scrubber brands: text of this type has passed one. */
declare const clean: unique symbol;
export type Clean = string & { readonly [clean]: true };

/** Takes secrets out of what the bridge keeps and shows about its own work. What it carries from side to side never passes here. */
export interface Scrub {
  /** Words of the bridge and of servers: our secrets go, and whatever has the form of one. */
  words(text: string): Clean;
  /** Values that people wrote and that are compared later: our secrets go, and nothing else, for a password may be an example. */
  values(text: string): Clean;
}
