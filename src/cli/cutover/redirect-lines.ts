/** A bug and the page of its issue. */
export interface Redirect {
  readonly bug: number;
  /** The bug's page on the tracker. */
  readonly from: string;
  readonly to: string;
}

export const redirectFormats = ['csv', 'nginx', 'apache'] as const;
export type RedirectFormat = (typeof redirectFormats)[number];

/**
 * The lines of a file that sends readers from bugs to their issues.
 *
 *   csv     bug,from,to
 *   nginx   a `map` from the id to the issue, for a server block
 *   apache  a text file for `RewriteMap`
 */
export function redirectLines(redirects: readonly Redirect[], format: RedirectFormat): readonly string[] {
  if (format === 'csv') return ['bug,from,to', ...redirects.map(({ bug, from, to }) => [bug, from, to].join(','))];
  if (format === 'nginx') {
    return [
      '# In http { }: include this file. In the server of the tracker:',
      '#   location = /show_bug.cgi { if ($bugferry_issue) { return 301 $bugferry_issue; } ... }',
      'map $arg_id $bugferry_issue {',
      '  default "";',
      ...redirects.map(({ bug, to }) => `  ${bug} "${to}";`),
      '}',
    ];
  }
  return [
    '# In the virtual host of the tracker, with this file as /etc/bugferry/bugs.txt:',
    '#   RewriteEngine on',
    '#   RewriteMap bugs txt:/etc/bugferry/bugs.txt',
    '#   RewriteCond %{QUERY_STRING} (?:^|&)id=(\\d+)',
    ['#   RewriteCond $', '{bugs:%1} ^(https?://.+)$'].join(''),
    '#   RewriteRule ^/?show_bug\\.cgi$ %1? [R=301,L]',
    ...redirects.map(({ bug, to }) => `${bug} ${to}`),
  ];
}
