type SqlValue = string | number | null;

/** How each column gets its value: the only place that names the columns. The database assigns `id`. */
export type Columns<T, Context> = Readonly<Record<string, (value: T, context: Context) => SqlValue>>;

/** A row with these columns. */
export type RowOf<C extends Columns<never, never>> = { readonly id: number } & { readonly [Name in keyof C]: ReturnType<C[Name]> };

/** Columns that the database computes, as SQL. */
interface Computed {
  readonly onInsert?: Readonly<Record<string, string>>;
  readonly onUpdate?: Readonly<Record<string, string>>;
}

/** The statements that write these columns. */
export function writesOf(table: string, columns: object, { onInsert = {}, onUpdate = {} }: Computed = {}) {
  const given = Object.fromEntries(Object.keys(columns).map((name) => [name, `@${name}`]));
  const inserted = { ...given, ...onInsert };
  const updated = Object.entries({ ...given, ...onUpdate }).map(([name, value]) => `${name} = ${value}`);
  return {
    insert: `insert into ${table} (${Object.keys(inserted).join(', ')}) values (${Object.values(inserted).join(', ')})`,
    update: `update ${table} set ${updated.join(', ')} where id = @id`,
  };
}

/** The parameters of these statements. */
export const valuesOf = <T, Context>(columns: Columns<T, Context>, value: T, context: Context): Readonly<Record<string, SqlValue>> =>
  Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of(value, context)]));

export const flag = (is: boolean): 0 | 1 => (is ? 1 : 0);
