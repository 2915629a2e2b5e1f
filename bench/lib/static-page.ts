import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './ending.ts'

/** The least that shows a text: one document, no scripts, no fonts, no styles of its own but the width. */
export async function startStaticPage(text: string) {
  const html = Buffer.from(
    `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Предел</title><body style="max-width:48rem;margin:auto;font:16px sans-serif">${text
      .split('\n')
      .map((line) => `<p>${escapeHtml(line)}</p>`)
      .join('')}`,
  )
  const server = createServer((request, response) => {
    const isPage = request.url === '/'
    response.writeHead(isPage ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' }).end(isPage ? html : '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stop = () => new Promise<void>((done) => server.close(() => done()))
  atEnd(() => server.closeAllConnections())
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, stop }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
