import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const isInstalled = (command: string) => !spawnSync(command, ['-h'], { stdio: 'ignore' }).error

interface NginxSettings {
  /** For its files; removed by the caller. */
  folder: string
  port: number
  upstreams: readonly [number, number]
}

/** Arguments that start nginx with our file, on plain HTTP: a certificate is the operator's. */
export function nginxArgs({ folder, port, upstreams: [first, second] }: NginxSettings): string[] {
  const ours = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/^ *ssl_.*$/gm, '')
    .replace('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second}`)
  writeFileSync(join(folder, 'symbol.conf'), ours)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log stderr; events {}
     http { access_log off; ${folders.join(' ')} include ${folder}/symbol.conf; }`,
  )
  return ['-p', folder, '-c', join(folder, 'nginx.conf')]
}
