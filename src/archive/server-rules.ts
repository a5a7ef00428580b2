import type { Headline } from '../model/archive/ports.ts';
import { withoutSlash } from '../model/named.ts';
import type { Written } from './lists.ts';
import { aliasesIn } from './old-addresses.ts';
import { contentTypes } from './safe-file.ts';

/**
 * Rules for the web server that serves the archive in the tracker's place: old addresses lead on, and attachments
 * cannot run anything. Numbers need no list; aliases do. Whatever has no rule reaches the page that is in the place of
 * the tracker's own.
 */
export function ruleFiles(bugs: ReadonlyMap<number, Headline>, tracker: string): readonly Written[] {
  const base = withoutSlash(new URL(tracker).pathname);
  // Anyone may choose an alias, so only plain ones become part of a rule.
  const aliases = aliasesIn(bugs)
    .filter(([alias]) => /^[\w.-]+$/u.test(alias))
    .map(([alias, bug]) => [alias.replaceAll('.', '\\.'), bug] as const);
  return [
    ['rules/nginx.conf', nginx(base, aliases)],
    ['rules/apache.conf', apache(base, aliases)],
    ['rules/Caddyfile', caddy(base, aliases)],
  ];
}

type Aliases = readonly (readonly [pattern: string, bug: number])[];

/** What a browser may do with an attachment that it opens by its own address. */
const policy = "default-src 'none'; sandbox";
const extensions = Object.entries(contentTypes);
const lines = <Item>(items: readonly Item[], lineOf: (item: Item) => string): string =>
  items.map((item) => `${lineOf(item)}\n`).join('');

const nginx = (
  base: string,
  aliases: Aliases,
): string => `# A file for the http { } of nginx, such as conf.d/archive.conf. Replace the name and the folder /srv/archive.
map $arg_id $bugferry_bug {
  default "";
  "~^(?<bugferry_id>[0-9]+)$" $bugferry_id;
${lines(aliases, ([pattern, bug]) => `  "~*^${pattern}$" ${bug};`)}}
server {
  listen 80;
  server_name bugs.example.org;
  location ${base}/ {
    alias /srv/archive/;
    index index.html;
    charset utf-8;
  }
  location = ${base}/show_bug.cgi {
    if ($bugferry_bug) { return 301 ${base}/bugs/$bugferry_bug.html; }
    return 302 ${base}/show_bug.cgi/?$args;
  }
  location = ${base}/attachment.cgi {
    if ($arg_id ~ "^[0-9]+$") { return 301 ${base}/attachments/$arg_id.html; }
    return 302 ${base}/attachment.cgi/?$args;
  }
  location ${base}/files/ {
    alias /srv/archive/files/;
    types {
${lines(extensions, ([extension, type]) => `      ${type.split(';', 1)[0] ?? ''} ${extension};`)}    }
    default_type application/octet-stream;
    charset utf-8;
    charset_types text/plain;
    add_header X-Content-Type-Options nosniff always;
    add_header Content-Security-Policy "${policy}" always;
  }
}
`;

const apache = (
  base: string,
  aliases: Aliases,
): string => `# For the <Directory> of the archive, or as the file .htaccess in it. Needs mod_rewrite and mod_headers.
DirectoryIndex index.html
${lines(extensions, ([extension, type]) => `AddType "${type}" .${extension}`)}RewriteEngine on
RewriteCond %{QUERY_STRING} (?:^|[&;])id=([0-9]+)(?:[&;]|$)
RewriteRule ^show_bug\\.cgi/?$ ${base}/bugs/%1.html? [R=301,L]
RewriteCond %{QUERY_STRING} (?:^|[&;])id=([0-9]+)(?:[&;]|$)
RewriteRule ^attachment\\.cgi/?$ ${base}/attachments/%1.html? [R=301,L]
${lines(
  aliases,
  ([pattern, bug]) =>
    `RewriteCond %{QUERY_STRING} (?:^|[&;])id=${pattern}(?:[&;]|$) [NC]\nRewriteRule ^show_bug\\.cgi/?$ ${base}/bugs/${bug}.html? [R=301,L]`,
)}<If "%{REQUEST_URI} =~ m#^${base}/files/#">
  Header always set X-Content-Type-Options nosniff
  Header always set Content-Security-Policy "${policy}"
</If>
`;

const caddy = (base: string, aliases: Aliases): string => `# Replace the name and the folder /srv/archive.
bugs.example.org {
  map {query.id} {bugferry_bug} {
    ~^([0-9]+)$ "\${1}"
${lines(aliases, ([pattern, bug]) => `    ~(?i)^${pattern}$ "${bug}"`)}    default ""
  }
  @bug {
    path ${base}/show_bug.cgi
    not vars {bugferry_bug} ""
  }
  redir @bug ${base}/bugs/{bugferry_bug}.html permanent
  @attachment {
    path ${base}/attachment.cgi
    expression \`{query.id}.matches("^[0-9]+$")\`
  }
  redir @attachment ${base}/attachments/{query.id}.html permanent
  redir ${base}/show_bug.cgi ${base}/show_bug.cgi/?{query}
  redir ${base}/attachment.cgi ${base}/attachment.cgi/?{query}
  handle_path ${base}/* {
    root * /srv/archive
    @files path /files/*
    header @files X-Content-Type-Options nosniff
    header @files Content-Security-Policy "${policy}"
${lines(extensions, ([extension, type]) => `    @${extension} path /files/*.${extension}\n    header @${extension} Content-Type "${type}"`)}    file_server
  }
}
`;
