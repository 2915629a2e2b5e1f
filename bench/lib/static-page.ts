import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './ending.ts'

const ELSEWHERE = '/elsewhere'

export type StaticPage = Awaited<ReturnType<typeof startStaticPage>>

/**
 * The least that shows a text: one document, no scripts, no fonts, no styles of its own but the width. `elsewhere` is a
 * page of another site, from which visits come.
 */
export async function startStaticPage(text: string) {
  const html = Buffer.from(
    `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Предел</title><body style="max-width:48rem;margin:auto;font:16px sans-serif">${text
      .split('\n')
      .map((line) => `<p>${escapeHtml(line)}</p>`)
      .join('')}`,
  )
  const pages: Record<string, Buffer | string> = { '/': html, [ELSEWHERE]: '<!doctype html><title>Другой сайт</title>' }
  const server = createServer((request, response) => {
    const page = request.url ? pages[request.url] : undefined
    response.writeHead(page ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stop = () => new Promise<void>((done) => server.close(() => done()))
  atEnd(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/`, elsewhere: `http://127.0.0.1:${port}${ELSEWHERE}`, stop }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
