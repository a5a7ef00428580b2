/**
 * SQLite looks at the values of a statement that sorts, groups or ends early while it plans it, and compiles it anew
 * for each new value, which takes longer than to run it. It does not look into a subquery. Source:
 * sqlite.org/c3ref/prepare.html, "SQLITE_ENABLE_STAT4".
 */
export const steady = (sql: string): string =>
  /^\s*select\b[\s\S]*\b(?:order by|group by|union|limit|distinct)\b/u.test(sql)
    ? sql.replaceAll(/\?|@\w+/gu, '(select $&)')
    : sql;
